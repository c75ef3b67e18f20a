#include "logserver/log_store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/logserver/temporary_directory.hpp"

namespace groma {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

CloseLog totals_of(std::string_view text, std::uint64_t pieces) {
    RunningHash hash;
    hash.add(bytes(text));
    return {0, pieces, text.size(), hash.value()};
}

class LogStoreTest : public testing::Test {
protected:
    static OpenLog request(unsigned char token = 1, const std::string& name = "sender") {
        OpenLog open;
        open.token.fill(static_cast<std::byte>(token));
        open.experiment = "voip-1a2b3c4d";
        open.name = name;
        return open;
    }
    [[nodiscard]] std::filesystem::path file(const std::string& name) const {
        return directory_.path() / "voip-1a2b3c4d" / name;
    }
    [[nodiscard]] CatalogueEntry entry() const {
        return Catalogue(directory_.path(), Catalogue::Access::read).find("voip-1a2b3c4d", "sender").value();
    }
    LogStore make_store(std::uint64_t max_bytes = 1000) { return LogStore(directory_.path(), max_bytes, clock_); }

    TemporaryDirectory directory_;
    ManualClock clock_;
};

TEST_F(LogStoreTest, GivesALogItsNameOnlyWhenItIsComplete) {
    LogStore store = make_store();
    const auto log = store.open(request());
    log->append({0, 0, bytes("abc")});
    EXPECT_EQ(log->make_durable(), 1U);
    EXPECT_EQ(content_of(file("sender.glog.part")), "abc");
    EXPECT_FALSE(entry().complete);
    log->append({0, 1, bytes("def")});
    log->close(totals_of("abcdef", 2));
    EXPECT_EQ(content_of(file("sender.glog")), "abcdef");
    EXPECT_FALSE(std::filesystem::exists(file("sender.glog.part")));
    EXPECT_TRUE(entry().complete);
    EXPECT_EQ(entry().bytes, 6U);
}

TEST_F(LogStoreTest, DropsRepeatsByTheirNumber) {
    LogStore store = make_store();
    const auto log = store.open(request());
    log->append({0, 0, bytes("abc")});
    log->append({0, 0, bytes("abc")});
    log->append({0, 1, bytes("d")});
    log->close(totals_of("abcd", 2));
    EXPECT_EQ(content_of(file("sender.glog")), "abcd");
}

TEST_F(LogStoreTest, RefusesPiecesThatLeaveAHole) {
    LogStore store = make_store();
    const auto log = store.open(request());
    EXPECT_THROW(log->append({0, 1, bytes("abc")}), LogRefusal);
}

TEST_F(LogStoreTest, DoesNotCallALogCompleteWhoseTotalsDoNotMatch) {
    LogStore store = make_store();
    const auto log = store.open(request());
    log->append({0, 0, bytes("abc")});
    EXPECT_THROW(log->close(totals_of("abx", 1)), LogRefusal);
    EXPECT_THROW(log->close(totals_of("abc", 2)), LogRefusal);
    EXPECT_THROW(log->close(totals_of("abcd", 1)), LogRefusal);
    log->give_up("totals");
    EXPECT_FALSE(entry().complete);
    EXPECT_FALSE(std::filesystem::exists(file("sender.glog")));
}

TEST_F(LogStoreTest, RefusesALogBeyondItsLimit) {
    LogStore store = make_store(5);
    const auto log = store.open(request());
    log->append({0, 0, bytes("abc")});
    EXPECT_THROW(log->append({0, 1, bytes("def")}), LogRefusal);
    log->append({0, 1, bytes("de")});
}

TEST_F(LogStoreTest, LetsOnlyTheWriterComeBack) {
    LogStore store = make_store();
    store.open(request(1))->append({0, 0, bytes("abc")});
    EXPECT_THROW((void)store.open(request(2)), LogRefusal);
    EXPECT_EQ(store.open(request(1))->pieces(), 0U);
}

TEST_F(LogStoreTest, GoesOnAfterARestartBehindWhatItAcknowledged) {
    {
        LogStore store = make_store();
        const auto log = store.open(request());
        log->append({0, 0, bytes("abc")});
        (void)log->make_durable();
        log->append({0, 1, bytes("lost in the crash")});
    }
    LogStore store = make_store();
    EXPECT_EQ(entry().reason, "the log server ended");
    const auto log = store.open(request());
    EXPECT_EQ(log->pieces(), 1U);
    log->append({0, 1, bytes("def")});
    log->close(totals_of("abcdef", 2));
    EXPECT_EQ(content_of(file("sender.glog")), "abcdef");
}

TEST_F(LogStoreTest, ConfirmsACompleteLogAgainWhenTheFirstConfirmationWasLost) {
    LogStore store = make_store();
    const auto log = store.open(request());
    log->append({0, 0, bytes("abc")});
    log->close(totals_of("abc", 1));
    const auto again = store.open(request());
    EXPECT_EQ(again->pieces(), 1U);
    again->append({0, 0, bytes("abc")});
    again->close(totals_of("abc", 1));
    EXPECT_THROW(again->append({0, 1, bytes("more")}), LogRefusal);
    EXPECT_EQ(content_of(file("sender.glog")), "abc");
}

TEST_F(LogStoreTest, CompletesALogThatWasRenamedJustBeforeACrash) {
    {
        LogStore store = make_store();
        const auto log = store.open(request());
        log->append({0, 0, bytes("abc")});
        (void)log->make_durable();
    }
    std::filesystem::rename(file("sender.glog.part"), file("sender.glog"));
    LogStore store = make_store();
    const auto log = store.open(request());
    log->close(totals_of("abc", 1));
    EXPECT_EQ(content_of(file("sender.glog")), "abc");
}

TEST_F(LogStoreTest, NeverTouchesAFileThatItDoesNotKnow) {
    LogStore store = make_store();
    std::filesystem::create_directories(directory_.path() / "voip-1a2b3c4d");
    std::ofstream(file("sender.glog")) << "precious";
    EXPECT_THROW((void)store.open(request()), LogRefusal);
    EXPECT_EQ(content_of(file("sender.glog")), "precious");
}

TEST_F(LogStoreTest, NoticesThatAnAcknowledgedLogWasCutByOthers) {
    LogStore store = make_store();
    {
        const auto log = store.open(request());
        log->append({0, 0, bytes("abc")});
        log->give_up("test");
    }
    std::filesystem::resize_file(file("sender.glog.part"), 2);
    EXPECT_THROW((void)store.open(request()), RunError);
}

TEST_F(LogStoreTest, TakesNamesAndNoPaths) {
    LogStore store = make_store();
    EXPECT_THROW((void)store.open(request(1, "../../evil")), LogRefusal);
    OpenLog open = request();
    open.experiment = "..";
    EXPECT_THROW((void)store.open(open), LogRefusal);
    EXPECT_FALSE(std::filesystem::exists(directory_.path().parent_path() / "evil.glog.part"));
}

TEST_F(LogStoreTest, KeepsASecondServerOut) {
    const LogStore store = make_store();
    EXPECT_THROW(make_store(), RunError);
}

TEST_F(LogStoreTest, NotesWhyALogIsIncomplete) {
    LogStore store = make_store();
    const auto log = store.open(request());
    EXPECT_EQ(entry().reason, kBeingWritten);
    log->append({0, 0, bytes("abc")});
    log->give_up("the writer died");
    EXPECT_EQ(entry().reason, "the writer died");
    EXPECT_EQ(entry().pieces, 1U);
}

}  // namespace
}  // namespace groma
