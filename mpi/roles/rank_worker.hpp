// A rank's part in runs: takes up the roles that rank 0 orders, tells what becomes of them. Thread: its owner's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mpi/roles/rank_order.hpp"
#include "mpi/roles/rank_roles.hpp"
#include "mpi/roles/run_folder.hpp"
#include "mpi/world/outbox.hpp"

namespace groma {

class RankWorker {
public:
    /// World and clock outlive the worker.
    RankWorker(MpiWorld& world, Clock& clock) : world_(world), clock_(clock) {}
    RankWorker(const RankWorker&) = delete;
    RankWorker& operator=(const RankWorker&) = delete;
    ~RankWorker();

    /// Tells rank 0 where this rank runs.
    void introduce();

    /// Does what rank 0 says. What goes wrong is answered with "failed".
    void on_message(const RankMessage& message);

    /// What there is to tell rank 0.
    [[nodiscard]] std::optional<RankMessage> next() { return outbox_.pop(); }

    /// A last message that cannot be sent any more: reports go into the run's folder, where rank 0 looks for them.
    void leave_behind(const RankMessage& message) const noexcept;

    /// In the order in which a run ends well: senders, then receivers, then the log server.
    void stop_sending(unsigned level);  ///< as SenderRole::stop()
    void stop_receiving();
    void stop_log_server();

private:
    [[nodiscard]] std::unique_ptr<LogShipper> make_shipper() const;
    void prepare(const nlohmann::json& body);
    void begin(const nlohmann::json& body);
    void list_files();
    void read_file(const nlohmann::json& body);
    void end_run();

    MpiWorld& world_;
    Clock& clock_;
    Outbox outbox_;
    RankOrder order_;
    std::optional<RunFolder> folder_;
    std::unique_ptr<LogServerRole> log_server_;
    std::unique_ptr<LogShipper> shipper_;  ///< of this rank's logs, when they go over MPI
    std::unique_ptr<ReceiverRole> receiver_;
    std::unique_ptr<SenderRole> sender_;
};

}  // namespace groma
