// Code that the socket tests share: flows over the loopback interface, on ports that the kernel chooses.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma::loopback {

inline constexpr FlowId kFlow{7};
inline constexpr std::string_view kIpv4 = "127.0.0.1";
inline constexpr std::string_view kIpv6 = "::1";
/// Ends a test that would hang; no step should take any time.
inline constexpr int kGiveUpMs = 60'000;
inline constexpr Nanos kPlenty = std::chrono::seconds(60);

inline SocketAddress at(std::string_view host, std::uint16_t port = 0) {
    return SocketAddress::from_literal(host, port);
}

inline InboxSpec inbox_spec(Transport transport, std::string_view host = kIpv4) {
    return {.flow = kFlow,
            .transport = transport,
            .options = {},
            .header = HeaderLevel::full,
            .bind_to = at(host),
            .expected_peer = at(host)};
}

/// Frames of packets with numbers from 0 on, whose bytes outlive them.
class FrameMaker {
public:
    explicit FrameMaker(Transport transport, FlowId flow = kFlow, const PacketFormat& format = HeaderLevel::full)
        : transport_(transport), flow_(flow), format_(format) {}

    Frame next(std::size_t size) {
        Frame frame;
        const PacketHeader header{.seq = seq_, .sent_at = sent_at(seq_), .flow = flow_};
        frame.header_bytes = static_cast<std::uint8_t>(format_.write(header, room_in(transport_, size), frame.header));
        ++seq_;
        frame.rest = std::span(filler_).first(size - frame.header_bytes);
        return frame;
    }

    std::vector<Frame> next(std::size_t count, std::size_t size) {
        std::vector<Frame> frames;
        for (std::size_t i = 0; i < count; ++i) {
            frames.push_back(next(size));
        }
        return frames;
    }

    static WallTime sent_at(std::uint32_t seq) { return wall_time_from_ns(1'700'000'000'000'000'000 + seq); }

private:
    Transport transport_;
    FlowId flow_;
    PacketFormat format_;
    std::uint32_t seq_ = 0;
    std::vector<std::byte> filler_ = std::vector<std::byte>(kMaxStreamFrame, std::byte{0x5A});
};

/// Returns: false if the descriptor had no event for a very long time.
inline bool wait_for(int fd, short events) {
    pollfd entry{.fd = fd, .events = events, .revents = 0};
    return ::poll(&entry, 1, kGiveUpMs) == 1;
}

/// Drains, `room` packets at a time, until `count` packets are there (or the inbox has ended).
inline std::vector<Arrival> receive(Inbox& inbox, std::size_t count, std::size_t room = 100) {
    std::vector<Arrival> arrivals;
    std::vector<Arrival> out(room);
    while (arrivals.size() < count) {
        const std::size_t got = inbox.drain(out);
        arrivals.insert(arrivals.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(got));
        if (got == 0 and (inbox.state() != InboxState::open or not wait_for(inbox.fd(), POLLIN))) {
            break;
        }
    }
    return arrivals;
}

/// Drains until the stream is over and returns the packets that came before.
inline std::vector<Arrival> receive_to_the_end(Inbox& inbox) {
    return receive(inbox, SIZE_MAX);
}

/// Drains once after an arrival, for data that is not a packet of the flow.
inline std::size_t drain_once(Inbox& inbox) {
    EXPECT_TRUE(wait_for(inbox.fd(), POLLIN));
    std::array<Arrival, 16> out{};
    return inbox.drain(out);
}

}  // namespace groma::loopback
