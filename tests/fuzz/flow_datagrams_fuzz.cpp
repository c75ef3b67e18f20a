// Datagrams of any bytes at the socket of a flow, from the flow's host and from strangers. A receiver counts each
// packet once, by the definitions of its counts, and has records of packets only. It sends packets of the flow's own
// host back, in their size, only to the source of the first packet.
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/wire/reply.hpp"
#include "tests/fuzz/flow_at_socket.hpp"

namespace groma {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kLongestPacket = 255 * 8;

namespace asio = boost::asio;
using boost::system::error_code;

const asio::ip::address kHost = asio::ip::make_address("127.0.0.1");
const asio::ip::address kStranger = asio::ip::make_address("127.0.0.2");

void expect_datagram(Receiver& receiver, const Bytes& datagram) {
    if (parse_punch(datagram)) {
        return;
    }
    const auto header = parse_packet(datagram, receiver.level());
    if (not header or (receiver.shares() and not header->flow)) {
        ++receiver.malformed;
        return;
    }
    receiver.expect(*header, datagram.size());
}

void look_at_datagrams(Choices& choices) {
    static asio::io_context io{1};
    using asio::ip::udp;
    Receiver receiver(spec_of(choices, Transport::udp));
    std::array<udp::socket, 3> sources{udp::socket(io, {kHost, 0}), udp::socket(io, {kHost, 0}),
                                       udp::socket(io, {kStranger, 0})};
    std::optional<std::size_t> first;  // source of the first packet
    for (std::size_t count = 0; choices.more() and count < kMostPackets; ++count) {
        const std::size_t source = choices.below(16) / 7;
        const Bytes datagram = packet_of(choices, packet_size_of(choices));
        const std::size_t before = receiver.accepted.size();
        sources.at(source).send_to(asio::buffer(datagram), {kHost, receiver.port()});
        if (source == 2) {
            ++receiver.foreign;
        } else {
            expect_datagram(receiver, datagram);
        }
        first = first or receiver.accepted.size() == before ? first : source;
        if (choices.one_in(8)) {
            receiver.receive();
        }
    }
    receiver.receive();
    receiver.loopback.settle();
    std::uint64_t replies = 0;
    for (std::size_t source = 0; source < sources.size(); ++source) {
        Bytes reply(kLongestPacket + 1);
        error_code none;
        sources.at(source).non_blocking(true);
        for (std::size_t size = 0; size = sources.at(source).receive(asio::buffer(reply), 0, none), not none;) {
            check(source == first and receiver.reflects(), "a reply goes to somebody else");
            const auto parsed = parse_reply(std::span(reply).first(size), receiver.level());
            check(parsed.has_value(), "a reply is not marked as one");
            check_reply(parsed->header, size, receiver.accepted);
            ++replies;
        }
    }
    check(replies == receiver.flow().result().replies, "replies are counted that did not go");
    receiver.check_all();
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 1000;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::look_at_datagrams(choices);
    return 0;
}
