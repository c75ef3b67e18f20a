// What a rank knows about the host that it runs on, told to rank 0 when the job begins.
#pragma once

#include <string>
#include <vector>

#include "common/json/describe.hpp"

namespace groma {

/// An address of one of a host's interfaces.
struct HostAddress {
    std::string address;  ///< a literal, without a scope
    unsigned prefix = 0;  ///< bits of its network's part
    bool operator==(const HostAddress&) const = default;
};

struct RankIdentity {
    std::string host;     ///< its name
    std::string boot_id;  ///< ranks with the same one share a clock
    std::string network;  ///< ranks with the same one share all addresses, loopback among them
    std::vector<HostAddress> addresses;
    bool operator==(const RankIdentity&) const = default;
};

/// Of this process; `processor` is what MPI calls the host. Throws: SystemError.
[[nodiscard]] RankIdentity own_identity(const std::string& processor);

template <typename Fields>
void describe(Fields& fields, As<Fields, RankIdentity>& identity);

}  // namespace groma
