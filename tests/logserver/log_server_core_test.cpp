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

/// Does its work when it is told to, one piece at a time.
class PatientBackground final : public Background {
public:
    void run(std::function<void()> work, std::function<void()> done) override {
        EXPECT_FALSE(work_) << "work was begun while other work waits";
        work_ = std::move(work);
        done_ = std::move(done);
    }
    /// Returns: false when there is nothing to do.
    bool step() {
        if (not work_) {
            return false;
        }
        std::exchange(work_, nullptr)();
        std::exchange(done_, nullptr)();
        return true;
    }
    int all_steps() {
        int steps = 0;
        while (step()) {
            ++steps;
        }
        return steps;
    }

private:
    std::function<void()> work_;
    std::function<void()> done_;
};

class LogServerCoreTest : public LogConversationTest {
protected:
    /// A server that starts and finds twelve pieces of a log, which are three slices.
    PatientBackground& start_with_a_long_log() {
        {
            const Shipper shipper(core(), clock_);
            shipper.greet();
            shipper.open();
            for (std::uint64_t number = 0; number < kPieces; ++number) {
                shipper.piece(number, piece_);
            }
        }
        core_.reset();
        auto background = std::make_unique<PatientBackground>();
        PatientBackground& patient = *background;
        background_ = std::move(background);
        return patient;
    }
    /// As all writers do first.
    static void open(const Shipper& shipper) {
        shipper.greet();
        shipper.open();
    }
    static bool is_opened(const Shipper& shipper) {
        return std::ranges::any_of(shipper.sink.frames,
                                   [](const LogFrame& frame) { return std::holds_alternative<LogOpened>(frame); });
    }

    static constexpr std::uint64_t kPieces = 12;
    static constexpr int kSlices = 3;
    const std::string piece_ = std::string(kMaxPieceBytes, 'x');

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

TEST_F(LogServerCoreTest, ServesOthersWhileALongLogIsReadAgain) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    const Shipper other(core(), clock_, "10.0.0.2:40000");
    other.greet();
    other.open(1, "receiver", 2);
    EXPECT_EQ(other.sink.last_opened(), (LogOpened{1, 0}));
    other.piece(0, "abc", 1);
    other.say(totals_of(1, "abc", 1));
    EXPECT_TRUE(background.step());  // a slice
    EXPECT_TRUE(background.step());  // a sweep
    EXPECT_EQ(other.sink.last<LogClosed>(), LogClosed{1});
    EXPECT_FALSE(is_opened(writer));
    EXPECT_EQ(background.all_steps(), kSlices - 1);
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, GoesOnWithTheHashOfALongLog) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    background.all_steps();
    std::string content;
    for (std::uint64_t number = 0; number <= kPieces; ++number) {
        content += piece_;
    }
    writer.piece(kPieces, piece_);
    writer.say(totals_of(7, content, kPieces + 1));
    background.all_steps();
    EXPECT_EQ(writer.sink.last<LogClosed>(), LogClosed{7});
    EXPECT_EQ(stored(), content);
}

TEST_F(LogServerCoreTest, ReadsSeveralLongLogsByTurns) {
    {
        const Shipper shipper(core(), clock_);
        shipper.greet();
        shipper.open(1, "short", 3);
        for (std::uint64_t number = 0; number < 8; ++number) {
            shipper.piece(number, piece_, 1);
        }
    }
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    writer.open(8, "short", 3);
    for (int slice = 0; slice < 4; ++slice) {
        EXPECT_EQ(writer.sink.frames.size(), 1U);
        EXPECT_TRUE(background.step());
    }
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{8, 8}));
    background.all_steps();
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, EndsAfterTheSliceThatIsBeingRead) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    bool stopped = false;
    core().stop([&] { stopped = true; });
    EXPECT_FALSE(stopped);
    EXPECT_EQ(background.all_steps(), 1);
    EXPECT_TRUE(stopped);
    EXPECT_EQ(entry().pieces, kPieces);
    EXPECT_EQ(entry().state, LogState::incomplete);
}

TEST_F(LogServerCoreTest, ReadsALongLogOnceThoughItsWriterLeavesMeanwhile) {
    PatientBackground& background = start_with_a_long_log();
    {
        const Shipper writer(core(), clock_);
        open(writer);
        EXPECT_TRUE(background.step());
    }
    EXPECT_EQ(background.all_steps(), kSlices - 1);
    const Shipper writer(core(), clock_);
    open(writer);
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, ForgetsALongLogWhoseWriterDoesNotComeBack) {
    PatientBackground& background = start_with_a_long_log();
    {
        const Shipper writer(core(), clock_);
        open(writer);
    }
    background.all_steps();
    pass(std::chrono::minutes(6));
    background.all_steps();
    const Shipper writer(core(), clock_);
    open(writer);
    EXPECT_FALSE(is_opened(writer));
    EXPECT_EQ(background.all_steps(), kSlices);
    EXPECT_TRUE(is_opened(writer));
}

TEST_F(LogServerCoreTest, LetsTheWriterOfALongLogComeBackOnAnotherConnection) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper first(core(), clock_);
    open(first);
    const Shipper second(core(), clock_, "10.0.0.1:40001");
    open(second);
    EXPECT_EQ(first.sink.last<LogRefused>().log, 7U);
    first.conversation->on_lost("connection lost");
    EXPECT_EQ(background.all_steps(), kSlices);
    EXPECT_EQ(second.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, DropsWhatComesBeforeALongLogIsOpened) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    writer.piece(kPieces, piece_);
    writer.say(totals_of(7, "abc", 1));
    writer.say(GiveUpLog{7, 1, "why not"});
    EXPECT_EQ(core().counters().of(Counted::pieces_held), 1U);
    background.all_steps();
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, SendsNoWriterAwayThatWaitsForALongLog) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    clock_.advance(std::chrono::minutes(6));
    writer.conversation->tick(clock_.now());
    background.all_steps();
    EXPECT_TRUE(is_opened(writer));
}

TEST_F(LogServerCoreTest, TellsTheWriterOfALongLogThatCannotBeRead) {
    PatientBackground& background = start_with_a_long_log();
    const Shipper writer(core(), clock_);
    open(writer);
    std::filesystem::resize_file(directory_.path() / "voip-1a2b3c4d" / "sender.glog.part", 1 << 20U);
    background.all_steps();
    EXPECT_NE(writer.sink.last<LogRefused>().reason.find("had been acknowledged"), std::string::npos);
    EXPECT_EQ(entry().pieces, kPieces);
}

}  // namespace
}  // namespace groma
