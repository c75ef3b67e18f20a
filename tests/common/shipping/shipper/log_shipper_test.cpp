// A shipper and a small server in the test: logs arrive, whatever happens to connections.
#include "common/shipping/shipper/log_shipper.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/spool/spool_folders.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

/// Keeps logs in memory, across connections.
class Server {
public:
    std::mutex mutex;
    std::map<std::string, std::vector<std::vector<std::byte>>> logs;
    std::map<std::string, std::string> ends;  ///< "closed", or why it was given up
    bool away = false;
    bool holds = false;
    bool dallies = false;  ///< answers `go on` instead of closing
    int flips = 0;         ///< this often, holds and continues at a piece
    std::string hold_reason = "the disk is full";
    std::size_t cut_after = SIZE_MAX;  ///< frames of each connection
    std::size_t connections = 0;

    std::string content(const std::string& name) {
        const std::scoped_lock lock(mutex);
        std::string all;
        for (const auto& piece : logs[name]) {
            all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        }
        return all;
    }
};

class Link final : public ShippingLink {
public:
    explicit Link(Server& server) : server_(server), left_(server.cut_after) { ++server.connections; }

    [[nodiscard]] bool send(std::span<const std::byte> frame) override {
        const std::scoped_lock lock(server_.mutex);
        lose_if_due();
        const LogFrame parsed = parse_log_frame(frame.subspan(4), "the shipper");
        if (std::holds_alternative<ShipperHello>(parsed)) {
            answer(ServerWelcome{});
        } else if (const auto* open = std::get_if<OpenLog>(&parsed)) {
            names_[open->log] = open->name;
            answer(LogOpened{open->log, server_.logs[open->name].size()});
            if (server_.holds) {
                answer(LogHold{open->log, server_.hold_reason});
            }
        } else if (const auto* piece = std::get_if<LogPiece>(&parsed)) {
            auto& log = server_.logs.at(names_.at(piece->log));
            EXPECT_EQ(piece->number, log.size());
            log.emplace_back(piece->bytes.begin(), piece->bytes.end());
            answer(LogDurable{piece->log, log.size()});
            for (int i = 0; i < server_.flips; ++i) {
                answer(LogHold{piece->log, server_.hold_reason});
                answer(LogGoOn{piece->log, log.size()});
            }
        } else if (const auto* close = std::get_if<CloseLog>(&parsed)) {
            EXPECT_EQ(close->pieces, server_.logs.at(names_.at(close->log)).size());
            if (server_.dallies) {
                answer(LogHold{close->log, "in a moment"});
                answer(LogGoOn{close->log, close->pieces});
                return true;
            }
            server_.ends[names_.at(close->log)] = "closed";
            answer(LogClosed{close->log});
        } else if (const auto* give_up = std::get_if<GiveUpLog>(&parsed)) {
            server_.ends[names_.at(give_up->log)] = give_up->reason;
            answer(LogClosed{give_up->log});
        }
        return true;
    }
    void turn() override {
        const std::scoped_lock lock(server_.mutex);
        if (server_.away) {
            throw SystemError("hear from the server", ECONNRESET);
        }
    }
    [[nodiscard]] std::optional<LogFrame> next() override {
        if (answers_.empty()) {
            return std::nullopt;
        }
        LogFrame frame = answers_.front();
        answers_.pop_front();
        return frame;
    }
    void wait(int wake_fd, MonoTime /*until*/) override {
        pollfd entry{.fd = wake_fd, .events = POLLIN, .revents = 0};
        ::poll(&entry, 1, answers_.empty() ? 5 : 0);
    }

private:
    void lose_if_due() {
        if (server_.away or left_-- == 0) {
            throw SystemError("send to the server", EPIPE);
        }
    }
    void answer(const LogFrame& frame) { answers_.push_back(frame); }

    Server& server_;
    std::size_t left_;
    std::map<LogNumber, std::string> names_;
    std::deque<LogFrame> answers_;
};

