#include "common/model/flow/rate_clock.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/flow/flow_keys.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FlowSpec with_rates(const std::string& rates, Nanos duration, const std::string& idt = "") {
    FlowDraft draft;
    draft.spec.id = FlowId{1};
    draft.spec.name = "test";
    draft.spec.target.host = "localhost";
    draft.spec.size = Constant{500};
    draft.spec.stop.duration = duration;
    const HostAliases no_hosts;
    const NamedFiles no_files;
    for (const FlowKeyRow& key : flow_keys()) {
        if (key.key == "rate" or (key.key == "idt" and not idt.empty())) {
            key.set(draft, {Setting::Kind::text, key.key == "rate" ? rates : idt, {}, {}}, {no_hosts, no_files});
        }
    }
    apply_rate(draft);
    EXPECT_EQ(validate(draft.spec), std::vector<std::string>{});
    return draft.spec;
}

std::vector<std::int64_t> departures(const FlowSpec& spec, std::size_t most = 10'000'000) {
    std::vector<std::int64_t> offsets;
    Schedule schedule(spec);
    for (auto next = schedule.next(); next and offsets.size() < most; next = schedule.next()) {
        offsets.push_back(next->offset.count());
    }
    return offsets;
}

/// Where the integral of a ramp from a to b packets a second over `seconds` reaches k; extended to the right with b.
long double exact(long double a, long double b, long double seconds, long double k) {
    if (k == 0) {
        return 0;
    }
    const long double all = (a + b) / 2 * seconds;
    if (k >= all) {
        return seconds + (k - all) / b;
    }
    const long double slope = (b - a) / seconds;
    return b >= a ? 2 * k / (a + std::sqrt(a * a + 2 * slope * k))
                  : seconds - 2 * (all - k) / (b + std::sqrt(b * b - 2 * slope * (all - k)));
}

void expect_ramp(const std::string& text, long double a, long double b, long double seconds, Nanos duration) {
    SCOPED_TRACE(text);
    const std::vector<std::int64_t> offsets = departures(with_rates(text, duration));
    ASSERT_GT(offsets.size(), 100U);
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        const long double due = 1e9L * exact(a, b, seconds, static_cast<long double>(k));
        ASSERT_LE(std::abs(static_cast<long double>(offsets[k]) - due), 0.51L) << "departure " << k;
    }
    const long double next = 1e9L * exact(a, b, seconds, static_cast<long double>(offsets.size()));
    EXPECT_GE(next, static_cast<long double>(duration.count()) - 0.51L) << "a departure is missing at the end";
}

