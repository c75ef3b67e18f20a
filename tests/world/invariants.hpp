// The invariants of every history, whatever its troubles (docs/design/simulation.md).
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
    /// `expect` is called for each invariant.
    Invariants(World& world, Programs& programs, std::function<void(bool holds, const std::string& what)> expect)
        : world_(world), programs_(programs), expect_(std::move(expect)) {}

    /// For the run among the troubles, long after they have ended.
    void check_drained(const Run& run);
    /// For a run after the troubles: it is as if there had been none.
    void check_honest(const Run& run);
    /// For a run during which one of the programs was asked to stop.
    void check_cut_short(const Run& run);
    void check_before_stop(const Daemon& daemon);
    void check_stopped(const Daemon& daemon);
    /// Each program that was asked to stop did so in time.
    void check_nobody_is_deaf();
    /// Where keys are asked for, whoever has none for it has changed nothing.
    void check_no_intruder();
    /// The logs on the log server agree with the reports of the runs. To be called on gamma.
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
    /// Datagrams of a flow over UDP: forward, and backward.
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