class LogShipperTest : public testing::Test {
protected:
    ShippingSettings settings(bool spooled = true) {
        ShippingSettings settings{.open = [this](Clock&) -> std::unique_ptr<ShippingLink> {
                                      const std::scoped_lock lock(server_.mutex);
                                      if (server_.away) {
                                          throw SystemError("connect to the log server", ECONNREFUSED);
                                      }
                                      return std::make_unique<Link>(server_);
                                  },
                                  .peer = "log server c:9001 (tcp)",
                                  .server = "c:9001",
                                  .transport = LogTransport::tcp,
                                  .node = "here",
                                  .program = "groma-test 1",
                                  .spool = spooled ? directory_.path() / "spool" : std::filesystem::path(),
                                  .limits = {},
                                  .report = {}};
        settings.limits.times.first_pause = std::chrono::milliseconds(1);
        settings.limits.times.longest_pause = std::chrono::milliseconds(5);
        // No step here takes this long, even on a loaded machine.
        settings.limits.times.opening = settings.limits.times.patience = settings.limits.times.farewell =
            std::chrono::minutes(2);
        return settings;
    }
    /// For servers that never confirm.
    ShippingSettings impatient() {
        ShippingSettings hasty = settings();
        hasty.limits.times.patience = hasty.limits.times.farewell = std::chrono::milliseconds(100);
        return hasty;
    }
    void set_away(bool away) {
        const std::scoped_lock lock(server_.mutex);
        server_.away = away;
    }
    static void append(LogSink& log, std::string_view text) { log.append(std::as_bytes(std::span(text))); }
    [[nodiscard]] std::vector<std::filesystem::path> spools() const { return spools_in(directory_.path() / "spool"); }

    TemporaryFolder directory_;
    Server server_;
};

TEST_F(LogShipperTest, ShipsManyLogsOverOneConnection) {
    LogShipper shipper(settings(), kernel_clock());
    std::vector<std::unique_ptr<ShippedLog>> logs;
    logs.reserve(8);
    for (int i = 0; i < 8; ++i) {
        logs.push_back(shipper.open_log("voip", "log" + std::to_string(i)));
    }
    for (const auto& log : logs) {
        append(*log, "first ");
        append(*log, "second");
    }
    for (std::size_t i = 0; i < logs.size(); ++i) {
        logs[i]->close();
        EXPECT_EQ(server_.content("log" + std::to_string(i)), "first second");
        EXPECT_TRUE(logs[i]->state().delivered);
    }
    EXPECT_EQ(server_.connections, 1U);
    EXPECT_TRUE(spools().empty());
}

TEST_F(LogShipperTest, NothingIsLostOrDoubledOverConnectionsThatBreak) {
    server_.cut_after = 7;
    LogShipper shipper(settings(), kernel_clock());
    const auto log = shipper.open_log("voip", "sender");
    std::string all;
    for (int i = 0; i < 100; ++i) {
        const std::string text = "piece " + std::to_string(i) + ';';
        append(*log, text);
        all += text;
    }
    log->close();
    EXPECT_EQ(server_.content("sender"), all);
    EXPECT_GT(shipment_of(*log).reconnections, 5U);
}

TEST_F(LogShipperTest, AServerThatIsAwayAtTheEndLeavesTheSpoolForLater) {
    {
        ShippingSettings keyed = impatient();
        keyed.key_option = " --key lab.key";
        LogShipper shipper(keyed, kernel_clock());
        const auto log = shipper.open_log("voip", "sender");
        append(*log, "here ");
        set_away(true);
        append(*log, "and away");
        try {
            log->close();
            FAIL() << "confirmed by nobody";
        } catch (const RunError& error) {
            const std::string command =
                "groma-send --resume-spool --spool-dir " + (directory_.path() / "spool").string();
            EXPECT_TRUE(std::string(error.what()).ends_with(command + " --key lab.key")) << error.what();
        }
    }
    ASSERT_EQ(spools().size(), 1U);
    set_away(false);
    LogShipper later(settings(), kernel_clock());
    later.resume(Spool::open(spools().front()))->close();
    EXPECT_EQ(server_.content("sender"), "here and away");
    EXPECT_EQ(server_.ends["sender"], "closed");
    EXPECT_TRUE(spools().empty());
}