TEST(RateClock, EveryDepartureOfARampIsThatOfTheIntegral) {
    expect_ramp("ramp:1kpps:30kpps:10s", 1000, 30'000, 10, 12s);
    expect_ramp("ramp:30kpps:1kpps:10s", 30'000, 1000, 10, 12s);
    expect_ramp("ramp:777.7pps:3333pps:7s", 777.7L, 3333, 7, 100s);
}

TEST(RateClock, ARampMayStartOrEndWithNoPackets) {
    expect_ramp("ramp:0pps:10kpps:10s", 0, 10'000, 10, 15s);
    const std::vector<std::int64_t> offsets = departures(with_rates("ramp:1kpps:0pps:2s", 10s));
    ASSERT_EQ(offsets.size(), 1000U);
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        const long double due = 1e9L * exact(1000, 0, 2, static_cast<long double>(k));
        ASSERT_LE(std::abs(static_cast<long double>(offsets[k]) - due), 0.51L) << "departure " << k;
    }
}

TEST(RateClock, ARateOfBitsCountsPayload) {
    // 500 bytes: 1000 to 9000 packets a second, mean 5000.
    EXPECT_EQ(departures(with_rates("ramp:4Mbps:36Mbps:2s", 2s)).size(), 10'000U);
}

TEST(RateClock, StepsBeginAtTheirTimesWithoutDrift) {
    const std::vector<std::int64_t> offsets = departures(with_rates("steps:3kpps:1s,7kpps:1s,1kpps:1s", 4s));
    ASSERT_EQ(offsets.size(), 3000U + 7000 + 1000 + 1000);
    EXPECT_EQ(offsets[1], 333'333);
    EXPECT_EQ(offsets[3000], 1'000'000'000);
    EXPECT_EQ(offsets[3001], 1'000'142'857);
    EXPECT_EQ(offsets[10'000], 2'000'000'000);
    EXPECT_EQ(offsets[11'999], 3'999'000'000);
}

TEST(RateClock, NothingDepartsInAPauseAndTheNextPacketEndsIt) {
    const auto offsets = departures(with_rates("steps:3kpps:1s,0pps:5s,3kpps:1s", 7s));
    ASSERT_EQ(offsets.size(), 6000U);
    EXPECT_EQ(offsets[2999], 999'666'667);
    EXPECT_EQ(offsets[3000], 6'000'000'000);
    EXPECT_EQ(departures(with_rates("steps:0pps:5s,10pps:1s", 6s)).front(), 5'000'000'000);
}

TEST(RateClock, ARateThatStays0EndsTheFlow) {
    FlowSpec spec = with_rates("steps:10pps:1s,0pps:1s", 1s);
    spec.stop = {.duration = {}, .packets = 1000, .bytes = {}};
    EXPECT_EQ(departures(spec).size(), 10U);
}

TEST(RateClock, GapsKeepTheirFamily) {
    const FlowSpec spec = with_rates("steps:1kpps:100s,4kpps:100s", 200s, "exp:1ms");
    const std::vector<std::int64_t> offsets = departures(spec);
    const auto slow = std::ranges::count_if(offsets, [](std::int64_t ns) { return ns < 100'000'000'000; });
    const auto fast = static_cast<std::int64_t>(offsets.size()) - slow;
    EXPECT_NEAR(static_cast<double>(slow), 100'000, 5 * std::sqrt(100'000.0));
    EXPECT_NEAR(static_cast<double>(fast), 400'000, 5 * std::sqrt(400'000.0));
}

TEST(RateClock, ExtremeRatesAndTimesStayInOrder) {
    for (const char* rates :
         {"ramp:0pps:1Mpps:1000000h", "ramp:1Mpps:0pps:1000000h", "steps:1Mpps:1ns,1e-9pps:1ns",
          "ramp:1e-9pps:1e9pps:1ns", "ramp:1e9pps:1e-9pps:1000000h", "steps:1e-9pps:1ns,1e9pps:1ns"}) {
        SCOPED_TRACE(rates);
        FlowSpec spec = with_rates(rates, 1s);
        spec.stop = {.duration = {}, .packets = 20'000, .bytes = {}};
        const std::vector<std::int64_t> offsets = departures(spec);
        EXPECT_FALSE(offsets.empty());
        EXPECT_TRUE(std::ranges::is_sorted(offsets));
        EXPECT_GE(offsets.front(), 0);
    }
}

TEST(RateClock, AFileFullOfStepsIsExact) {
    RateOverTime rates{RateUnit::packets, {}, "steps.txt"};
    for (int i = 0; i < 65'536; ++i) {
        const double rate = i % 2 == 0 ? 3000 : 7000;
        rates.pieces.push_back({1ms, rate, rate});
    }
    FlowSpec spec = with_rates("7kpps", 1s);
    spec.rate_over_time = rates;
    spec.stop.duration = 65'536ms;
    // 5 packets a millisecond: each 10 ms are over where they began.
    EXPECT_EQ(departures(spec).size(), 65'536U * 5);
}

TEST(RateClock, ItGoesWithGapsAndARateThatAllowIt) {
    FlowSpec spec = with_rates("ramp:1pps:2pps:1s", 1s);
    spec.on_off = OnOff{Constant{1e9}, Constant{1e9}};
    EXPECT_THAT(validate(spec), ElementsAre(HasSubstr("goes without ON and OFF periods")));
    spec.on_off.reset();
    spec.idt = Greedy{};
    EXPECT_THAT(validate(spec), ElementsAre(HasSubstr("as fast as possible (idt max) has no rate")));
    spec.in_flight = 1;
    spec.meter = Meter::round_trip;
    EXPECT_THAT(validate(spec), ElementsAre(HasSubstr("(a closed loop) has no rate")));
    spec = with_rates("ramp:1pps:2pps:1s", 1s);
    EXPECT_THAT(validate(spec), IsEmpty());
    spec.rate_over_time->pieces.clear();
    EXPECT_EQ(validate(spec).size(), 1U);
}

TEST(RateClock, ARateThatStaysAtZeroNeedsADuration) {
    FlowSpec spec = with_rates("steps:100pps:1s,0pps:1s", 2s);
    EXPECT_THAT(validate(spec), IsEmpty());
    spec.stop.duration.reset();
    spec.stop.packets = 200;
    EXPECT_THAT(validate(spec), ElementsAre(HasSubstr("stays at 0 at its end")));
}

}  // namespace
}  // namespace groma
