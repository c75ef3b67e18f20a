// Untrusted streams: however they are cut into pieces, the same frames come out. The first byte chooses the direction
// and how much of the header the flow carries, the second the size of the pieces; the rest is the stream.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/base/errors.hpp"
#include "common/wire/stream_frame.hpp"

using namespace groma;

namespace {

constexpr std::array kLevels = {HeaderLevel::full, HeaderLevel::sequence, HeaderLevel::none};

struct Parsed {
    std::vector<StreamFrame> frames;
    bool failed = false;
    bool within_frame = false;

    bool operator==(const Parsed&) const = default;
};

struct Kind {
    HeaderLevel level;
    PacketKind way;
};

Parsed parse_in_pieces(std::span<const std::byte> stream, Kind kind, std::size_t piece_size) {
    StreamFrameParser parser(kind.level, kind.way);
    Parsed parsed;
    while (not stream.empty()) {
        auto piece = stream.first(std::min(piece_size, stream.size()));
        stream = stream.subspan(piece.size());
        while (const auto frame = parser.next(piece)) {
            parsed.frames.push_back(*frame);
        }
        check(parser.failed() or piece.empty(), "bytes of a good stream were left");
    }
    parsed.failed = parser.failed();
    parsed.within_frame = parser.within_frame();
    return parsed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) {
        return 0;
    }
    const Kind kind{kLevels[data[0] % kLevels.size()], data[0] < 0x80 ? PacketKind::packet : PacketKind::reply};
    const auto stream = std::as_bytes(std::span(data, size)).subspan(2);
    const Parsed whole = parse_in_pieces(stream, kind, stream.size());
    check(whole == parse_in_pieces(stream, kind, std::size_t{data[1]} + 1), "pieces changed the frames");
    std::size_t bytes = 0;
    for (const StreamFrame& frame : whole.frames) {
        bytes += frame.size;
    }
    check(bytes <= stream.size(), "frames of more bytes than came");
    check(whole.failed or whole.within_frame or bytes == stream.size(), "bytes that belong to no frame");
    return 0;
}
