// The sending, receiving and logging ranks of a run, their names, and the order for each. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mpi/job/job_run.hpp"
#include "mpi/roles/rank_identity.hpp"
#include "mpi/roles/rank_order.hpp"
#include "mpi/roles/send_order.hpp"

namespace groma {

class RunLayout {
public:
    /// Both outlive the layout. `folder`: the run's, at rank 0. Throws: RunError if ranks share no network.
    RunLayout(const std::vector<RankIdentity>& identities, const JobRun& run, const std::string& folder);

    [[nodiscard]] const std::set<int>& senders() const { return senders_; }
    [[nodiscard]] const std::set<int>& receivers() const { return receivers_; }
    [[nodiscard]] const std::map<int, RankOrder>& orders() const { return orders_; }
    /// Whether logs go to a log server's rank.
    [[nodiscard]] bool with_log_server() const;

    /// Takes the answer of a prepared rank: the ports that its kernel chose. Throws: UsageError.
    void take_prepared(int rank, const nlohmann::json& answer);
    [[nodiscard]] bool has_receivers() const { return not receiver_ports_.empty(); }
    [[nodiscard]] bool has_log_server() const { return log_server_port_ != 0; }

    /// The order for a sender. Requires: all ranks have prepared.
    [[nodiscard]] SendOrder send_order(int rank) const;

    [[nodiscard]] std::string sender_name(int rank) const { return rank_names_.at(rank).front(); }
    /// "rank 2 (beta, on node7)".
    [[nodiscard]] std::string call(int rank) const;
    /// The text with the rank added after each receiver's address.
    [[nodiscard]] std::string with_ranks_named(std::string text) const;

private:
    [[nodiscard]] int rank_of(const std::string& host) const { return run_.roles.rank_of.at(host); }
    [[nodiscard]] const RankIdentity& identity(int rank) const { return identities_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::vector<RankIdentity> identities_of(const std::set<int>& ranks) const;
    void place_receiver(const FlowSpec& flow);
    void place_log_server();
    [[nodiscard]] Experiment experiment_of(int rank) const;

    const std::vector<RankIdentity>& identities_;
    const JobRun& run_;
    std::map<int, std::vector<std::string>> rank_names_;
    std::set<int> senders_;
    std::set<int> receivers_;
    std::map<int, RankOrder> orders_;
    std::map<std::string, std::string> receiver_at_;  ///< address of each receiving host
    std::map<int, std::uint16_t> receiver_ports_;
    std::map<std::string, int> receiver_ranks_;  ///< by address and port
    std::string log_server_at_;
    std::uint16_t log_server_port_ = 0;
};

}  // namespace groma
