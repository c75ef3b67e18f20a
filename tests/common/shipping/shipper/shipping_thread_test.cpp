// The thread with links that are a few lines of the test: what becomes of connections, and who is told.
#include "common/shipping/shipper/shipping_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <cerrno>
#include <deque>
#include <functional>

#include "common/base/errors.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

/// Answers at once, or does with a frame what a test says.
class PromptLink final : public ShippingLink {
public:
    using Other = std::function<std::optional<LogFrame>(const LogFrame&)>;
    explicit PromptLink(Other other) : other_(std::move(other)) {}

    [[nodiscard]] bool send(std::span<const std::byte> frame) override {
        const LogFrame sent = parse_log_frame(frame.subspan(kFrameLengthBytes), "the shipper");
        if (const auto other = other_(sent)) {
            answers_.push_back(*other);
        } else if (std::holds_alternative<ShipperHello>(sent)) {
            answers_.emplace_back(ServerWelcome{});
        } else if (const auto* open = std::get_if<OpenLog>(&sent)) {
            answers_.emplace_back(LogOpened{open->log, 0});
        } else if (const auto* close = std::get_if<CloseLog>(&sent)) {
            answers_.emplace_back(LogClosed{close->log});
        }
        return true;
    }
    void turn() override {}
    [[nodiscard]] std::optional<LogFrame> next() override {
        if (answers_.empty()) {
            return std::nullopt;
        }
        LogFrame frame = std::move(answers_.front());
        answers_.pop_front();
        return frame;
    }
    void wait(int wake_fd, MonoTime /*until*/) override {
        pollfd entry{.fd = wake_fd, .events = POLLIN, .revents = 0};
        ::poll(&entry, 1, answers_.empty() ? static_cast<int>(kPatience / std::chrono::milliseconds(1)) : 0);
    }

private:
    Other other_;
    std::deque<LogFrame> answers_;
};

class ShippingThreadTest : public testing::Test {
protected:
    ShippingThreadTest() {
        settings_.peer = "log server";
        settings_.node = "here";
        settings_.limits.times.first_pause = settings_.limits.times.longest_pause = std::chrono::milliseconds(1);
        settings_.limits.times.opening = kPatience;
        settings_.report = [this](const std::string& sentence) { reports_.push_back(sentence); };
    }
    void start(LinkOpener open) {
        settings_.open = std::move(open);
        conversation_.emplace(settings_, kernel_clock());
        thread_.emplace(settings_, kernel_clock(), *conversation_);
    }
    LogId add() { return conversation_->add({OpenLog{0, {}, "games", "sender"}, 0, 0}, kept_); }

    ShippingSettings settings_{};
    KeptLog kept_{1000, nullptr};
    std::vector<std::string> reports_;  ///< to be read once the thread has ended
    std::optional<SharedConversation> conversation_;
    std::optional<ShippingThread> thread_;
};

TEST_F(ShippingThreadTest, ConnectsWhenThereIsALogAndShipsIt) {
    start([](Clock&) { return std::make_unique<PromptLink>([](const LogFrame&) { return std::nullopt; }); });
    EXPECT_EQ(conversation_->connect_at(), MonoTime::max());
    const LogId log = add();
    conversation_->await_opened(log);
    EXPECT_EQ(conversation_->state().connections, 1U);
    conversation_->end(log, kept_.seal());
    conversation_->await_end(log, kPatience);
    thread_.reset();
    EXPECT_THAT(reports_, testing::IsEmpty());
}

TEST_F(ShippingThreadTest, WhyThereIsNoConnectionIsToldToWhoWaitsForALog) {
    start([](Clock&) -> std::unique_ptr<ShippingLink> { throw SystemError("connect to the moon", EHOSTUNREACH); });
    const LogId log = add();
    try {
        conversation_->await_opened(log);
        FAIL() << "opened";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), EHOSTUNREACH);
    }
    thread_.reset();
    EXPECT_EQ(conversation_->state().failed_attempts, 1U) << "a log that has failed needs no connection";
}

TEST_F(ShippingThreadTest, ConnectsAgainAndTellsBoth) {
    int connections = 0;
    start([&](Clock&) {
        const bool breaks = ++connections == 1;
        return std::make_unique<PromptLink>([breaks](const LogFrame& frame) -> std::optional<LogFrame> {
            if (breaks and std::holds_alternative<CloseLog>(frame)) {
                throw SystemError("send to the moon", EPIPE);
            }
            return std::nullopt;
        });
    });
    const LogId log = add();
    conversation_->await_opened(log);
    conversation_->end(log, kept_.seal());
    conversation_->await_end(log, kPatience);
    EXPECT_EQ(conversation_->errors(log).second, 1U);
    thread_.reset();
    ASSERT_EQ(reports_.size(), 2U);
    EXPECT_THAT(reports_[0], testing::AllOf(testing::StartsWith("cannot send to the moon"),
                                            testing::EndsWith("the log waits in memory until the log server is back")));
    EXPECT_EQ(reports_[1], "connected to the log server again");
}

TEST_F(ShippingThreadTest, AServerThatRefusesTheShipperFailsItsLogs) {
    start([](Clock&) {
        return std::make_unique<PromptLink>([](const LogFrame& frame) -> std::optional<LogFrame> {
            return std::holds_alternative<CloseLog>(frame)
                       ? std::optional<LogFrame>(LogRefused{kWholeConnection, false, "go away"})
                       : std::nullopt;
        });
    });
    const LogId log = add();
    conversation_->await_opened(log);
    conversation_->end(log, kept_.seal());
    EXPECT_THROW(conversation_->await_end(log, kPatience), ProtocolError);
    EXPECT_EQ(conversation_->connect_at(), MonoTime::max());
}

TEST_F(ShippingThreadTest, ARefusalSaysWhoOffersNoKeyWhereItIsNotSeenOtherwise) {
    settings_.without_key = "groma-recv on beta has no key";
    const auto refusal = [this] {
        const LogId log = add();
        try {
            conversation_->await_opened(log);
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string("it is opened");
    };
    start([](Clock&) {
        return std::make_unique<PromptLink>([](const LogFrame& frame) -> std::optional<LogFrame> {
            return std::holds_alternative<ShipperHello>(frame)
                       ? std::optional<LogFrame>(LogRefused{kWholeConnection, false, "takes who has a key"})
                       : std::nullopt;
        });
    });
    EXPECT_EQ(refusal(), "log server: refused: takes who has a key; groma-recv on beta has no key");
    thread_.reset();
    start([](Clock&) -> std::unique_ptr<ShippingLink> { throw RunError("the log server takes who has a key"); });
    EXPECT_EQ(refusal(), "the log server takes who has a key; groma-recv on beta has no key");
    thread_.reset();
    start([](Clock&) -> std::unique_ptr<ShippingLink> { throw SystemError("connect to the moon", EHOSTUNREACH); });
    EXPECT_EQ(refusal().find("has no key"), std::string::npos) << "it was not refused";
}

}  // namespace
}  // namespace groma
