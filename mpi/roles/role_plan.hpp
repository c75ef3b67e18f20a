// Which rank of an MPI job is which host of an experiment, and which is the log server (docs/guide/mpi.md has the
// rules). Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/experiment.hpp"
#include "mpi/roles/rank_identity.hpp"

namespace groma {

/// The host that sends flows that do not say `from`; no alias is empty.
inline constexpr std::string_view kNamelessSender = "";

struct RolePlan {
    std::map<std::string, int, std::less<>>
        rank_of;  ///< of hosts that send or receive, by sender_of() and receiver_of()
    std::optional<int> log_server;
    std::vector<std::string> warnings;  ///< sentences for the user
    bool operator==(const RolePlan&) const = default;
};

/// How the plan calls the hosts that a flow goes from and to: aliases; kNamelessSender; or the target's host as it is.
[[nodiscard]] std::string sender_of(const FlowSpec& flow);
[[nodiscard]] std::string receiver_of(const FlowSpec& flow);

enum class LogServerNeed { none, if_there_is_a_rank, needed };

/// Requires: at least one rank. Throws: UsageError with every error, a line each.
[[nodiscard]] RolePlan plan_roles(const Experiment& experiment, const std::vector<RankIdentity>& ranks,
                                  LogServerNeed need);

}  // namespace groma
