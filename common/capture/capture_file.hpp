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

/// A captured frame, perhaps only its beginning. `bytes` are valid only during the call.
struct CapturedFrame {
    WallTime at{};
    std::size_t length = 0;  ///< of the frame on the wire
    std::span<const std::byte> bytes{};
    LinkType link = LinkType::ethernet;
};

/// Passes the frames to `take` in order, until it returns false. Throws: RunError naming the file if it cannot be read,
/// is not a capture, is damaged (after the frames before the damage; a time beyond nanoseconds of 64 bits is damage,
/// too) or has an unknown link type.
void read_capture(const std::filesystem::path& file, const std::function<bool(const CapturedFrame&)>& take);

/// The same for frames that match a filter (pcap-filter(7), "udp port 9000"; empty: all). `file` "-" is standard input.
/// Throws also: UsageError with libpcap's reason if it rejects the filter.
void read_capture(const std::filesystem::path& file, const std::string& filter,
                  const std::function<bool(const CapturedFrame&)>& take);

}  // namespace groma
