#include "common/shipping/protocol/log_frames.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

// These numbers are on the wire: do not renumber.
enum class FrameType : std::uint8_t {
    hello = 1,
    welcome = 2,
    open = 3,
    opened = 4,
    piece = 5,
    durable = 6,
    close = 7,
    give_up = 8,
    closed = 9,
    refused = 10,
    hold = 11,
    go_on = 12
};

class FrameWriter {
public:
    explicit FrameWriter(FrameType type) : bytes_(kFrameLengthBytes + 1) {
        bytes_.back() = static_cast<std::byte>(type);
    }

    template <std::unsigned_integral Number>
    FrameWriter& number(Number value) {
        std::array<std::byte, sizeof value> bytes{};
        store_big_endian(bytes, value);
        return raw(bytes);
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
        store_big_endian(bytes_, static_cast<std::uint32_t>(bytes_.size() - kFrameLengthBytes));
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

/// Reads fields in order. After the first missing one all fields are zero and failed() stays true.
class FieldReader {
public:
    explicit FieldReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <std::unsigned_integral Number>
    Number number() {
        const auto bytes = take(sizeof(Number));
        return bytes.empty() ? Number{0} : load_big_endian<Number>(bytes);
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

ShipperHello read_hello(FieldReader& fields) {
    const auto version = fields.number<std::uint16_t>();
    return {version, fields.text()};
}

OpenLog read_open(FieldReader& fields) {
    OpenLog open;
    open.log = fields.number<LogNumber>();
    const auto token = fields.take(open.token.size());
    std::ranges::copy(token, open.token.begin());
    open.experiment = fields.text();
    open.name = fields.text();
    return open;
}

/// Reads a frame of a log's number and a number of pieces.
template <typename Frame>
Frame read_count(FieldReader& fields) {
    const auto log = fields.number<LogNumber>();
    return {log, fields.number<std::uint64_t>()};
}

CloseLog read_close(FieldReader& fields) {
    CloseLog close;
    close.log = fields.number<LogNumber>();
    close.pieces = fields.number<std::uint64_t>();
    close.bytes = fields.number<std::uint64_t>();
    close.hash = fields.number<std::uint64_t>();
    return close;
}

GiveUpLog read_give_up(FieldReader& fields) {
    GiveUpLog give_up;
    give_up.log = fields.number<LogNumber>();
    give_up.pieces = fields.number<std::uint64_t>();
    give_up.reason = fields.text();
    return give_up;
}

LogPiece read_piece(FieldReader& fields) {
    LogPiece piece;
    piece.log = fields.number<LogNumber>();
    piece.number = fields.number<std::uint64_t>();
    piece.bytes = fields.take_rest();
    return piece;
}

LogRefused read_refused(FieldReader& fields) {
    LogRefused refused;
    refused.log = fields.number<LogNumber>();
    refused.try_again = fields.number<std::uint8_t>() != 0;
    refused.reason = fields.text();
    return refused;
}

LogHold read_hold(FieldReader& fields) {
    const auto log = fields.number<LogNumber>();
    return {log, fields.text()};
}

std::vector<std::byte> bytes_of(const ShipperHello& hello) {
    return FrameWriter(FrameType::hello).number(hello.version).text(hello.node).finish();
}
std::vector<std::byte> bytes_of(const ServerWelcome& welcome) {
    return FrameWriter(FrameType::welcome).number(welcome.version).finish();
}
std::vector<std::byte> bytes_of(const OpenLog& open) {
    return FrameWriter(FrameType::open).number(open.log).raw(open.token).text(open.experiment).text(open.name).finish();
}
std::vector<std::byte> bytes_of(const LogOpened& opened) {
    return FrameWriter(FrameType::opened).number(opened.log).number(opened.pieces).finish();
}
std::vector<std::byte> bytes_of(const LogPiece& piece) {
    check(piece.bytes.size() <= kMaxPieceBytes, "a piece of a log is too long for a frame");
    return FrameWriter(FrameType::piece).number(piece.log).number(piece.number).raw(piece.bytes).finish();
}
std::vector<std::byte> bytes_of(const LogDurable& durable) {
    return FrameWriter(FrameType::durable).number(durable.log).number(durable.pieces).finish();
}
std::vector<std::byte> bytes_of(const CloseLog& close) {
    return FrameWriter(FrameType::close)
        .number(close.log)
        .number(close.pieces)
        .number(close.bytes)
        .number(close.hash)
        .finish();
}
std::vector<std::byte> bytes_of(const GiveUpLog& give_up) {
    return FrameWriter(FrameType::give_up).number(give_up.log).number(give_up.pieces).text(give_up.reason).finish();
}
std::vector<std::byte> bytes_of(const LogClosed& closed) {
    return FrameWriter(FrameType::closed).number(closed.log).finish();
}
std::vector<std::byte> bytes_of(const LogRefused& refused) {
    return FrameWriter(FrameType::refused)
        .number(refused.log)
        .number(static_cast<std::uint8_t>(refused.try_again ? 1 : 0))
        .text(refused.reason)
        .finish();
}
std::vector<std::byte> bytes_of(const LogHold& hold) {
    return FrameWriter(FrameType::hold).number(hold.log).text(hold.reason).finish();
}
std::vector<std::byte> bytes_of(const LogGoOn& go_on) {
    return FrameWriter(FrameType::go_on).number(go_on.log).number(go_on.pieces).finish();
}

/// Returns: the frame of this type; empty for an unknown type.
std::optional<LogFrame> read_frame(FrameType type, FieldReader& fields) {
    switch (type) {
        case FrameType::hello:
            return read_hello(fields);
        case FrameType::welcome:
            return ServerWelcome{fields.number<std::uint16_t>()};
        case FrameType::open:
            return read_open(fields);
        case FrameType::opened:
            return read_count<LogOpened>(fields);
        case FrameType::piece:
            return read_piece(fields);
        case FrameType::durable:
            return read_count<LogDurable>(fields);
        case FrameType::close:
            return read_close(fields);
        case FrameType::give_up:
            return read_give_up(fields);
        case FrameType::closed:
            return LogClosed{fields.number<LogNumber>()};
        case FrameType::refused:
            return read_refused(fields);
        case FrameType::hold:
            return read_hold(fields);
        case FrameType::go_on:
            return read_count<LogGoOn>(fields);
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::byte> serialize(const LogFrame& frame) {
    return std::visit([](const auto& each) { return bytes_of(each); }, frame);
}

LogFrame parse_log_frame(std::span<const std::byte> bytes, const std::string& peer) {
    FieldReader fields(bytes);
    const auto type = fields.number<std::uint8_t>();
    auto frame = read_frame(static_cast<FrameType>(type), fields);
    if (not frame) {
        throw ProtocolError(peer, "sent a frame of unknown type " + std::to_string(type));
    }
    if (not fields.read_exactly()) {
        throw ProtocolError(peer, "sent a frame of type " + std::to_string(type) + " whose length does not fit");
    }
    return *std::move(frame);
}

}  // namespace groma
