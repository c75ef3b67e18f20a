#include "decoder/analysis/header_rates.hpp"

#include <algorithm>

#include "common/base/counted.hpp"

namespace groma {

namespace {

constexpr std::uint32_t kIpv4 = 20;
constexpr std::uint32_t kIpv6 = 40;
constexpr std::int64_t kUsualMtu = 1500;
/// Preamble and start of frame 8, header 14, check sequence 4, gap 12 (IEEE 802.3).
constexpr std::uint64_t kAroundIpPacket = 38;
constexpr std::int64_t kSmallestIpPacketOfFrame = 46;  // shorter ones are filled up

std::optional<std::uint32_t> ip_header(std::string_view address) {
    const auto colons = std::ranges::count(address, ':');
    const bool dotted = address.find('.') != std::string_view::npos;
    if (colons >= 2) {
        return address.find("::ffff:") != std::string_view::npos and dotted ? kIpv4 : kIpv6;
    }
    return dotted ? std::optional(kIpv4) : std::nullopt;
}

/// Bytes that fill small packets up to the smallest frame. Sizes below 256 bytes have bins of their own.
std::uint64_t padding(const Spread& sizes, std::uint32_t headers) {
    std::uint64_t bytes = 0;
    for (const auto& bin : sizes.bins()) {
        const std::int64_t packet = bin.low + headers;
        bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(kSmallestIpPacketOfFrame - packet, 0)) * bin.count;
    }
    return bytes;
}

}  // namespace

std::optional<std::uint32_t> header_bytes(Transport transport, std::string_view address) {
    if (traits(transport).connects) {
        return std::nullopt;
    }
    const auto ip = ip_header(address);
    return ip ? std::optional(*ip + traits(transport).header_bytes) : std::nullopt;
}

void add_header_rates(Transport transport, std::string_view address, ReceivedFigures& received) {
    if (received.records_missing > 0) {
        received.headers_unknown_because = "the sizes of " + counted(received.records_missing, "packet") +
                                           " are unknown, because their records are not in the log";
        return;
    }
    const auto headers = header_bytes(transport, address);
    if (not headers) {
        received.headers_unknown_because =
            "which packets " + std::string(traits(transport).title) + " made of the payload is not in the log";
        return;
    }
    if (received.sizes.max + *headers > kUsualMtu) {
        received.headers_unknown_because = "packets are larger than " + std::to_string(kUsualMtu) +
                                           " bytes, and how they were split is not in the log";
        return;
    }
    received.ip_bytes = received.bytes + received.packets * *headers;
    received.ethernet_bytes =
        *received.ip_bytes + received.packets * kAroundIpPacket + padding(received.sizes, *headers);
}

}  // namespace groma
