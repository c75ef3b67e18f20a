#include "mpi/roles/meeting_address.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

namespace {

constexpr unsigned kMappedBits = 96;  ///< of an IPv4 address in its IPv6-mapped form

std::optional<SocketAddress> literal(std::string_view text) {
    try {
        return SocketAddress::from_literal(text, 0);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

bool same_network(const HostAddress& a, const HostAddress& b) {
    const SocketAddress one = SocketAddress::from_literal(a.address, 0);
    const SocketAddress other = SocketAddress::from_literal(b.address, 0);
    if (one.is_ipv4() != other.is_ipv4() or a.prefix != b.prefix) {
        return false;
    }
    const HostKey x = one.host_key();
    const HostKey y = other.host_key();
    const unsigned bits = std::min(a.prefix + (one.is_ipv4() ? kMappedBits : 0U), 128U);
    for (unsigned bit = 0; bit < bits; ++bit) {
        const unsigned mask = 0x80U >> (bit % 8);
        if (((x[bit / 8] ^ y[bit / 8]) & mask) != 0) {
            return false;
        }
    }
    return true;
}

bool has_neighbour(const HostAddress& address, const RankIdentity& client) {
    return std::ranges::any_of(client.addresses, [&](const HostAddress& one) { return same_network(address, one); });
}

}  // namespace

bool is_own_address(const RankIdentity& rank, std::string_view address) {
    const auto wanted = literal(address);
    return wanted and std::ranges::any_of(rank.addresses, [&](const HostAddress& one) {
               return SocketAddress::from_literal(one.address, 0).same_host(*wanted);
           });
}

std::string meeting_address(const RankIdentity& server, std::span<const RankIdentity> clients,
                            std::string_view wanted) {
    const bool at_home =
        std::ranges::all_of(clients, [&](const RankIdentity& one) { return one.network == server.network; });
    if (is_own_address(server, wanted) and (at_home or not literal(wanted)->is_loopback())) {
        return literal(wanted)->host_to_string();
    }
    std::optional<std::string> best;
    std::pair<std::ptrdiff_t, bool> best_rank{-1, false};
    for (const HostAddress& one : server.addresses) {
        const SocketAddress address = SocketAddress::from_literal(one.address, 0);
        if (address.is_loopback() != at_home) {
            continue;
        }
        const std::pair rank(std::ranges::count_if(clients, [&](const auto& c) { return has_neighbour(one, c); }),
                             address.is_ipv4());
        if (rank > best_rank) {
            best_rank = rank;
            best = one.address;
        }
    }
    if (not best) {
        throw RunError("host " + server.host + " has no address that the other ranks' hosts could reach (ip addr)");
    }
    return *best;
}

}  // namespace groma
