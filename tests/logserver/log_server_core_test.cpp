// What the host refuses a log server: it says so, goes on when it can, and ends when it is asked to.
#include "logserver/log_server_core.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"
#include "tests/logserver/log_conversation_fixture.hpp"

namespace groma {
namespace {

/// For as long as it lives this process can open four files and no more. (None at all is too few for sanitizers.)
class FewDescriptors {
public:
    FewDescriptors() {
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
        std::array<FileDescriptor, 4> left;
        for (FileDescriptor& fd : left) {
            fd = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        }
        // The kernel gives the lowest number that is free: all below the last one are in use.
        const rlimit few{static_cast<rlim_t>(left.back().get()) + 1, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
    ~FewDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

private:
    rlimit before_{};
};

/// Can do no work as long as `fails`.
class FailingBackground final : public Background {
public:
    explicit FailingBackground(const bool& fails) : fails_(fails) {}
    void run(std::function<void()> work, std::function<void()> done) override {
        if (fails_) {
            throw SystemError("wake the syncing thread", EAGAIN);
        }
        InlineBackground().run(std::move(work), std::move(done));
    }

private:
    const bool& fails_;
};

class LogServerCoreTest : public LogConversationTest {
protected:
    /// From now on a piece of each log waits to be acknowledged.
    static void give_pieces(const Shipper& shipper, LogNumber logs) {
        shipper.greet();
        for (LogNumber log = 1; log <= logs; ++log) {
            shipper.open(log, "sender-" + std::to_string(log));
            shipper.piece(0, "abc", log);
        }
    }
};

TEST_F(LogServerCoreTest, AcknowledgesMoreLogsThanItHasDescriptorsLeft) {
    constexpr LogNumber kLogs = 8;
    const Shipper shipper(core(), clock_);
    give_pieces(shipper, kLogs);
    const FewDescriptors few;
    pass(std::chrono::seconds(1));
    EXPECT_EQ(std::ranges::count_if(shipper.sink.frames,
                                    [](const LogFrame& frame) { return std::holds_alternative<LogDurable>(frame); }),
              kLogs);
    bool stopped = false;
    core().stop([&] { stopped = true; });
    EXPECT_TRUE(stopped);
}

TEST_F(LogServerCoreTest, TriesASweepAgainThatCouldNotBegin) {
    bool fails = true;
    background_ = std::make_unique<FailingBackground>(fails);
    const Shipper shipper(core(), clock_);
    give_pieces(shipper, 1);
    pass(std::chrono::seconds(1));
    EXPECT_NE(shipper.sink.last<LogHold>().reason.find("wake the syncing thread"), std::string::npos);
    fails = false;
    pass(std::chrono::seconds(1));
    EXPECT_EQ(shipper.sink.last<LogGoOn>(), (LogGoOn{1, 1}));
    EXPECT_EQ(entry("sender-1").pieces, 1U);
}

TEST_F(LogServerCoreTest, EndsWhenNoSweepCanBegin) {
    const bool fails = true;
    background_ = std::make_unique<FailingBackground>(fails);
    const Shipper shipper(core(), clock_);
    give_pieces(shipper, 1);
    bool stopped = false;
    core().stop([&] { stopped = true; });
    EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace groma
