// The flows of a run that one other host sends, among those of other hosts.
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "joint/joint_start.hpp"
#include "joint/part_logs.hpp"
#include "sender/daemon/remote_run.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Life: construct, start(), join(); then it has a report, or errors, or both. A part without a report calls the start
/// off. Thread: its owner's; the part is made on a thread of its own.
class RunPart {
public:
    /// `options`: those of the whole run, with the flows of this part and the names of its logs. `start` outlives it.
    /// `joint`: the run's id, and this sender's name in it.
    RunPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around);
    RunPart(const RunPart&) = delete;
    RunPart& operator=(const RunPart&) = delete;
    virtual ~RunPart();

    void start();
    void join();

    [[nodiscard]] const std::vector<FlowSpec>& flows() const { return options_.experiment.flows; }
    // Requires: join().
    [[nodiscard]] const std::optional<SendReport>& report() const { return report_; }
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }

protected:
    [[nodiscard]] const SenderOptions& options() const { return options_; }
    [[nodiscard]] const std::string& run_id() const { return joint_.run_id; }
    [[nodiscard]] const std::optional<SharedKey>& key() const { return joint_.key; }
    [[nodiscard]] Clock& clock() const { return around_.clock; }
    /// The run was stopped, here or by another part.
    [[nodiscard]] bool is_stopped() const { return around_.stop_requests() > 0; }
    void say(const std::string& sentence) const;

private:
    /// Who sends the flows, in messages: "the receiver at beta:9000".
    [[nodiscard]] virtual std::string who() const = 0;
    /// What errors begin with; empty: they name the host themselves.
    [[nodiscard]] virtual std::string said_by() const { return {}; }
    /// Where the run is asked for.
    [[nodiscard]] virtual Target where() = 0;
    /// What it is asked for there.
    [[nodiscard]] virtual SenderOptions far_options() const = 0;
    /// The flows come here: as JointRun has it.
    [[nodiscard]] virtual decltype(JointRun::call) call() { return {}; }
    /// Nothing comes any more. Returns: what there is to say of this host's side; empty: nothing.
    [[nodiscard]] virtual std::string end() { return {}; }

    void run() noexcept;
    void add_error(std::string error);
    void take(SendReport report);
    void take(const std::string& report);
    /// The logs of a host come after its report. Throws: RunError.
    SendReport& report_before_logs(const std::string& report);

    SenderOptions options_;
    JointStart& start_;
    RemoteSurroundings around_;
    JointRun joint_;
    bool told_off_ = false;  ///< others have called the start off while this one was under way
    std::optional<SendReport> report_;
    std::optional<PartLogs> logs_;  ///< nothing: they do not come here
    std::vector<std::string> errors_;
    std::thread thread_;
};

}  // namespace groma
