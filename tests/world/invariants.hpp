// What must hold in every history, whatever went wrong (docs/design/simulation.md).
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "logserver/store/log_catalogue.hpp"
#include "tests/world/log_contents.hpp"
#include "tests/world/programs.hpp"

namespace groma::world {

class Invariants {
public:
    /// `expect` is told of each thing whether it holds, and what it is.
    Invariants(World& world, Programs& programs, std::function<void(bool holds, const std::string& what)> expect)
        : world_(world), programs_(programs), expect_(std::move(expect)) {}

    /// Of the run among the troubles, long after they have ended.
    void check_drained(const Run& run);
    /// Of a run after the troubles: as if nothing had happened.
    void check_honest(const Run& run);
    /// Of a run in whose course one of the programs was told to stop.
    void check_cut_short(const Run& run);
    void check_before_stop(const Daemon& daemon);
    void check_stopped(const Daemon& daemon);
    /// Whoever was asked to stop did so in time.
    void check_nobody_is_deaf();
    /// What the log server has is what the reports of the runs say. To be called on gamma.
    void check_logs(std::span<const Run* const> runs);

private:
    using Reported = std::function<FlowRecords(const FlowReport&)>;

    void check_ended(const Process& process);
    void check_counts(const Run& run);
    void check_witness(const Run& run, const FlowReport& flow);
    void check_all_came(const Run& run, const FlowReport& flow);
    void check_catalogue(const LogCatalogue& catalogue);
    void note_torn_tail(const std::filesystem::path& file);
    void check_records(const SendReport& report, const LogCatalogue& catalogue);
    void check_log(const SendReport& report, const std::filesystem::path& file, const Reported& reported);
    /// Of a flow over UDP: there, and back.
    [[nodiscard]] const Network::Datagrams& there(const Run& run, const FlowReport& flow);
    [[nodiscard]] const Network::Datagrams& back(const Run& run, const FlowReport& flow);
    [[nodiscard]] std::filesystem::path file_of(const std::string& name, const LogShipment& shipment,
                                                const LogCatalogue& catalogue);
    [[nodiscard]] std::filesystem::path log_directory() const { return programs_.gamma.disk->root() / "logs"; }

    World& world_;
    Programs& programs_;
    std::function<void(bool, const std::string&)> expect_;
};

}  // namespace groma::world
