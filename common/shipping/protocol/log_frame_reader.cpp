#include "common/shipping/protocol/log_frame_reader.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::size_t kFirstBuffer = 4096;

}  // namespace

LogFrameReader::LogFrameReader(std::string peer, std::size_t longest)
    : peer_(std::move(peer)), longest_(longest), buffer_(std::min(kFirstBuffer, longest + kFrameLengthBytes)) {}

void LogFrameReader::allow(std::size_t longest) {
    longest_ = longest;
}

std::optional<std::size_t> LogFrameReader::announced() const {
    if (end_ - begin_ < kFrameLengthBytes) {
        return std::nullopt;
    }
    return load_big_endian<std::uint32_t>(std::span(buffer_).subspan(begin_));
}

std::span<std::byte> LogFrameReader::space() {
    if (begin_ > 0) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
    }
    // next() has refused longer frames, so that a peer's claim does not decide the size of the buffer.
    const std::size_t needed = std::min(announced().value_or(0), longest_) + kFrameLengthBytes;
    if (buffer_.size() < needed or end_ == buffer_.size()) {
        buffer_.resize(std::max(needed, end_ + kFirstBuffer));
    }
    return std::span(buffer_).subspan(end_);
}

void LogFrameReader::filled(std::size_t bytes) {
    end_ += bytes;
    check(end_ <= buffer_.size(), "more bytes than the frame reader has space for");
}

std::optional<LogFrame> LogFrameReader::next() {
    const auto length = announced();
    if (not length) {
        return std::nullopt;
    }
    if (*length == 0 or *length > longest_) {
        throw ProtocolError(peer_, "sent a frame of " + std::to_string(*length) + " bytes, allowed are 1 to " +
                                       std::to_string(longest_) + " (is it a Groma program?)");
    }
    if (end_ - begin_ < kFrameLengthBytes + *length) {
        return std::nullopt;
    }
    const auto bytes = std::span<const std::byte>(buffer_).subspan(begin_ + kFrameLengthBytes, *length);
    begin_ += kFrameLengthBytes + *length;
    return parse_log_frame(bytes, peer_);
}

}  // namespace groma
