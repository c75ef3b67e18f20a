#include "common/net/socket/networks.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr unsigned kAllBits = 128;
constexpr unsigned kBitsBeforeIpv4 = 96;
constexpr std::size_t kMostNetworks = 64;
constexpr std::size_t kShown = 100;

/// Empty: it is none.
std::optional<Network> network_of(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto address = SocketAddress::parse_literal(text.substr(0, slash));
    if (not address or text.find('%') != std::string_view::npos) {
        return std::nullopt;
    }
    Network network{.base = address->host_key(), .bits = kAllBits, .text = address->host_to_string()};
    if (slash == std::string_view::npos) {
        return network;
    }
    const std::string_view digits = text.substr(slash + 1);
    const unsigned before = address->is_ipv4() ? kBitsBeforeIpv4 : 0;
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc{} or end != digits.data() + digits.size() or bits > kAllBits - before) {
        return std::nullopt;
    }
    network.bits = before + bits;
    network.text.append("/").append(std::to_string(bits));
    return network;
}

}  // namespace

bool Network::contains(const SocketAddress& address) const noexcept {
    const HostKey host = address.host_key();
    const bool ipv4 = address.is_ipv4();
    const unsigned least = (ipv4 ? kBitsBeforeIpv4 : 0) + (address.is_multicast() ? (ipv4 ? 4U : 8U) : 0);
    const std::size_t whole = bits / 8;
    if (bits < least or not std::equal(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(whole), host.begin())) {
        return false;
    }
    const unsigned rest = bits % 8;
    return rest == 0 or ((base[whole] ^ host[whole]) >> (8 - rest)) == 0;
}

bool Networks::contain(const SocketAddress& address) const noexcept {
    return std::ranges::any_of(all, [&address](const Network& network) { return network.contains(address); });
}

Networks parse_networks(std::string_view text, char between) {
    Networks networks;
    while (true) {
        const std::string_view one = text.substr(0, text.find(between));
        const auto network = network_of(one);
        if (not network or networks.all.size() == kMostNetworks) {
            throw UsageError("'" + plain_text(one, kShown) + "' is no network: give up to " +
                             std::to_string(kMostNetworks) + " such as 10.0.0.0/8, fd00::/8 or 10.0.0.2, with '" +
                             between + "' between them");
        }
        networks.all.push_back(*network);
        if (one.size() == text.size()) {
            return networks;
        }
        text.remove_prefix(one.size() + 1);
    }
}

std::string to_string(const Networks& networks, char between) {
    std::string text;
    for (const Network& network : networks.all) {
        if (not text.empty()) {
            text += between;
        }
        text += network.text;
    }
    return text;
}

}  // namespace groma
