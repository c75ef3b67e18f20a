// Tests that are the same over all transports that every kernel has, and over IPv4 and IPv6.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>

#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "tests/common/net/loopback.hpp"

namespace groma::loopback {

using TransportCase = std::tuple<Transport, std::string_view>;

inline std::string name_of_way(const testing::TestParamInfo<TransportCase>& way) {
    return std::string(to_string(std::get<0>(way.param))) + (std::get<1>(way.param) == kIpv4 ? "OverIPv4" : "OverIPv6");
}

/// Skips what this host or user cannot receive.
class OverTransport : public testing::TestWithParam<TransportCase> {
protected:
    void SetUp() override {
        if (const std::string fault = receiving_error(transport(), at(host())); not fault.empty()) {
            GTEST_SKIP() << fault;
        }
    }
    static Transport transport() { return std::get<0>(GetParam()); }
    static std::string_view host() { return std::get<1>(GetParam()); }
};

inline auto every_way() {
    return testing::Combine(
        testing::Values(Transport::udp, Transport::tcp, Transport::icmp, Transport::udplite, Transport::mptcp),
        testing::Values(kIpv4, kIpv6));
}

}  // namespace groma::loopback
