// A channel that keeps its packets, in virtual time, and behaves as a test says.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/time/manual_clock.hpp"
#include "common/wire/packet_header.hpp"
#include "sender/engine/payload.hpp"

namespace groma {

/// A frame as it was sent.
struct FakePacket {
    MonoTime at{};
    MonoTime departs{};  ///< as given to the channel
    std::size_t size = 0;
    std::size_t batch = 0;
    PacketPrefix header;
};

/// The state that a test reads; outlives the channel, which belongs to the flow.
struct FakeWire {
    std::vector<FakePacket> packets;
    std::vector<std::size_t> calls;      ///< frames offered in each send call
    std::deque<SendOutcome> answers;     ///< of the next calls, before all else; `sent` frames are taken
    MonoTime writable_at{};              ///< until then every call would block
    Nanos cost{0};                       ///< of each call, in virtual time
    std::function<void()> on_send;       ///< called first
    MonoTime empty_at{};                 ///< until then packets are in a queue of the host
    bool holding = false;                ///< cleared by a call that does not block
    bool flushes = true;                 ///< what finish() returns while holding
    std::optional<PathMtu> path;         ///< what path() returns
    std::optional<Nanos> rtt;            ///< what sample() has; nothing: it has no state
    std::optional<HeldDepartures> held;  ///< what held_departures() returns
    std::vector<std::size_t> unsent;     ///< the limits of what may wait unsent
    std::optional<Nanos> finished_in;    ///< the limit of finish(), once it was called
    std::optional<Nanos> answers_after;  ///< nothing: no packet gets a reply
    std::set<std::uint32_t> unanswered;  ///< nor do these
    std::deque<Arrival> replies;         ///< on their way, each with the wall time at which it comes
    bool closed = false;                 ///< by the peer
    ConnectionCounts connections;        ///< what connections() returns
    bool floods = false;                 ///< the peer replies to what was never sent, more than can be taken
};

/// The replies of a wire.
class FakeReplies final : public Inbox {
public:
    FakeReplies(FakeWire& wire, ManualClock& clock) : wire_(wire), clock_(clock) {}

    std::size_t drain(std::span<Arrival> out) noexcept override {
        std::size_t count = 0;
        if (wire_.floods) {
            clock_.advance(Nanos{1000});
            std::ranges::fill(out, Arrival{.received_at = clock_.wall_now(),
                                           .header = {.seq = 1U << 31U, .sent_at = {}, .flow = {}},
                                           .size = 100});
            return out.size();
        }
        for (; count < out.size() and not wire_.replies.empty() and
               wire_.replies.front().received_at <= clock_.wall_now();
             ++count) {
            out[count] = wire_.replies.front();
            wire_.replies.pop_front();
        }
        return count;
    }
    InboxState state() const noexcept override { return wire_.closed ? InboxState::ended : InboxState::open; }
    const InboxCounts& counts() const noexcept override { return counts_; }
    std::string_view timestamps() const noexcept override { return "user"; }
    int fd() const noexcept override { return -1; }
    SocketAddress local_address() const override { return {}; }
    SocketAddress remote_address() const override { return {}; }

private:
    FakeWire& wire_;
    ManualClock& clock_;
    InboxCounts counts_;
};

class FakeChannel final : public Channel {
public:
    FakeChannel(FakeWire& wire, ManualClock& clock, int fd = -1) : wire_(wire), clock_(clock), fd_(fd) {}

    SendOutcome send(std::span<const Frame> frames) noexcept override {
        if (wire_.on_send) {
            wire_.on_send();
        }
        wire_.calls.push_back(frames.size());
        const SendOutcome outcome = answer(frames.size());
        for (std::size_t i = 0; i < outcome.sent; ++i) {
            keep(frames[i], outcome.sent);
        }
        clock_.advance(wire_.cost);
        return outcome;
    }

    bool holding() const noexcept override { return wire_.holding; }
    bool in_queue() const noexcept override { return clock_.now() < wire_.empty_at; }
    bool finish(Nanos limit) noexcept override {
        wire_.finished_in = limit;
        return not wire_.holding or wire_.flushes;
    }
    std::optional<HeldDepartures> held_departures() const override { return wire_.held; }
    ConnectionCounts connections() const noexcept override { return wire_.connections; }
    void limit_unsent(std::size_t bytes) noexcept override { wire_.unsent.push_back(bytes); }
    std::optional<ConnectionSample> sample() const noexcept override {
        return wire_.rtt ? std::optional(ConnectionSample{.rtt = wire_.rtt}) : std::nullopt;
    }
    std::optional<PathMtu> path() const noexcept override { return wire_.path; }
    int fd() const noexcept override { return fd_; }
    SocketAddress local_address() const override { return SocketAddress::from_literal("10.0.0.1", 40000); }
    SocketAddress remote_address() const override { return SocketAddress::from_literal("10.0.0.2", 9001); }
    std::unique_ptr<Inbox> open_replies(const ReplySpec& /*spec*/, Clock& /*clock*/) override {
        return wire_.answers_after ? std::make_unique<FakeReplies>(wire_, clock_) : nullptr;
    }

private:
    SendOutcome answer(std::size_t frames) noexcept {
        if (not wire_.answers.empty()) {
            const SendOutcome outcome = wire_.answers.front();
            wire_.answers.pop_front();
            return outcome;
        }
        if (clock_.now() < wire_.writable_at) {
            return {.sent = 0, .status = SendStatus::would_block};
        }
        wire_.holding = false;
        return {.sent = frames};
    }

    void keep(const Frame& frame, std::size_t batch) {
        std::vector<std::byte> bytes(frame.header.begin(), frame.header.begin() + frame.header_bytes);
        bytes.insert(bytes.end(), frame.rest.begin(), frame.rest.end());
        const HeaderLevel level = frame.header_bytes == 4 ? HeaderLevel::sequence : HeaderLevel::full;
        wire_.packets.push_back({.at = clock_.now(),
                                 .departs = frame.departs,
                                 .size = bytes.size(),
                                 .batch = batch,
                                 .header = parse_packet(bytes, level).value_or(PacketPrefix{})});
        const PacketPrefix& header = wire_.packets.back().header;
        if (wire_.answers_after and not wire_.unanswered.contains(header.seq.value_or(0))) {
            wire_.replies.push_back({.received_at = clock_.wall_now() + *wire_.answers_after,
                                     .header = header,
                                     .size = static_cast<std::uint32_t>(bytes.size())});
        }
    }

    FakeWire& wire_;
    ManualClock& clock_;
    int fd_;
};

/// For packets of any size.
inline const Payload& any_payload() {
    static const Payload payload("", std::size_t{1} << 20U);
    return payload;
}

/// A UDP flow of `packets` packets of 100 bytes, a millisecond apart.
inline FlowSpec steady_flow(std::uint32_t id, std::uint64_t packets, Nanos gap = Nanos{1'000'000}) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.name = "steady-" + std::to_string(id);
    spec.idt = Constant{static_cast<double>(gap.count())};
    spec.size = Constant{100};
    spec.stop.packets = packets;
    return spec;
}

}  // namespace groma
