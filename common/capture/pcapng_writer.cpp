#include "common/capture/pcapng_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/base/errors.hpp"
#include "common/wire/byte_writer.hpp"

namespace groma {

namespace {

// Block types and option codes: sections 4.1 to 4.3 of the draft. Little-endian, as the magic number states.
constexpr std::uint32_t kSection = 0x0a0d0d0a;
constexpr std::uint32_t kInterface = 1;
constexpr std::uint32_t kPacket = 6;
constexpr std::uint32_t kByteOrder = 0x1a2b3c4d;
constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};

constexpr std::uint16_t kComment = 1;
constexpr std::uint16_t kSectionProgram = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kInterfaceDescription = 3;
constexpr std::uint16_t kInterfaceResolution = 9;
constexpr std::uint16_t kPacketFlags = 2;

constexpr std::byte kNanoseconds{9};  // powers of ten
constexpr std::size_t kLongestText = 32 * 1024;
constexpr std::size_t kPiece = 64 * 1024;

}  // namespace

PcapngWriter::PcapngWriter(Sink sink, const PcapngSection& section) : sink_(std::move(sink)) {
    begin_block(kSection);
    ByteWriter out(out_);
    out.u32(kByteOrder);
    out.u16(1);  // version 1.0
    out.u16(0);
    out.u64(kUnknownLength);
    option(kSectionProgram, section.program);
    for (const std::string& comment : section.comments) {
        option(kComment, comment);
    }
    end_of_options();
    end_block();
}

std::uint32_t PcapngWriter::add_interface(const PcapngInterface& interface) {
    begin_block(kInterface);
    ByteWriter out(out_);
    // Raw IP has one number in files (LINKTYPE_RAW) and another in libpcap's interface on Linux (DLT_RAW).
    constexpr std::uint16_t kLinkRaw = 101;
    out.u16(interface.link == LinkType::raw ? kLinkRaw : static_cast<std::uint16_t>(interface.link));
    out.u16(0);
    out.u32(0);  // no limit of a packet's length
    option(kInterfaceName, interface.name);
    option(kInterfaceDescription, interface.description);
    option(kInterfaceResolution, std::span(&kNanoseconds, 1));
    for (const std::string& comment : interface.comments) {
        option(kComment, comment);
    }
    end_of_options();
    end_block();
    return interfaces_++;
}

void PcapngWriter::add(const PcapngPacket& packet) {
    check(packet.interface < interfaces_, "a packet is of an interface that was added");
    const std::int64_t at = ns_since_epoch(packet.at);
    const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(at, 0));
    begin_block(kPacket);
    ByteWriter out(out_);
    out.u32(packet.interface);
    out.u32(static_cast<std::uint32_t>(ns >> 32U));
    out.u32(static_cast<std::uint32_t>(ns));
    out.u32(static_cast<std::uint32_t>(packet.bytes.size()));
    out.u32(packet.length);
    out.bytes(packet.bytes);
    pad();
    if (packet.direction != PcapngDirection::unknown) {
        const std::array flags{static_cast<std::byte>(packet.direction), std::byte{0}, std::byte{0}, std::byte{0}};
        option(kPacketFlags, flags);
    }
    if (at < 0) {
        option(kComment, "the record says " + std::to_string(at) + " ns since 1970, which pcapng cannot express");
    }
    if (packet.direction != PcapngDirection::unknown or at < 0) {
        end_of_options();
    }
    end_block();
}

void PcapngWriter::finish() {
    sink_(out_);
    out_.clear();
}

void PcapngWriter::begin_block(std::uint32_t type) {
    block_ = out_.size();
    ByteWriter out(out_);
    out.u32(type);
    out.u32(0);  // the length, filled in by end_block()
}

void PcapngWriter::end_block() {
    const auto length = static_cast<std::uint32_t>(out_.size() - block_ + sizeof(std::uint32_t));
    for (unsigned i = 0; i < sizeof length; ++i) {
        out_[block_ + sizeof length + i] = static_cast<std::byte>(length >> (8 * i));
    }
    ByteWriter(out_).u32(length);
    if (out_.size() >= kPiece) {
        finish();
    }
}

void PcapngWriter::option(std::uint16_t code, std::span<const std::byte> value) {
    ByteWriter out(out_);
    out.u16(code);
    out.u16(static_cast<std::uint16_t>(value.size()));
    out.bytes(value);
    pad();
}

void PcapngWriter::option(std::uint16_t code, std::string_view text) {
    option(code, std::as_bytes(std::span(text.substr(0, kLongestText))));
}

void PcapngWriter::end_of_options() {
    ByteWriter(out_).u32(0);
}

/// Pads to a multiple of four bytes; blocks and options start at one.
void PcapngWriter::pad() {
    while ((out_.size() - block_) % 4 != 0) {
        out_.push_back(std::byte{0});
    }
}

}  // namespace groma