TEST_F(LogShipperTest, AServerThatTakesNothingIsNamedWithItsReason) {
    LogShipper shipper(impatient(), kernel_clock());
    server_.holds = true;
    const auto log = shipper.open_log("voip", "sender");
    append(*log, "anything");
    try {
        log->close();
        FAIL() << "taken";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("the disk is full"), std::string::npos) << error.what();
    }
    EXPECT_NE(shipment_of(*log).error.find("the disk is full"), std::string::npos);
    EXPECT_EQ(spools().size(), 1U);
}

TEST_F(LogShipperTest, AServerThatGoesOnAgainAndAgainWithoutGettingOnIsNotWaitedFor) {
    LogShipper shipper(impatient(), kernel_clock());
    server_.dallies = true;
    const auto log = shipper.open_log("voip", "sender");
    append(*log, "anything");
    EXPECT_THROW(log->close(), RunError);
    EXPECT_EQ(spools().size(), 1U);
}

TEST_F(LogShipperTest, WhoeverRunsTheProgramIsToldThatTheConnectionIsLostAndMadeAgain) {
    std::string told;  // written by the shipper's thread, which ends first
    server_.cut_after = 7;
    ShippingSettings telling = settings();
    telling.report = [&told](const std::string& sentence) { told += sentence + '\n'; };
    {
        LogShipper shipper(telling, kernel_clock());
        const auto log = shipper.open_log("voip", "sender");
        for (int i = 0; i < 20; ++i) {
            append(*log, "piece");
        }
        log->close();
    }
    EXPECT_NE(told.find("; the log goes to the spool until the log server c:9001 (tcp) is back"), std::string::npos);
    EXPECT_NE(told.find("connected to the log server c:9001 (tcp) again"), std::string::npos) << told;
}

TEST_F(LogShipperTest, WhoeverRunsTheProgramIsToldOnceThatManyLogsAreHeld) {
    std::string told;
    server_.holds = true;
    ShippingSettings telling = impatient();
    telling.report = [&told](const std::string& sentence) { told += sentence + '\n'; };
    {
        LogShipper shipper(telling, kernel_clock());
        const auto log = shipper.open_log("voip", "sender");
        const auto other = shipper.open_log("voip", "receiver");
        append(*log, "piece");
        append(*other, "piece");
        EXPECT_THROW(log->close(), RunError);
        EXPECT_THROW(other->close(), RunError);
    }
    EXPECT_EQ(told, "the log server c:9001 (tcp) takes nothing for now: the disk is full; the log goes to the spool\n");
}

