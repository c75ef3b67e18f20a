// Frames as a capture has them, and a capture file made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// "45 00 ..." as bytes.
inline std::vector<std::byte> bytes_of(std::string_view hex) {
    std::vector<std::byte> bytes;
    for (std::size_t place = 0; place + 1 < hex.size(); place += 3) {
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(place, 2)), nullptr, 16)));
    }
    return bytes;
}

inline std::vector<std::byte> joined(std::vector<std::byte> first, const std::vector<std::byte>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

inline std::vector<std::byte> ethernet(std::string_view type) {
    return joined(bytes_of("02 00 00 00 00 01 02 00 00 00 00 02"), bytes_of(type));
}

/// 10.0.0.1 to 10.0.0.2, `payload` after a header of UDP; on request 2 bytes of padding after the packet.
inline std::vector<std::byte> udp_packet(std::string_view payload) {
    const std::size_t length = 28 + payload.size();
    auto packet = bytes_of("45 00 00 00 00 01 00 00 40 11 00 00 0a 00 00 01 0a 00 00 02 13 88 13 89 00 00 00 00");
    packet[2] = static_cast<std::byte>(length >> 8U);
    packet[3] = static_cast<std::byte>(length & 0xffU);
    packet[24] = static_cast<std::byte>((length - 20) >> 8U);
    packet[25] = static_cast<std::byte>((length - 20) & 0xffU);
    for (const char c : payload) {
        packet.push_back(static_cast<std::byte>(c));
    }
    return packet;
}

/// A pcap file of microseconds with frames of this kind of link.
inline void write_capture(const std::filesystem::path& file, const std::vector<std::vector<std::byte>>& frames,
                          std::uint32_t link = 1) {
    std::ofstream out(file, std::ios::binary);
    const auto put = [&out](std::uint32_t value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const std::uint32_t value : {0xa1b2c3d4U, 0x00040002U, 0U, 0U, 65535U, link}) {
        put(value);
    }
    std::uint32_t second = 1;
    for (const auto& frame : frames) {
        const auto size = static_cast<std::uint32_t>(frame.size());
        for (const std::uint32_t value : {second++, 5U, size, size}) {
            put(value);
        }
        out.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
    }
}

}  // namespace groma
