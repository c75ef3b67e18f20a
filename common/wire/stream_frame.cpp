#include "common/wire/stream_frame.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr unsigned kBitsPerByte = 7;
constexpr std::uint32_t kMore = 0x80;

}  // namespace

std::size_t serialize_stream_length(std::size_t n, std::span<std::byte, kMaxStreamLengthBytes> out) noexcept {
    const std::size_t count = stream_length_bytes(n);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t more = i + 1 < count ? kMore : 0;
        out[i] = static_cast<std::byte>((n & (kMore - 1)) | more);
        n >>= kBitsPerByte;
    }
    return count;
}

std::optional<StreamFrame> StreamFrameParser::next(std::span<const std::byte>& piece) noexcept {
    take_length(piece);
    if (failed_ or not length_known_) {
        return std::nullopt;
    }
    take_header(piece);
    const std::size_t filler = std::min(left_, piece.size());
    piece = piece.subspan(filler);
    left_ -= filler;
    if (left_ > 0) {
        return std::nullopt;
    }
    return finish_frame();
}

void StreamFrameParser::take_length(std::span<const std::byte>& piece) noexcept {
    while (not length_known_ and not failed_ and not piece.empty()) {
        take_length_byte(std::to_integer<std::uint32_t>(piece.front()));
        piece = piece.subspan(1);
    }
}

void StreamFrameParser::take_length_byte(std::uint32_t byte) noexcept {
    size_ |= (byte & (kMore - 1)) << (kBitsPerByte * static_cast<unsigned>(length_bytes_));
    ++length_bytes_;
    if ((byte & kMore) != 0) {
        failed_ = length_bytes_ == kMaxStreamLengthBytes;
        return;
    }
    if (size_ == 0 or size_ > kMaxStreamFrame or stream_length_bytes(size_) != length_bytes_) {
        failed_ = true;
        return;
    }
    length_known_ = true;
    left_ = size_ - length_bytes_;
}

void StreamFrameParser::take_header(std::span<const std::byte>& piece) noexcept {
    const std::size_t wanted = wanted_header() - header_have_;
    const std::size_t count = std::min(wanted, piece.size());
    std::copy_n(piece.begin(), count, header_.begin() + static_cast<std::ptrdiff_t>(header_have_));
    header_have_ += count;
    left_ -= count;
    piece = piece.subspan(count);
}

std::size_t StreamFrameParser::wanted_header() const noexcept {
    return format_.start_size(size_ - stream_length_bytes(size_), kind_);
}

StreamFrame StreamFrameParser::finish_frame() noexcept {
    const auto start = std::span(header_).first(header_have_);
    StreamFrame frame{.size = size_, .header = std::nullopt};
    const ReadPacket read = format_.read(start, size_ - stream_length_bytes(size_), kind_);
    frame.forged = read.forged;
    if (read.packet) {
        frame.header = read.packet->header;
        frame.stamps = read.packet->stamps;
    }
    length_known_ = false;
    length_bytes_ = 0;
    size_ = 0;
    header_have_ = 0;
    return frame;
}

}  // namespace groma
