#include "common/net/device/queue_drops.hpp"

#include <gmock/gmock.h>
#include <linux/pkt_sched.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

QueueingDiscipline tbf(std::uint64_t dropped) {
    return {.device = 2, .handle = 0x80010000, .parent = TC_H_ROOT, .kind = "tbf", .dropped = dropped};
}

TEST(QueueDrops, AreThoseOfTheOutermostDisciplineInBetween) {
    QueueingDiscipline inner{.device = 2, .handle = 0, .parent = 0x80010001, .kind = "bfifo", .dropped = 99};
    EXPECT_THAT(drops_between("eth0", {inner, tbf(10)}, {inner, tbf(22)}), ElementsAre(QueueDrops{"tbf on eth0", 12}));
    EXPECT_THAT(drops_between("eth0", {tbf(10)}, {tbf(10)}), IsEmpty());
}

TEST(QueueDrops, OfADisciplineThatWasReplacedAreUnknown) {
    QueueingDiscipline other = tbf(22);
    other.handle = 0x80020000;
    EXPECT_THAT(drops_between("eth0", {tbf(10)}, {other}), IsEmpty());
    other = tbf(22);
    other.kind = "fq";
    EXPECT_THAT(drops_between("eth0", {tbf(10)}, {other}), IsEmpty());
    EXPECT_THAT(drops_between("eth0", {tbf(10)}, {tbf(3)}), IsEmpty());
    EXPECT_THAT(drops_between("eth0", {}, {tbf(3)}), IsEmpty());
    EXPECT_THAT(drops_between("eth0", {tbf(3)}, {}), IsEmpty());
}

}  // namespace
}  // namespace groma
