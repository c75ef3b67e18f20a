// What a user of groma-mpi asked for, understood and checked.
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
#include "common/time/instant.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

/// How logs reach the log server's rank, or that they stay where they are made.
enum class JobLogTransport : std::uint8_t { automatic, local, tcp, udp, mpi };

/// When there is a rank for the log server and nothing was asked for.
inline constexpr JobLogTransport kUsualLogTransport = JobLogTransport::mpi;

struct MpiOptions {
    enum class Action : std::uint8_t { run, batch, list, help, version };

    Action action = Action::run;
    Experiment experiment;         ///< of an action `run`
    std::optional<Batch> batch;    ///< of `batch` and `list`
    std::filesystem::path file;    ///< that they were read from
    std::string text;              ///< of that file
    bool stop_on_failure = false;  ///< these are a batch's
    bool retry_failed = false;
    JobLogTransport log_transport = JobLogTransport::automatic;
    bool local_logs = false;    ///< beside those of the log server
    std::filesystem::path out;  ///< folder for the results; empty: groma-run-NAME-RUNID
    bool sqlite = false;
    bool plots = false;
    bool json = false;
    std::string json_file;  ///< empty: standard output
    bool quiet = false;
    unsigned threads = 0;         ///< that send, on each rank that does; 0: as many as its load asks for
    std::vector<unsigned> pin{};  ///< their cores; empty: the kernel chooses
    bool realtime = false;
    std::size_t block_records = kMaxBlockRecords;  ///< in a block of the logs
    Nanos wait = std::chrono::seconds(2);
    Nanos timeout = SessionTimes().silence;

    /// `arguments` without the program's name; `fresh_seed` is used when none was given.
    /// Throws: UsageError or ParseError with every error; SystemError when the experiment file cannot be read.
    [[nodiscard]] static MpiOptions parse(std::span<const std::string> arguments, std::uint64_t fresh_seed);
};

[[nodiscard]] const CommandTable& mpi_option_table();

}  // namespace groma
