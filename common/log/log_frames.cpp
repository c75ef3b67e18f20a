#include "common/log/log_frames.hpp"

#include <algorithm>
#include <concepts>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// These numbers are on the wire: do not renumber.
enum class FrameType : std::uint8_t {
    open = 1,
    opened = 2,
    piece = 3,
    durable = 4,
    close = 5,
    closed = 6,
    refused = 7
};

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kFirstBuffer = 4096;

class FrameWriter {
public:
    explicit FrameWriter(FrameType type) : bytes_(kLengthBytes) { number(static_cast<std::uint8_t>(type)); }

    template <std::unsigned_integral Number>
    FrameWriter& number(Number value) {
        for (std::size_t i = sizeof value; i-- > 0;) {
            bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xffU));
        }
        return *this;
    }
    FrameWriter& raw(std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    FrameWriter& text(std::string_view text) {
        check(text.size() <= 0xffff, "a text of a log frame is too long");
        number(static_cast<std::uint16_t>(text.size()));
        return raw(std::as_bytes(std::span(text)));
    }
    [[nodiscard]] std::vector<std::byte> finish() {
        const auto length = static_cast<std::uint32_t>(bytes_.size() - kLengthBytes);
        for (std::size_t i = 0; i < kLengthBytes; ++i) {
            bytes_[i] = static_cast<std::byte>((length >> (8 * (kLengthBytes - 1 - i))) & 0xffU);
        }
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

/// Reads fields one after the other; after the first that is not there everything is zero and failed() stays true.
class FieldReader {
public:
    explicit FieldReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <std::unsigned_integral Number>
    Number number() {
        Number value = 0;
        for (const std::byte byte : take(sizeof(Number))) {
            value =
                static_cast<Number>((static_cast<std::uint64_t>(value) << 8U) | std::to_integer<std::uint64_t>(byte));
        }
        return value;
    }
    std::string text() {
        const auto bytes = take(number<std::uint16_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::span<const std::byte> take(std::size_t bytes) {
        if (failed_ or bytes > rest_.size()) {
            failed_ = true;
            return {};
        }
        const auto taken = rest_.first(bytes);
        rest_ = rest_.subspan(bytes);
        return taken;
    }
    std::span<const std::byte> take_rest() { return take(rest_.size()); }
    [[nodiscard]] bool read_exactly() const { return not failed_ and rest_.empty(); }

private:
    std::span<const std::byte> rest_;
    bool failed_ = false;
};

OpenLog read_open(FieldReader& fields) {
    OpenLog open;
    open.version = fields.number<std::uint16_t>();
    const auto token = fields.take(open.token.size());
    std::ranges::copy(token, open.token.begin());
    open.experiment = fields.text();
    open.name = fields.text();
    return open;
}

CloseLog read_close(FieldReader& fields) {
    CloseLog close;
    close.pieces = fields.number<std::uint64_t>();
    close.bytes = fields.number<std::uint64_t>();
    close.hash = fields.number<std::uint64_t>();
    return close;
}

LogPiece read_piece(FieldReader& fields) {
    const auto number = fields.number<std::uint64_t>();
    return {number, fields.take_rest()};
}

LogRefused read_refused(FieldReader& fields) {
    const bool try_again = fields.number<std::uint8_t>() != 0;
    return {try_again, fields.text()};
}

std::vector<std::byte> bytes_of(const OpenLog& open) {
    return FrameWriter(FrameType::open)
        .number(open.version)
        .raw(open.token)
        .text(open.experiment)
        .text(open.name)
        .finish();
}
std::vector<std::byte> bytes_of(const LogOpened& opened) {
    return FrameWriter(FrameType::opened).number(opened.durable).finish();
}
std::vector<std::byte> bytes_of(const LogPiece& piece) {
    check(piece.bytes.size() <= kMaxPieceBytes, "a piece of a log is too long for a frame");
    return FrameWriter(FrameType::piece).number(piece.number).raw(piece.bytes).finish();
}
std::vector<std::byte> bytes_of(const LogDurable& durable) {
    return FrameWriter(FrameType::durable).number(durable.pieces).finish();
}
std::vector<std::byte> bytes_of(const CloseLog& close) {
    return FrameWriter(FrameType::close).number(close.pieces).number(close.bytes).number(close.hash).finish();
}
std::vector<std::byte> bytes_of(const LogClosed&) {
    return FrameWriter(FrameType::closed).finish();
}
std::vector<std::byte> bytes_of(const LogRefused& refused) {
    return FrameWriter(FrameType::refused)
        .number(static_cast<std::uint8_t>(refused.try_again ? 1 : 0))
        .text(refused.reason)
        .finish();
}

}  // namespace

std::vector<std::byte> serialize(const LogFrame& frame) {
    return std::visit([](const auto& each) { return bytes_of(each); }, frame);
}

LogFrame parse_log_frame(std::span<const std::byte> bytes, const std::string& peer) {
    FieldReader fields(bytes);
    const auto type = fields.number<std::uint8_t>();
    LogFrame frame;
    switch (static_cast<FrameType>(type)) {
        case FrameType::open:
            frame = read_open(fields);
            break;
        case FrameType::opened:
            frame = LogOpened{fields.number<std::uint64_t>()};
            break;
        case FrameType::piece:
            frame = read_piece(fields);
            break;
        case FrameType::durable:
            frame = LogDurable{fields.number<std::uint64_t>()};
            break;
        case FrameType::close:
            frame = read_close(fields);
            break;
        case FrameType::closed:
            frame = LogClosed{};
            break;
        case FrameType::refused:
            frame = read_refused(fields);
            break;
        default:
            throw ProtocolError(peer, "sent a frame of unknown type " + std::to_string(type));
    }
    if (not fields.read_exactly()) {
        throw ProtocolError(peer, "sent a frame of type " + std::to_string(type) + " whose length does not fit");
    }
    return frame;
}

LogFrameReader::LogFrameReader(std::string peer, std::size_t longest)
    : peer_(std::move(peer)), longest_(longest), buffer_(std::min(kFirstBuffer, longest + kLengthBytes)) {}

void LogFrameReader::allow(std::size_t longest) {
    longest_ = longest;
}

std::optional<std::size_t> LogFrameReader::announced() const {
    if (end_ - begin_ < kLengthBytes) {
        return std::nullopt;
    }
    return FieldReader(std::span(buffer_).subspan(begin_, kLengthBytes)).number<std::uint32_t>();
}

std::span<std::byte> LogFrameReader::space() {
    if (begin_ > 0) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
    }
    // next() has refused lengths beyond the limit, so that a peer's claim never decides how much memory is taken.
    const std::size_t needed = std::min(announced().value_or(0), longest_) + kLengthBytes;
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
    if (end_ - begin_ < kLengthBytes + *length) {
        return std::nullopt;
    }
    const auto bytes = std::span<const std::byte>(buffer_).subspan(begin_ + kLengthBytes, *length);
    begin_ += kLengthBytes + *length;
    return parse_log_frame(bytes, peer_);
}

}  // namespace groma
