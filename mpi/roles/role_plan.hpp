// Maps the hosts of an experiment and the log server to ranks of an MPI job (rules: docs/guide/mpi.md). Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/experiment.hpp"
#include "mpi/roles/rank_identity.hpp"

namespace groma {

struct RolePlan {
    std::map<std::string, int, std::less<>>
        rank_of;  ///< for hosts that send or receive, by sender_of() and receiver_of() (sought_hosts.hpp)
    std::optional<int> log_server;
    std::vector<std::string> warnings;  ///< sentences for the user
    bool operator==(const RolePlan&) const = default;
};

enum class LogServerNeed { none, if_there_is_a_rank, needed };

/// Requires: at least one rank. Throws: UsageError with all errors, one per line.
[[nodiscard]] RolePlan plan_roles(const Experiment& experiment, const std::vector<RankIdentity>& ranks,
                                  LogServerNeed need);

}  // namespace groma
