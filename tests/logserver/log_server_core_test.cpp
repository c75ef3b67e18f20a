// A log server whose host refuses resources: it reports this, continues when it can, and ends on request.
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

/// While it lives, this process can open only four more files. (Sanitizers need some.)
class FewDescriptors {
public:
    FewDescriptors() {
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
        std::array<FileDescriptor, 4> left;
        for (FileDescriptor& fd : left) {
            fd = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        }
        // The kernel returns the lowest free number: all below the last one are in use.
        const rlimit few{static_cast<rlim_t>(left.back().get()) + 1, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
    ~FewDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

private:
    rlimit before_{};
};

/// Does no work while `fails`.
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

/// Does its work on request, one piece at a time.
class PatientBackground final : public Background {
public:
    void run(std::function<void()> work, std::function<void()> done) override {
        EXPECT_FALSE(work_) << "work was begun while other work waits";
        work_ = std::move(work);
        done_ = std::move(done);
    }
    /// Returns: false if there is no work.
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
    /// A server that finds twelve pieces of a log at its start, which are three slices.
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
    static std::size_t opened(const Shipper& shipper) {
        return static_cast<std::size_t>(std::ranges::count_if(
            shipper.sink.frames, [](const LogFrame& frame) { return std::holds_alternative<LogOpened>(frame); }));
    }
    static bool is_opened(const Shipper& shipper) {
        return std::ranges::any_of(shipper.sink.frames,
                                   [](const LogFrame& frame) { return std::holds_alternative<LogOpened>(frame); });
    }

    static constexpr std::uint64_t kPieces = 12;
    static constexpr int kSlices = 3;
    static constexpr int kClaims = 1;  ///< steps that claim a log that was read
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
    bool fails = false;
    background_ = std::make_unique<FailingBackground>(fails);
    const Shipper shipper(core(), clock_);
    give_pieces(shipper, 1);
    fails = true;
    pass(std::chrono::seconds(1));
    EXPECT_NE(shipper.sink.last<LogHold>().reason.find("wake the syncing thread"), std::string::npos);
    fails = false;
    pass(std::chrono::seconds(1));
    EXPECT_EQ(shipper.sink.last<LogGoOn>(), (LogGoOn{1, 1}));
    EXPECT_EQ(entry("sender-1").pieces, 1U);
}

TEST_F(LogServerCoreTest, OpensALogLaterWhenItCannotBeClaimedNow) {
    bool fails = true;
    background_ = std::make_unique<FailingBackground>(fails);
    const Shipper shipper(core(), clock_);
    open(shipper);
    EXPECT_FALSE(is_opened(shipper));
    fails = false;
    pass(std::chrono::seconds(1));
    EXPECT_TRUE(is_opened(shipper));
    shipper.piece(0, "abc");
    shipper.say(totals_of(7, "abc", 1));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{7});
}

TEST_F(LogServerCoreTest, EndsWhenNoSweepCanBegin) {
    bool fails = false;
    background_ = std::make_unique<FailingBackground>(fails);
    const Shipper shipper(core(), clock_);
    give_pieces(shipper, 1);
    fails = true;
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
    EXPECT_TRUE(background.step());  // a slice
    EXPECT_TRUE(background.step());  // claims
    EXPECT_EQ(other.sink.last_opened(), (LogOpened{1, 0}));
    other.piece(0, "abc", 1);
    other.say(totals_of(1, "abc", 1));
    EXPECT_TRUE(background.step());  // a slice
    EXPECT_TRUE(background.step());  // a sweep
    EXPECT_EQ(other.sink.last<LogClosed>(), LogClosed{1});
    EXPECT_FALSE(is_opened(writer));
    EXPECT_EQ(background.all_steps(), kSlices - 2 + kClaims);
    EXPECT_EQ(writer.sink.last_opened(), (LogOpened{7, kPieces}));
}

TEST_F(LogServerCoreTest, OpensALogOfAnotherHostBesideManyOfOne) {
    auto patient = std::make_unique<PatientBackground>();
    PatientBackground& background = *patient;
    background_ = std::move(patient);
    const Shipper many(core(), clock_);
    many.greet();
    for (LogNumber log = 1; log <= 500; ++log) {
        many.open(log, "sender-" + std::to_string(log));
    }
    const Shipper other(core(), clock_, "10.0.0.2:40000");
    other.greet();
    other.open(1, "receiver", 2);
    EXPECT_TRUE(background.step());  // the batch that was begun at once
    EXPECT_TRUE(background.step());
    EXPECT_EQ(other.sink.last_opened(), (LogOpened{1, 0}));
    EXPECT_LT(opened(many), 2 * ClaimQueue::kMostInBatch);
    background.all_steps();
    EXPECT_EQ(opened(many), 500U);
}

TEST_F(LogServerCoreTest, MakesALogOfAnotherHostDurableBesideManyOfOne) {
    constexpr LogNumber kMany = 3 * LogStore::kMostInSweep;
    auto patient = std::make_unique<PatientBackground>();
    PatientBackground& background = *patient;
    background_ = std::move(patient);
    const Shipper many(core(), clock_);
    many.greet();
    const Shipper other(core(), clock_, "10.0.0.2:40000");
    other.greet();
    other.open(1, "z-receiver", 2);
    for (LogNumber log = 1; log <= kMany; ++log) {
        many.open(log, "sender-" + std::to_string(log));
    }
    background.all_steps();
    other.piece(0, "abc", 1);
    for (LogNumber log = 1; log <= kMany; ++log) {
        many.piece(0, "abc", log);
    }
    pass(std::chrono::seconds(1));
    EXPECT_TRUE(background.step());
    EXPECT_EQ(other.sink.last<LogDurable>(), (LogDurable{1, 1}));
    EXPECT_EQ(background.all_steps(), 3) << "each log once";
    EXPECT_EQ(std::ranges::count_if(many.sink.frames,
                                    [](const LogFrame& frame) { return std::holds_alternative<LogDurable>(frame); }),
              kMany);
}

TEST_F(LogServerCoreTest, OneHostHasItsShareOfTheOpenLogs) {
    settings_.max_logs = 8;
    const Shipper one(core(), clock_);
    one.greet();
    for (LogNumber log = 1; log <= 7; ++log) {
        one.open(log, "sender-" + std::to_string(log));
    }
    EXPECT_EQ(opened(one), 6U);
    const auto refused = one.sink.last<LogRefused>();
    EXPECT_EQ(refused.log, 7U);
    EXPECT_TRUE(refused.try_again);
    EXPECT_NE(refused.reason.find("as many logs of 10.0.0.1 as this server takes of one host are being written (6; see "
                                  "groma-log --max-logs-per-host)"),
              std::string::npos)
        << refused.reason;
    const Shipper other(core(), clock_, "10.0.0.2:40000");
    open(other);
    EXPECT_TRUE(is_opened(other));
    one.say(totals_of(1, "", 0));
    EXPECT_EQ(one.sink.last<LogClosed>(), LogClosed{1});
    one.open(8, "sender-8");
    EXPECT_EQ(one.sink.last_opened(), (LogOpened{8, 0}));
}

TEST_F(LogServerCoreTest, ForgetsAClaimWhoseWriterLeavesBeforeItsTurn) {
    auto patient = std::make_unique<PatientBackground>();
    PatientBackground& background = *patient;
    background_ = std::move(patient);
    {
        const Shipper leaving(core(), clock_);
        open(leaving);                 // in the batch that is begun
        leaving.open(8, "second", 2);  // waits for another
    }
    background.all_steps();
    pass(std::chrono::seconds(1));
    background.all_steps();
    EXPECT_EQ(state_text(entry()), "incomplete: its connection ended");
    EXPECT_FALSE(LogCatalogue(directory_.path(), LogCatalogue::Access::read).find("voip-1a2b3c4d", "second"));
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
    for (int step = 0; step < 4 + kClaims; ++step) {
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
    EXPECT_EQ(background.all_steps(), kClaims);
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
    EXPECT_EQ(background.all_steps(), kSlices + kClaims);
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
    EXPECT_EQ(background.all_steps(), kSlices + kClaims);
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
