// Chooses one address at which all ranks reach a listening rank. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mpi/roles/rank_identity.hpp"

namespace groma {

/// Whether `address` (a literal) is one of the rank's own.
[[nodiscard]] bool is_own_address(const RankIdentity& rank, std::string_view address);

/// An address of `server` that all `clients` can reach. Returns `wanted` (a literal or a name; may be empty) if it is
/// the server's own; a loopback address requires that all clients share the server's network. Otherwise loopback if all
/// clients share the server's network; else the address whose network contains most clients, IPv4 first.
/// Throws: RunError if the server has only loopback addresses.
[[nodiscard]] std::string meeting_address(const RankIdentity& server, std::span<const RankIdentity> clients,
                                          std::string_view wanted);

}  // namespace groma
