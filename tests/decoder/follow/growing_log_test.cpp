#include "decoder/follow/growing_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

class GrowingLogTest : public testing::Test {
protected:
    GrowingLogTest() { std::ofstream(part_) << "a beginning"; }

    void rename() const { std::filesystem::rename(part_, name_); }

    static constexpr Nanos kPatience{3'000'000'000};
    static constexpr Nanos kOne{1};

    const TemporaryFolder folder_;
    const std::string name_ = folder_.file("send.glog");
    const std::string part_ = folder_.file("send.glog.part");
    ManualClock clock_;
};

TEST_F(GrowingLogTest, IsWhereItsFileIsUnderEitherName) {
    EXPECT_EQ(current_file(name_), part_);
    EXPECT_EQ(current_file(part_), part_);
    rename();
    EXPECT_EQ(current_file(name_), name_);
    EXPECT_EQ(current_file(part_), name_);
}

TEST_F(GrowingLogTest, IsReadOnceMoreAfterItGotItsName) {
    GrowingLog log(part_, {}, clock_);
    EXPECT_EQ(log.at_end(11, false), AtEnd::wait);
    rename();
    EXPECT_EQ(log.at_end(11, false), AtEnd::read_again);
    EXPECT_EQ(log.at_end(15, false), AtEnd::stop);
}

TEST_F(GrowingLogTest, StopsAtItsEndWhateverItsFileIsCalled) {
    GrowingLog log(part_, kPatience, clock_);
    clock_.advance(kPatience);
    EXPECT_EQ(log.at_end(11, true), AtEnd::stop);
}

TEST_F(GrowingLogTest, IsGivenUpWhenItDidNotGrowForAsLongAsThePatienceIs) {
    GrowingLog log(part_, kPatience, clock_);
    EXPECT_EQ(log.at_end(11, false), AtEnd::wait);
    clock_.advance(kPatience - kOne);
    EXPECT_EQ(log.at_end(12, false), AtEnd::wait);
    clock_.advance(kPatience - kOne);
    EXPECT_EQ(log.at_end(12, false), AtEnd::wait);
    clock_.advance(kOne);
    EXPECT_EQ(log.at_end(12, false), AtEnd::give_up);
}

TEST_F(GrowingLogTest, WithoutPatienceIsNeverGivenUp) {
    GrowingLog log(part_, {}, clock_);
    clock_.advance(1000 * kPatience);
    EXPECT_EQ(log.at_end(0, false), AtEnd::wait);
}

TEST_F(GrowingLogTest, UnderItsNameIsACopyThatMayGrowIfThereIsPatienceForThat) {
    rename();
    EXPECT_EQ(GrowingLog(name_, {}, clock_).at_end(11, false), AtEnd::stop);
    GrowingLog copied(name_, kPatience, clock_);
    EXPECT_EQ(copied.at_end(11, false), AtEnd::wait);
    clock_.advance(kPatience);
    EXPECT_EQ(copied.at_end(11, false), AtEnd::give_up);
}

}  // namespace
}  // namespace groma
