#include "logserver/store/overdue_updates.hpp"

#include <gtest/gtest.h>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

constexpr WallTime kLongAgo = wall_time_from_ns(1'700'000'000'000'000'000);

class OverdueUpdatesTest : public testing::Test {
protected:
    void apply(std::int64_t claimed = 0) {
        updates_.apply(catalogue_, kLongAgo, [claimed](std::int64_t log) { return log == claimed; });
    }
    [[nodiscard]] std::string state_of(const std::string& name) const {
        return state_text(catalogue_.find("games", name).value());
    }

    TemporaryFolder folder_;
    LogCatalogue catalogue_{folder_.path(), LogCatalogue::Access::write};
    CatalogueEntry first_ = catalogue_.claim({"games", "first", "hosta", "1"}, kLongAgo);
    CatalogueEntry second_ = catalogue_.claim({"games", "second", "hosta", "2"}, kLongAgo);
    OverdueUpdates updates_;
};

TEST_F(OverdueUpdatesTest, AreAppliedOnce) {
    updates_.add_incomplete(first_, "a broken disk");
    apply();
    EXPECT_EQ(state_of("first"), "incomplete: a broken disk");
    EXPECT_EQ(state_of("second"), "being written");
    (void)catalogue_.claim({"games", "first", "hosta", "1"}, kLongAgo);
    apply();
    EXPECT_EQ(state_of("first"), "being written");
}

TEST_F(OverdueUpdatesTest, WaitWhileTheirLogIsBeingClaimed) {
    updates_.add_incomplete(first_, "a broken disk");
    updates_.add_incomplete(second_, "a broken disk");
    apply(first_.id);
    EXPECT_EQ(state_of("first"), "being written");
    EXPECT_EQ(state_of("second"), "incomplete: a broken disk");
    apply();
    EXPECT_EQ(state_of("first"), "incomplete: a broken disk");
}

TEST_F(OverdueUpdatesTest, OfALogThatIsOpenAgainAreDropped) {
    updates_.add_incomplete(first_, "a broken disk");
    updates_.add_incomplete(second_, "a broken disk");
    updates_.drop(first_.id);
    apply();
    EXPECT_EQ(state_of("first"), "being written");
    EXPECT_EQ(state_of("second"), "incomplete: a broken disk");
}

}  // namespace
}  // namespace groma
