// The parsed and checked options of groma-mpi.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/model/experiment/batch.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/scheduling.hpp"
#include "common/time/instant.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

/// How logs reach the log server's rank; local: they stay where they are written.
enum class JobLogTransport : std::uint8_t { automatic, local, tcp, udp, mpi };

/// The default if a rank is the log server.
inline constexpr JobLogTransport kUsualLogTransport = JobLogTransport::mpi;

struct MpiOptions {
    enum class Action : std::uint8_t { run, batch, list, help, version };

    Action action = Action::run;
    Experiment experiment;         ///< for the action `run`
    std::optional<Batch> batch;    ///< for `batch` and `list`
    std::filesystem::path file;    ///< the file that they were read from
    std::string text;              ///< contents of that file
    bool stop_on_failure = false;  ///< this and the following: for a batch
    bool retry_failed = false;
    JobLogTransport log_transport = JobLogTransport::automatic;
    bool local_logs = false;    ///< in addition to those of the log server
    std::filesystem::path out;  ///< results folder; empty: groma-run-NAME-RUNID
    bool sqlite = false;
    bool plots = false;
    bool json = false;
    std::string json_file;  ///< empty: standard output
    bool quiet = false;
    unsigned threads = 0;         ///< sending threads on each sending rank; 0: chosen by load
    std::vector<unsigned> pin{};  ///< their cores; empty: the kernel chooses
    Realtime realtime = Realtime::off;
    std::size_t block_records = kMaxBlockRecords;  ///< records per block of a log
    Nanos wait = std::chrono::seconds(2);
    Nanos timeout = SessionTimes().silence;

    /// `arguments` without the program's name; `fresh_seed`: used if none is given.
    /// Throws: UsageError or ParseError with every error; SystemError when the experiment file cannot be read.
    [[nodiscard]] static MpiOptions parse(std::span<const std::string> arguments, std::uint64_t fresh_seed);
};

[[nodiscard]] const CommandTable& mpi_option_table();

}  // namespace groma
