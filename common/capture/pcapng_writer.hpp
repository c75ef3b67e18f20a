// Writes a capture file in the pcapng format (draft-ietf-opsawg-pcapng): one section, any number of interfaces, packet
// times in nanoseconds. libpcap writes only pcap, which has neither interfaces nor comments. Keeps no packets: passes
// its output on in pieces of about 64 KiB. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/time/instant.hpp"
#include "common/wire/captured_packet.hpp"

namespace groma {

/// What the file says about itself.
struct PcapngSection {
    std::string program;
    std::vector<std::string> comments;
};

struct PcapngInterface {
    std::string name;
    std::string description;
    std::vector<std::string> comments;
    /// libpcap reads a file only if all its interfaces have one link type, and only one interface if that is raw IP.
    LinkType link = LinkType::ethernet;
};

/// Which way a packet went, as seen from its interface. The values are in the file.
enum class PcapngDirection : std::uint8_t { unknown = 0, inbound = 1, outbound = 2 };

struct PcapngPacket {
    std::uint32_t interface = 0;  ///< as PcapngWriter::add_interface() numbered it
    WallTime at{};                ///< one before 1970 is written as 1970, with a comment
    PcapngDirection direction = PcapngDirection::unknown;
    std::uint32_t length = 0;            ///< on the wire
    std::span<const std::byte> bytes{};  ///< its captured beginning
};

class PcapngWriter {
public:
    /// Takes the bytes of the file, in order. May throw; the writer is then unusable.
    using Sink = std::function<void(std::span<const std::byte>)>;

    PcapngWriter(Sink sink, const PcapngSection& section);

    /// Returns: the interface's number. Cuts texts longer than 32 KiB.
    [[nodiscard]] std::uint32_t add_interface(const PcapngInterface& interface);

    /// Requires: the interface was added; length >= bytes.size(), and both below 2^31.
    void add(const PcapngPacket& packet);

    /// Passes on the remaining bytes.
    void finish();

private:
    void begin_block(std::uint32_t type);
    void end_block();
    void option(std::uint16_t code, std::span<const std::byte> value);
    void option(std::uint16_t code, std::string_view text);
    void end_of_options();
    void pad();

    Sink sink_;
    std::vector<std::byte> out_;
    std::size_t block_ = 0;  ///< where the current block begins in out_
    std::uint32_t interfaces_ = 0;
};

}  // namespace groma
