// Reads capture files (pcap, pcapng) with libpcap.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "common/time/instant.hpp"
#include "common/wire/captured_packet.hpp"

namespace groma {

/// A frame as it was captured, perhaps only its beginning. `bytes` are looked at during the call only.
struct CapturedFrame {
    WallTime at{};
    std::size_t length = 0;  ///< of the frame on the wire
    std::span<const std::byte> bytes{};
    LinkType link = LinkType::ethernet;
};

/// Hands over the frames in order, until `take` returns false. Throws: RunError naming the file when it cannot be read,
/// is no capture, is damaged (the frames before were handed over), or has a kind of link that is not known.
void read_capture(const std::filesystem::path& file, const std::function<bool(const CapturedFrame&)>& take);

/// The same of frames that a filter lets through (pcap-filter(7), "udp port 9000"; empty: all). `file` "-" is standard
/// input. Throws also: UsageError when libpcap cannot follow the filter, with its reason.
void read_capture(const std::filesystem::path& file, const std::string& filter,
                  const std::function<bool(const CapturedFrame&)>& take);

}  // namespace groma
