#include "common/log/tee_sink.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

/// The state of a sink that a tee owns.
struct Fate {
    std::string text;
    int appends = 0;
    bool closed = false;
};

class ProbeSink final : public LogSink {
public:
    /// Fails at its `fails_at`-th append, or at close() when that is 0; never when negative.
    ProbeSink(std::string name, Fate& fate, int fails_at) : name_(std::move(name)), fate_(fate), fails_at_(fails_at) {}

    void append(std::span<const std::byte> piece) override {
        if (++fate_.appends == fails_at_) {
            throw std::runtime_error("no room");
        }
        fate_.text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    void close() override {
        if (fails_at_ == 0) {
            throw std::runtime_error("no name");
        }
        fate_.closed = true;
    }
    [[nodiscard]] std::string describe() const override { return name_; }

private:
    std::string name_;
    Fate& fate_;
    int fails_at_;
};

class TeeSink : public testing::Test {
protected:
    void open(int left_fails_at, int right_fails_at) {
        std::vector<std::unique_ptr<LogSink>> sinks;
        sinks.push_back(std::make_unique<ProbeSink>("left", left_, left_fails_at));
        sinks.push_back(std::make_unique<ProbeSink>("right", right_, right_fails_at));
        sink_ = tee(std::move(sinks));
    }
    void append(std::string_view text) { sink_->append(std::as_bytes(std::span(text))); }
    std::string error_of_close() {
        try {
            sink_->close();
        } catch (const RunError& error) {
            return error.what();
        }
        return {};
    }

    Fate left_;
    Fate right_;
    std::unique_ptr<LogSink> sink_;
};

TEST_F(TeeSink, EverySinkGetsEveryPiece) {
    open(-1, -1);
    append("one ");
    append("two");
    sink_->close();
    EXPECT_EQ(left_.text, "one two");
    EXPECT_EQ(right_.text, "one two");
    EXPECT_TRUE(left_.closed and right_.closed);
    EXPECT_EQ(sink_->describe(), "left and right");
}

TEST_F(TeeSink, ASinkThatFailsDoesNotKeepTheOtherFromTheRest) {
    open(1, -1);
    append("one ");
    append("two");
    EXPECT_EQ(error_of_close(), "the log in left is not complete: no room");
    EXPECT_EQ(right_.text, "one two");
    EXPECT_TRUE(right_.closed);
}

TEST_F(TeeSink, ASinkThatFailedIsNotTriedAgain) {
    open(1, -1);
    append("one ");
    append("two");
    EXPECT_EQ(left_.appends, 1);
    EXPECT_FALSE(left_.closed);
}

TEST_F(TeeSink, AnErrorAtTheCloseOfOneClosesTheOtherAndIsSaid) {
    open(0, -1);
    append("one");
    EXPECT_EQ(error_of_close(), "the log in left is not complete: no name");
    EXPECT_TRUE(right_.closed);
}

TEST_F(TeeSink, WhenNoSinkIsLeftItSaysSoAtOnce) {
    open(1, 2);
    append("one");
    EXPECT_THROW(append("two"), RunError);
    EXPECT_THAT(error_of_close(), testing::AllOf(testing::HasSubstr("left"), testing::HasSubstr("right")));
}

TEST(NullSink, TakesEverything) {
    const auto sink = null_sink();
    sink->append({});
    sink->close();
    EXPECT_EQ(sink->describe(), "no log");
}

}  // namespace
}  // namespace groma
