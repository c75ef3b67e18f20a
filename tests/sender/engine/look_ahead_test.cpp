#include "sender/engine/look_ahead.hpp"

#include <gtest/gtest.h>

#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

TEST(LookAhead, LookingDoesNotTakeADepartureAway) {
    LookAhead ahead(Schedule(steady_flow(1, 10)), 4);
    EXPECT_EQ(ahead.peek(2)->seq, 2U);
    EXPECT_EQ(ahead.peek(0)->seq, 0U);
    EXPECT_EQ(ahead.peek(0)->seq, 0U);
}

TEST(LookAhead, GivesTheSameDeparturesAsTheScheduleInAnyPattern) {
    FlowSpec spec = steady_flow(1, 500);
    spec.idt = Exponential{1e6};
    Schedule schedule(spec);
    LookAhead ahead(Schedule(spec), 5);
    for (std::size_t step = 0; ahead.peek(0) != nullptr; ++step) {
        const std::size_t wanted = step % 6;
        std::size_t there = 0;
        while (there < wanted and ahead.peek(there) != nullptr) {
            ASSERT_EQ(*ahead.peek(there), schedule.next()) << "at step " << step;
            ++there;
        }
        ahead.drop(there);
    }
    EXPECT_FALSE(schedule.next());
}

TEST(LookAhead, SeesTheEndOfTheFlow) {
    LookAhead ahead(Schedule(steady_flow(1, 2)), 4);
    EXPECT_NE(ahead.peek(1), nullptr);
    EXPECT_EQ(ahead.peek(2), nullptr);
    ahead.drop(2);
    EXPECT_EQ(ahead.peek(0), nullptr);
}

}  // namespace
}  // namespace groma
