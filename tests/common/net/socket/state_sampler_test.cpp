#include "common/net/socket/state_sampler.hpp"

#include <gtest/gtest.h>

#include <map>

namespace groma {
namespace {

constexpr Nanos kSecond = std::chrono::seconds(1);

FlowSpec flow(std::uint32_t id, Transport transport, std::optional<Nanos> interval = {}) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.transport = transport;
    spec.options.state_interval = interval;
    return spec;
}

struct Taken {
    std::map<FlowId, int> samples;
    StateSampler::Take take = [this](FlowId id, const ConnectionSample& sample) {
        EXPECT_EQ(sample.at, wall_time_from_ns(77));
        ++samples[id];
    };
};

TEST(StateSampler, LooksAtEachConnectionAsOftenAsItAsks) {
    StateSampler sampler;
    const auto look = [] { return ConnectionSample{}; };
    sampler.add(flow(1, Transport::tcp, kSecond), look);
    sampler.add(flow(2, Transport::sctp), look);
    sampler.add(flow(3, Transport::tcp, Nanos{0}), look);
    sampler.add(flow(4, Transport::udp), look);
    Taken taken;
    const MonoTime start{10 * kSecond};
    for (MonoTime now = start; now < start + 5 * kSecond; now += kSecond / 100) {
        sampler.sample(now, wall_time_from_ns(77), taken.take);
    }
    EXPECT_EQ(taken.samples, (std::map<FlowId, int>{{FlowId{1}, 5}, {FlowId{2}, 50}}));
    EXPECT_EQ(sampler.next_due(), start + 5 * kSecond);
    sampler.sample_all(wall_time_from_ns(77), taken.take);
    EXPECT_EQ(taken.samples[FlowId{1}], 6);
}

TEST(StateSampler, LooksAtManyConnectionsLessOften) {
    for (const unsigned flows : {10U, 11U}) {
        StateSampler sampler;
        for (unsigned id = 1; id <= flows; ++id) {
            sampler.add(flow(id, Transport::tcp), [] { return ConnectionSample{}; });
        }
        Taken taken;
        const MonoTime start{10 * kSecond};
        sampler.sample(start, wall_time_from_ns(77), taken.take);
        EXPECT_EQ(sampler.next_due(), start + (flows > 10 ? kSecond : kSecond / 10));
    }
}

TEST(StateSampler, AConnectionThatIsNotThereYetGivesNothing) {
    StateSampler sampler;
    sampler.add(flow(1, Transport::tcp), [] { return std::optional<ConnectionSample>(); });
    Taken taken;
    sampler.sample(MonoTime{kSecond}, wall_time_from_ns(77), taken.take);
    EXPECT_TRUE(taken.samples.empty());
    EXPECT_EQ(StateSampler{}.next_due(), std::nullopt);
}

}  // namespace
}  // namespace groma
