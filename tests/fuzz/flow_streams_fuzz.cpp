// A byte stream of any bytes, cut anywhere, at the socket of a flow. A receiver takes its frames, counts each by the
// definitions of its counts, has records of packets only, reports how the stream ended, and sends back only frames of
// arrived packets.
#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/wire/stream_frame.hpp"
#include "tests/fuzz/flow_at_socket.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Bytes = std::vector<std::byte>;
using boost::system::error_code;

const asio::ip::address kHost = asio::ip::make_address("127.0.0.1");
const asio::ip::address kStranger = asio::ip::make_address("127.0.0.2");

/// A connection, and all bytes that were written to it.
class Writer {
public:
    /// `reads`: reads replies as they come; otherwise after all is written, so that they wait or find no room.
    Writer(Receiver& receiver, bool reads) : receiver_(receiver), reads_(reads) {
        socket_.open(tcp::v4());
        socket_.set_option(asio::socket_base::receive_buffer_size(1 << 16));
        socket_.connect({kHost, receiver.port()});
        socket_.non_blocking(true);
        socket_.set_option(tcp::no_delay(true));
    }

    void write(std::span<const std::byte> bytes) {
        error_code error;
        while (not bytes.empty() and receiver_.state() == InboxState::open) {
            const std::size_t written = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
            written_.insert(written_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(written));
            bytes = bytes.subspan(written);
            receiver_.receive();
            if (reads_) {
                read_replies();
            }
        }
    }
    void finish() {
        error_code gone;
        socket_.shutdown(tcp::socket::shutdown_send, gone);
        while (receiver_.state() == InboxState::open or receiver_.flow().inbox().holding()) {
            receiver_.receive();
            read_replies();
        }
        expect_frames();
        check_replies();
    }

private:
    void read_replies() {
        std::array<std::byte, 65536> piece{};
        error_code none;
        while (const std::size_t count = socket_.read_some(asio::buffer(piece), none)) {
            replies_.insert(replies_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
        }
    }
    void expect_frames() {
        StreamFrameParser parser(receiver_.level());
        std::span<const std::byte> rest = written_;
        while (const auto frame = parser.next(rest)) {
            if (frame->header) {
                receiver_.expect(*frame->header, frame->size);
            } else {
                ++receiver_.malformed;
            }
        }
        receiver_.malformed += parser.failed() ? 1 : 0;
        const bool broken = parser.failed() or parser.within_frame();
        check((receiver_.state() == InboxState::broken) == broken, "a stream ends in another way than it did");
    }
    void check_replies() {
        check(replies_.size() <= written_.size(), "more is sent back than came");
        StreamFrameParser parser(receiver_.level(), PacketKind::reply);
        std::span<const std::byte> rest = replies_;
        std::uint64_t count = 0;
        for (; const auto frame = parser.next(rest); ++count) {
            check(frame->header.has_value(), "a reply is not marked as one");
            check_reply(*frame->header, frame->size, receiver_.accepted);
        }
        check(not parser.failed() and count <= receiver_.flow().result().packets, "replies are no frames");
    }

    Receiver& receiver_;
    bool reads_;
    asio::io_context io_{1};
    tcp::socket socket_{io_};
    Bytes written_;
    Bytes replies_;
};

Bytes piece_of(Choices& choices) {
    if (choices.one_in(16)) {
        const std::string text = choices.text();
        const auto bytes = std::as_bytes(std::span(text));
        return {bytes.begin(), bytes.end()};
    }
    const std::size_t size = 1 + (choices.one_in(8) ? choices.next() * 1024U : packet_size_of(choices));
    Bytes frame(kMaxStreamLengthBytes);
    const std::size_t length = serialize_stream_length(size, std::span(frame).first<kMaxStreamLengthBytes>());
    frame.resize(length);
    const Bytes packet = packet_of(choices, size - length);
    frame.insert(frame.end(), packet.begin(), packet.end());
    return frame;
}

void look_at_stream(Choices& choices) {
    Receiver receiver(spec_of(choices, Transport::tcp));
    asio::io_context io{1};
    tcp::socket stranger(io);
    if (choices.one_in(8)) {
        stranger.open(tcp::v4());
        stranger.bind({kStranger, 0});
        stranger.connect({kHost, receiver.port()});
        ++receiver.foreign;
    }
    Writer writer(receiver, choices.one_in(2));
    Bytes held;  // pieces that are written together
    while (choices.more()) {
        const Bytes piece = piece_of(choices);
        held.insert(held.end(), piece.begin(), piece.end());
        const std::size_t kept = choices.one_in(4) ? std::min<std::size_t>(choices.next(), held.size()) : 0;
        writer.write(std::span(held).first(held.size() - kept));
        held.erase(held.begin(), held.end() - static_cast<std::ptrdiff_t>(kept));
    }
    writer.write(held);
    writer.finish();
    receiver.check_all();
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 400;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::look_at_stream(choices);
    return 0;
}