TEST_F(LogShipperTest, AServerThatHoldsAndGoesOnAgainAndAgainIsToldOfTenTimesAndThenCounted) {
    ManualClock clock;  // stands still
    std::vector<std::string> told;
    server_.flips = 1000;
    server_.hold_reason = std::string(4000, 'x');
    ShippingSettings telling = settings();
    telling.report = [&told](const std::string& sentence) { told.push_back(sentence); };
    {
        LogShipper shipper(telling, clock);
        const auto log = shipper.open_log("voip", "sender");
        append(*log, std::string(200'000, 'x'));
        while (log->state().kept.durable_bytes == 0) {  // the holds follow it
            std::this_thread::yield();
        }
        log->close();
    }
    ASSERT_EQ(told.size(), 11U);
    EXPECT_LT(told.front().size(), 500U) << "a reason is cut short";
    EXPECT_EQ(told.back(), "the log server c:9001 (tcp) takes logs again (earlier warnings left out: 1989)");
}

TEST_F(LogShipperTest, WhatIsNotConfirmedInTimeIsNotWaitedForAndStaysInTheSpool) {
    ShippingSettings short_of_time = settings();
    short_of_time.until = kernel_clock().now();
    server_.holds = true;
    LogShipper shipper(short_of_time, kernel_clock());
    const auto log = shipper.open_log("voip", "sender");
    append(*log, "piece");
    EXPECT_THROW(log->close(), RunError);
    EXPECT_EQ(spools().size(), 1U);
}

TEST_F(LogShipperTest, ShippersOfOneFolderShareItsLimit) {
    ShippingSettings sharing = settings();
    sharing.budget = std::make_shared<SpoolBudget>(100'000);
    LogShipper shipper(sharing, kernel_clock());
    LogShipper other(sharing, kernel_clock());
    server_.holds = true;
    const auto log = shipper.open_log("voip", "sender");
    const auto second = other.open_log("voip", "receiver");
    append(*log, std::string(60'000, 'x'));
    append(*second, std::string(60'000, 'x'));
    EXPECT_EQ(log->state().kept.not_spooled, 0U);
    EXPECT_EQ(second->state().kept.not_spooled, 1U);
    EXPECT_LE(sharing.budget->used(), 100'000U);
    shipper.stop();
    other.stop();
}

Grant grant_with(std::string_view limits) {
    return {.name = "lab", .limits = parse_limits(limits)};
}

TEST_F(LogShipperTest, TheSpoolsOfAKeyHaveALimitThatIsNoOtherLogs) {
    LogShipper shipper(impatient(), kernel_clock());
    server_.holds = true;
    const auto first = shipper.open_log("voip", "first", grant_with("spool-bytes=1kB"));
    const auto second = shipper.open_log("voip", "second", grant_with("spool-bytes=1kB"));
    const auto other = shipper.open_log("voip", "other");
    append(*first, std::string(600, 'x'));
    append(*second, std::string(600, 'x'));
    append(*other, std::string(600, 'x'));
    EXPECT_EQ(first->state().kept.not_spooled, 0U);
    EXPECT_EQ(second->state().kept.not_spooled, 1U);
    EXPECT_NE(shipment_of(*second).error.find("the key 'lab' allows at most 1 kB of logs in the spool"),
              std::string::npos);
    EXPECT_EQ(other->state().kept.not_spooled, 0U);
}

TEST_F(LogShipperTest, WhatIsLeftInTheSpoolUnderAKeyCountsAlsoForTheNextProgram) {
    server_.holds = true;
    ShippingSettings sharing = impatient();
    {
        LogShipper shipper(sharing, kernel_clock());
        append(*shipper.open_log("voip", "left", grant_with("flows=1")), std::string(600, 'x'));
    }
    ASSERT_EQ(spools().size(), 1U);
    sharing.budget = std::make_shared<SpoolBudget>(100'000);
    LogShipper next(sharing, kernel_clock());
    const auto log = next.open_log("voip", "sender", grant_with("spool-bytes=1kB"));
    append(*log, std::string(600, 'x'));
    EXPECT_EQ(log->state().kept.not_spooled, 1U);
    const auto of_another =
        next.open_log("voip", "another", Grant{.name = "other", .limits = parse_limits("spool-bytes=1kB")});
    append(*of_another, std::string(600, 'x'));
    EXPECT_EQ(of_another->state().kept.not_spooled, 0U);
    next.stop();
}

TEST_F(LogShipperTest, ALogWhoseWriterLeavesIsDeliveredAsThePartThatItIs) {
    {
        LogShipper shipper(settings(), kernel_clock());
        const auto log = shipper.open_log("voip", "sender");
        append(*log, "half");
    }
    EXPECT_EQ(server_.content("sender"), "half");
    EXPECT_NE(server_.ends["sender"].find("before it closed"), std::string::npos);
    EXPECT_TRUE(spools().empty());
}

TEST_F(LogShipperTest, ALogThatCannotBeOpenedLeavesNothing) {
    set_away(true);
    LogShipper shipper(settings(), kernel_clock());
    EXPECT_THROW((void)shipper.open_log("voip", "sender"), SystemError);
    EXPECT_TRUE(spools().empty());
    EXPECT_THROW((void)shipper.open_log("../voip", "sender"), UsageError);
    set_away(false);
    EXPECT_NO_THROW((void)shipper.open_log("voip", "sender"));
}

TEST_F(LogShipperTest, WorksInMemoryAlone) {
    LogShipper shipper(settings(false), kernel_clock());
    const auto log = shipper.open_log("voip", "sender");
    append(*log, "all of it");
    log->close();
    EXPECT_EQ(server_.content("sender"), "all of it");
}

TEST_F(LogShipperTest, StopEndsWhatWaits) {
    ShippingSettings patient = settings();
    patient.limits.times.patience = std::chrono::hours(1);
    LogShipper shipper(patient, kernel_clock());
    const auto log = shipper.open_log("voip", "sender");
    set_away(true);
    append(*log, "something");
    std::thread stopper([&] { shipper.stop(); });
    EXPECT_THROW(log->close(), RunError);
    stopper.join();
}

}  // namespace
}  // namespace groma
