// The hosts of an experiment that need a rank, and the ranks that run on them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/model/experiment/experiment.hpp"
#include "mpi/roles/rank_identity.hpp"

namespace groma {

/// The sender of flows without `from`; an alias is never empty.
inline constexpr std::string_view kNamelessSender = "";

/// The plan's name of a flow's sender and receiver: an alias, kNamelessSender, or the target's host.
[[nodiscard]] std::string sender_of(const FlowSpec& flow);
[[nodiscard]] std::string receiver_of(const FlowSpec& flow);

struct SoughtHost {
    std::string name;     ///< as in sender_of() and receiver_of()
    std::string address;  ///< as in the file; empty: none
};

/// The nameless sender first, then hosts in the order of the file, then targets that have no alias.
[[nodiscard]] std::vector<SoughtHost> sought_hosts(const Experiment& experiment);

/// Whether the rank's host has that name, whole or up to the first dot, or that address, unless it is a loopback one.
[[nodiscard]] bool runs_on(const RankIdentity& rank, const SoughtHost& host);

}  // namespace groma
