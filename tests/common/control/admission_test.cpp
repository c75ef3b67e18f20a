#include "common/control/admission.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace groma {
namespace {

using Verdict = Admission::Verdict;

TEST(Admission, GivesAHostItsShareAndKeepsTheRestForOthers) {
    Admission admission(4, usual_share(4));
    std::vector<Admission::Slot> slots;
    for (int i = 0; i < 3; ++i) {
        slots.push_back(admission.admit("10.0.0.1"));
    }
    EXPECT_EQ(admission.verdict("10.0.0.1"), Verdict::host_full);
    EXPECT_EQ(admission.verdict("10.0.0.2"), Verdict::admitted);
    slots.push_back(admission.admit("10.0.0.2"));
    EXPECT_EQ(admission.verdict("10.0.0.2"), Verdict::full);
    EXPECT_EQ(admission.verdict("10.0.0.1"), Verdict::full);
}

TEST(Admission, GivesASlotAgainThatWasGivenBack) {
    Admission admission(2, 1);
    std::optional<Admission::Slot> slot = admission.admit("10.0.0.1");
    Admission::Slot moved = std::move(*slot);
    slot.reset();
    EXPECT_EQ(admission.verdict("10.0.0.1"), Verdict::host_full);
    moved.reset();
    moved.reset();
    EXPECT_EQ(admission.verdict("10.0.0.1"), Verdict::admitted);
}

TEST(Admission, SlotsMayOutliveIt) {
    Admission::Slot slot;
    {
        Admission admission(1, 1);
        slot = admission.admit("10.0.0.1");
    }
    EXPECT_TRUE(slot);
    slot.reset();
    EXPECT_FALSE(slot);
}

TEST(Admission, LetsOneHostHaveAllWhereTheyAreFew) {
    EXPECT_EQ(usual_share(1), 1U);
    EXPECT_EQ(usual_share(3), 3U);
    EXPECT_EQ(usual_share(64), 48U);
}

}  // namespace
}  // namespace groma
