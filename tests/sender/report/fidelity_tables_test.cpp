#include "sender/report/fidelity_tables.hpp"

#include <gtest/gtest.h>

#include "tests/sample_flow.hpp"

namespace groma {
namespace {

TEST(FidelityTables, HaveALineForEachRowInUnitsThatTheirHeadsName) {
    Fidelity fast;
    fast.packets = 100'001;
    fast.bytes = 64 * fast.packets;
    set_rates(fast, 123'456.7, 123'333.2433);
    fast.lateness_ns.add(1'500, 100);
    fast.alone = 40;
    fast.batched = 60;
    fast.largest_batch = 12;
    fast.behind = std::chrono::microseconds(2'500);
    fast.gap_error_ns.add(700, 99);
    fast.gap_variation = 0.25;
    const Fidelity silent;
    EXPECT_EQ(fidelity_tables({{"fast", &fast, 125'000}, {"silent", &silent}}),
              R"(  flow    nominal [pps]  asked [pps]  sent [pps]    ratio  asked [kbit/s]  sent [kbit/s]
  fast           125000     123456.7    123333.2  0.99900        63209.83       63146.62
  silent              -            -           -        -               -              -

  flow    late p50 [us]  p90  p99  p99.9  max  alone  in batches  largest  behind [ms]
  fast              1.5  1.5  1.5    1.5  1.5     40          60       12          2.5
  silent              -    -    -      -    -      0           0        0            0

  flow    gap error p50 [us]  p90  p99  max  variation  n  N  lambda2  +-  KS  A2
  fast                   0.7  0.7  0.7  0.7       0.25  -  -        -   -   -   -
  silent                   -    -    -    -          -  -  -        -   -   -   -
)");
}

TEST(FidelityTables, OneGapHasAnErrorAndNoVariation) {
    Fidelity two_packets;
    two_packets.gap_error_ns.add(700, 1);
    const std::string tables = fidelity_tables({{"two", &two_packets}});
    EXPECT_NE(tables.find("  two                  0.7  0.7  0.7  0.7          -  -  -        -   -   -   -\n"),
              std::string::npos)
        << tables;
}

}  // namespace
}  // namespace groma
