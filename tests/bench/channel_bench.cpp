// The cost of packets with the kernel: one thread sends and receives them over the loopback interface, alone and 64 at
// a time. The kernel's path from one socket to the other is part of sending.
#include <benchmark/benchmark.h>
#include <poll.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/os/system_clock.hpp"
#include "common/wire/stream_frame.hpp"
#include "tests/kernel_clock.hpp"

namespace {

using namespace groma;  // a program of one file

enum class Timed : std::uint8_t { sending, receiving };

constexpr FlowId kFlow{1};

/// A channel and the inbox that it leads to.
struct Loop {
    explicit Loop(Transport transport)
        : inbox(open_inbox({.flow = kFlow,
                            .transport = transport,
                            .options = {},
                            .bind_to = SocketAddress::from_literal("127.0.0.1", 0),
                            .expected_peer = SocketAddress::from_literal("127.0.0.1", 0)},
                           kernel_clock())),
          channel(open_channel({.transport = transport, .options = {}, .to = inbox->local_address()}, kernel_clock())) {
    }

    std::unique_ptr<Inbox> inbox;
    std::unique_ptr<Channel> channel;
};

std::vector<Frame> frames_of(Transport transport, std::size_t count, std::span<const std::byte> payload) {
    std::vector<Frame> frames(count);
    for (std::uint32_t seq = 0; seq < count; ++seq) {
        frames[seq].header_bytes =
            static_cast<std::uint8_t>(header_bytes_for(transport, payload.size(), HeaderLevel::full));
        serialize({.seq = seq, .sent_at = wall_time_from_ns(seq), .flow = kFlow}, frames[seq].header,
                  frames[seq].header_bytes);
        frames[seq].rest = payload.first(payload.size() - frames[seq].header_bytes);
    }
    return frames;
}

/// Returns: whether all came.
bool take(Inbox& inbox, std::size_t count) {
    std::array<Arrival, 64> out{};
    for (std::size_t taken = 0; taken < count;) {
        const std::size_t got = inbox.drain(out);
        pollfd entry{.fd = inbox.fd(), .events = POLLIN, .revents = 0};
        if (got == 0 and ::poll(&entry, 1, 1000) != 1) {
            return false;
        }
        taken += got;
    }
    return true;
}

void packets(benchmark::State& state, Transport transport, Timed timed) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const std::vector<std::byte> payload(static_cast<std::size_t>(state.range(1)));
    const std::vector<Frame> frames = frames_of(transport, count, payload);
    const Loop loop(transport);
    SystemClock clock;
    for (auto _ : state) {
        const MonoTime begin = clock.now();
        const std::size_t sent = loop.channel->send(frames).sent;
        const MonoTime between = clock.now();
        if (sent != count or not take(*loop.inbox, count)) {
            state.SkipWithError("packets were lost on the way");
            return;
        }
        const Nanos took = timed == Timed::sending ? between - begin : clock.now() - between;
        state.SetIterationTime(static_cast<double>(took.count()) * 1e-9);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void one_and_many(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"packets", "size"})->ArgsProduct({{1, 64}, {64, 1472}})->UseManualTime();
}
BENCHMARK_CAPTURE(packets, udp_send, Transport::udp, Timed::sending)->Apply(one_and_many);
BENCHMARK_CAPTURE(packets, udp_receive, Transport::udp, Timed::receiving)->Apply(one_and_many);
BENCHMARK_CAPTURE(packets, tcp_send, Transport::tcp, Timed::sending)->Apply(one_and_many);
BENCHMARK_CAPTURE(packets, tcp_receive, Transport::tcp, Timed::receiving)->Apply(one_and_many);

}  // namespace
