#include "logserver/store_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

/// Does one piece of work when it is told to; fails to begin it where a test says so.
class SteppedBackground final : public Background {
public:
    struct Control {
        std::function<void()> next;
        int begun = 0;
        bool fails = false;
        bool step() {
            if (not next) {
                return false;
            }
            std::exchange(next, nullptr)();
            return true;
        }
    };
    explicit SteppedBackground(Control& control) : control_(control) {}
    void run(std::function<void()> work, std::function<void()> done) override {
        if (control_.fails) {
            throw SystemError("wake the thread", EAGAIN);
        }
        EXPECT_FALSE(control_.next) << "work was begun while other work waits";
        ++control_.begun;
        control_.next = [work = std::move(work), done = std::move(done)] {
            work();
            done();
        };
    }

private:
    Control& control_;
};

class StoreWorkTest : public testing::Test {
protected:
    StoreWorkTest() { settings_.limits.durable_bytes = 10; }
    void open(const std::string& name, RecordingWriter& writer) {
        EXPECT_EQ(store_.open({0, {}, "games", name}, {.node = "hosta"}, writer), nullptr);
        work_.work_on();
    }
    void append(RecordingWriter& writer, std::string_view text) {
        (void)writer.log->append({0, writer.log->pieces(), std::as_bytes(std::span(text))}, 1000);
        work_.took(text.size());
    }
    void do_all() {
        while (background_.step()) {
        }
    }

    TemporaryFolder folder_;
    ManualClock clock_;
    LogServerSettings settings_;
    LogStore store_{folder_.path(), clock_};
    SteppedBackground::Control background_;
    std::vector<std::string> swept_;
    StoreWork work_{store_, settings_, std::make_unique<SteppedBackground>(background_),
                    [this](const std::string& error) { swept_.push_back(error); }};
    RecordingWriter writer_;
    RecordingWriter other_writer_;
};

TEST_F(StoreWorkTest, OnePieceOfWorkIsDoneAtATime) {
    open("sender", writer_);
    open("receiver", other_writer_);
    EXPECT_EQ(background_.begun, 1);
    EXPECT_TRUE(background_.step());
    EXPECT_NE(writer_.log, nullptr);
    EXPECT_EQ(other_writer_.log, nullptr) << "it came after the work had begun";
    do_all();
    EXPECT_NE(other_writer_.log, nullptr);
}

TEST_F(StoreWorkTest, SweepsWhenEnoughHasCome) {
    open("sender", writer_);
    do_all();
    append(writer_, "123456789");
    EXPECT_FALSE(background_.next);
    append(writer_, "0");
    EXPECT_TRUE(work_.is_sweeping());
    do_all();
    EXPECT_FALSE(work_.is_sweeping());
    EXPECT_EQ(writer_.durable_pieces, 2U);
    EXPECT_THAT(swept_, testing::ElementsAre(""));
    append(writer_, "123456789");
    EXPECT_FALSE(background_.next) << "counted from the sweep on";
}

TEST_F(StoreWorkTest, SweepsAfterEachPieceIfThatIsThePolicy) {
    settings_.sync = SyncPolicy::block;
    open("sender", writer_);
    do_all();
    append(writer_, "1");
    append(writer_, "2");
    do_all();
    EXPECT_EQ(writer_.durable_pieces, 2U) << "also what came during the sweep";
}

TEST_F(StoreWorkTest, AClaimAndASweepTakeTurns) {
    open("sender", writer_);
    do_all();
    append(writer_, "1234567890");
    open("receiver", other_writer_);
    append(writer_, "1234567890");
    background_.step();
    EXPECT_EQ(other_writer_.log, nullptr);
    background_.step();
    EXPECT_NE(other_writer_.log, nullptr) << "before the other sweep that is wanted";
    EXPECT_EQ(writer_.durable_pieces, 1U);
    do_all();
    EXPECT_EQ(writer_.durable_pieces, 2U);
}

TEST_F(StoreWorkTest, TellsThatWorkCannotBeginAndTriesAgainWhenItIsAskedTo) {
    open("sender", writer_);
    do_all();
    background_.fails = true;
    append(writer_, "1234567890");
    ASSERT_EQ(swept_.size(), 1U);
    EXPECT_THAT(swept_[0], testing::HasSubstr("wake the thread"));
    background_.fails = false;
    work_.sweep_now();
    do_all();
    EXPECT_EQ(swept_.back(), "");
    EXPECT_EQ(writer_.durable_pieces, 1U);
}

TEST_F(StoreWorkTest, EndsWhenEverythingIsDurable) {
    open("sender", writer_);
    do_all();
    append(writer_, "1");
    work_.stop_opening();
    bool done = false;
    work_.finish([&] { done = true; });
    EXPECT_FALSE(done);
    do_all();
    EXPECT_TRUE(done);
    EXPECT_EQ(writer_.durable_pieces, 1U);
}

TEST_F(StoreWorkTest, OpensNoLogAtItsEnd) {
    work_.stop_opening();
    open("sender", writer_);
    EXPECT_FALSE(background_.next);
    bool done = false;
    work_.finish([&] { done = true; });
    EXPECT_TRUE(done) << "at once, as there is nothing to do";
    EXPECT_EQ(writer_.log, nullptr);
}

}  // namespace
}  // namespace groma
