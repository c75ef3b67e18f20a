// A rank's facts about its host, sent to rank 0 at the start of the job.
#pragma once

#include <string>
#include <vector>

#include "common/json/describe.hpp"

namespace groma {

/// An address of one of a host's interfaces.
struct HostAddress {
    std::string address;  ///< a literal, without a scope
    unsigned prefix = 0;  ///< prefix length in bits
    bool operator==(const HostAddress&) const = default;
};

struct RankIdentity {
    std::string host;     ///< its name
    std::string boot_id;  ///< equal: the ranks share a clock
    std::string network;  ///< equal: the ranks share all addresses, including loopback
    std::vector<HostAddress> addresses;
    bool operator==(const RankIdentity&) const = default;
};

/// The identity of this process. `processor`: MPI's name of the host. Throws: SystemError.
[[nodiscard]] RankIdentity own_identity(const std::string& processor);

template <typename Fields>
void describe(Fields& fields, As<Fields, RankIdentity>& identity);

}  // namespace groma
