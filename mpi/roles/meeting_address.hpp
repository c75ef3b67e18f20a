// Where ranks reach a rank that listens: one address for all of them. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mpi/roles/rank_identity.hpp"

namespace groma {

/// True when `address` (a literal) is one of the rank's own.
[[nodiscard]] bool is_own_address(const RankIdentity& rank, std::string_view address);

/// An address of `server` that all `clients` can reach. `wanted` is it (a literal or a name; may be empty) if it is one
/// of the server's own and, should it be a loopback address, all clients share its network. Otherwise: loopback when
/// all clients share the server's network; else the address in a network that most clients are in as well, IPv4 first.
/// Throws: RunError when the server has no address but loopback ones.
[[nodiscard]] std::string meeting_address(const RankIdentity& server, std::span<const RankIdentity> clients,
                                          std::string_view wanted);

}  // namespace groma
