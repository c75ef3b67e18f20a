#include "sender/report/merged_report.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

TEST(MergedReport, SendersOfOneHostSawTheSameDrops) {
    std::array<SendReport, 3> parts{faithful_run(), faithful_run(), faithful_run()};
    parts[0].host = parts[1].host = "a";
    parts[2].host = "b";
    parts[0].queue_drops = {{"tbf on eth0", 100}};
    parts[1].queue_drops = {{"tbf on eth0", 120}, {"fq on eth1", 1}};
    parts[2].queue_drops = {{"tbf on eth0", 7}};
    const std::array<const SendReport*, 3> all{&parts[0], &parts[1], &parts[2]};
    EXPECT_EQ(merged(all).queue_drops,
              (std::vector<QueueDrops>{{"tbf on eth0 of a", 120}, {"fq on eth1 of a", 1}, {"tbf on eth0 of b", 7}}));
}

}  // namespace
}  // namespace groma
