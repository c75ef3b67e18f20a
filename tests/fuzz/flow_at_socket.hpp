// A flow's receiver at its socket, untrusted packets, and the counts that they must give.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/wire/punch.hpp"
#include "receiver/flow_receiver.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/loopback.hpp"
#include "tests/fuzz/sequence_reference.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {

inline constexpr std::array kFlows = {FlowId{1}, FlowId{7}};
inline constexpr std::size_t kMostPackets = 200;  // a socket's buffer takes them

inline FlowSpec spec_of(Choices& choices, Transport transport) {
    FlowSpec spec;
    spec.id = kFlows[0];
    spec.transport = transport;
    spec.header = static_cast<HeaderLevel>(choices.one_in(4) ? choices.below(3) : 0);
    spec.meter = static_cast<Meter>(choices.below(2));
    if (transport == Transport::udp and choices.one_in(4)) {
        spec.header = HeaderLevel::full;
        spec.meter = Meter::one_way;
        spec.options.association = 1;
    }
    return spec;
}

/// With the header of a packet of a flow, which may be damaged, before it, or a punch.
inline std::vector<std::byte> packet_of(Choices& choices, std::size_t size) {
    std::vector<std::byte> packet(size, std::byte{0});
    if (choices.one_in(16)) {
        const PunchBytes punch = serialize_punch({});
        packet.assign(punch.begin(), punch.end());
        return packet;
    }
    const std::uint32_t seq = choices.one_in(8) ? choices.number<std::uint32_t>() : choices.below(32);
    serialize(
        PacketHeader{
            .seq = seq, .sent_at = wall_time_from_ns(choices.next()), .flow = kFlows.at(choices.one_in(4) ? 1 : 0)},
        packet, header_size(size, HeaderLevel::full));
    if (size >= kPacketHeaderSize and choices.one_in(8)) {
        packet[16 + choices.below(4)] ^= static_cast<std::byte>(choices.next());
    }
    return packet;
}

inline std::size_t packet_size_of(Choices& choices) {
    return choices.one_in(8) ? choices.next() * 8U : choices.below(64);
}

/// The counts of one flow.
struct Reference {
    SequenceReference numbers{};
    SequenceUnwrapper unwrapper{};
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unnumbered = 0;

    void take(const PacketPrefix& header, std::size_t size) {
        ++packets;
        bytes += size;
        if (header.seq) {
            (void)numbers.add(unwrapper.unwrap(*header.seq));
        } else {
            ++unnumbered;
        }
    }
    void check_same(const FlowReceiver& flow) const {
        const ReceivedFlow result = flow.result();
        const FlowCounts counts = flow.counts();
        check(result.packets == packets and result.bytes == bytes and result.duplicates == numbers.duplicates and
                  result.reordered == numbers.reordered,
              "a count is another than that of its definition");
        check(counts.packets == packets and counts.unique == packets - result.duplicates and
                  counts.missing == numbers.missing(),
              "the counts of a flow do not fit together");
    }
};

struct Accepted {
    PacketPrefix header;
    std::size_t size;
};

/// Replies are those of arrived packets, in their order, each once and of the same size.
inline void check_reply(const PacketPrefix& header, std::size_t size, std::deque<Accepted>& accepted) {
    while (not accepted.empty() and (accepted.front().size != size or accepted.front().header != header)) {
        accepted.pop_front();
    }
    check(not accepted.empty(), "a reply is that of no packet");
    accepted.pop_front();
}

/// The flow at its socket, and what it logs.
class Receiver {
public:
    explicit Receiver(const FlowSpec& spec) : spec_(spec) {
        auto inbox = open_inbox({.flow = spec.id,
                                 .transport = spec.transport,
                                 .options = spec.options,
                                 .header = spec.header,
                                 .meter = spec.meter,
                                 .bind_to = SocketAddress::from_literal("127.0.0.1", 0),
                                 .expected_peer = SocketAddress::from_literal("127.0.0.1", 0)},
                                kernel_clock());
        address_ = inbox->local_address();
        flow_ = std::make_unique<FlowReceiver>(spec, std::move(inbox));
        if (shares()) {
            FlowSpec other = spec;
            other.id = kFlows[1];
            second_ = std::make_unique<FlowReceiver>(other, *flow_);
        }
        flow_->log_to(queue_);
    }

    [[nodiscard]] bool shares() const { return spec_.options.association.has_value(); }
    [[nodiscard]] bool reflects() const { return spec_.meter == Meter::round_trip; }
    [[nodiscard]] std::uint16_t port() const { return address_.port(); }
    [[nodiscard]] FlowReceiver& flow() { return *flow_; }
    [[nodiscard]] HeaderLevel level() const { return spec_.header; }
    [[nodiscard]] InboxState state() const { return flow_->inbox().state(); }

    /// Takes all that has arrived.
    void receive() {
        loopback.settle();
        std::array<Arrival, 16> scratch{};
        while (flow_->receive(scratch) > 0) {
        }
    }

    /// Called for a packet from the inbox.
    void expect(const PacketPrefix& header, std::size_t size) {
        const FlowId flow = header.flow.value_or(kFlows[0]);
        if (flow == kFlows[0]) {
            first.take(header, size);
        } else if (shares() and flow == kFlows[1]) {
            second.take(header, size);
        } else {
            ++malformed;
            return;
        }
        accepted.push_back({header, size});
    }

    void check_all() {
        first.check_same(*flow_);
        if (second_) {
            second.check_same(*second_);
        }
        const ReceivedFlow result = flow_->result();
        check(result.foreign == foreign and result.malformed == malformed, "what is of no flow is not counted");
        check(not reflects() or result.replies + result.replies_lost == result.packets, "a packet has two fates");
        check(reflects() or result.replies + result.replies_lost == 0, "there are replies that were not asked for");
        std::array<LoggedArrival, 2 * kMostPackets> records{};
        const std::size_t count = queue_.pop(records);
        check(count == std::min<std::uint64_t>(first.packets + second.packets, queue_.capacity()),
              "a packet has no record, or two");
    }

    Loopback loopback;
    Reference first;
    Reference second;
    std::deque<Accepted> accepted;
    std::uint64_t foreign = 0;
    std::uint64_t malformed = 0;

private:
    FlowSpec spec_;
    ArrivalQueue queue_{64};
    SocketAddress address_;
    std::unique_ptr<FlowReceiver> flow_;
    std::unique_ptr<FlowReceiver> second_;
};

}  // namespace groma
