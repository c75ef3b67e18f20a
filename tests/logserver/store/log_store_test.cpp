#include "logserver/store/log_store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/files.hpp"
#include "tests/logserver/full_files.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

constexpr std::uint64_t kMost = 1000;

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
        return LogCatalogue(directory_.path(), LogCatalogue::Access::read).find("voip-1a2b3c4d", "sender").value();
    }
    void make_store() {
        store_.reset();
        store_.emplace(directory_.path(), clock_);
    }
    StoredLog& open(unsigned char token = 1) {
        if (not store_) {
            make_store();
        }
        return open_and_read(*store_, request(token), writer_);
    }
    void append(StoredLog& log, std::uint64_t number, std::string_view text) const {
        EXPECT_EQ(log.append({0, number, bytes(text)}, kMost), StoredLog::Took::piece);
    }
    void sweep(bool sync_all = true) {
        const Sweep sweep = store_->begin_sweep(sync_all);
        EXPECT_EQ(store_->end_sweep(run_sweep(sweep, store_->catalogue())), "");
    }

    /// The outcomes of a sweep of the log on a broken disk.
    std::vector<SyncOutcome> failed_sweep() {
        const std::int64_t id = store_->begin_sweep(true).jobs.front().update.id;
        return {{id, SyncOutcome::Kind::file_failed, "a broken disk"}};
    }

    TemporaryFolder directory_;
    ManualClock clock_;
    RecordingWriter writer_;
    std::optional<LogStore> store_;
};

TEST_F(LogStoreTest, GivesALogItsNameOnlyWhenItIsComplete) {
    StoredLog& log = open();
    append(log, 0, "abc");
    sweep();
    EXPECT_EQ(writer_.durable_pieces, 1U);
    EXPECT_EQ(content_of(file("sender.glog.part")), "abc");
    EXPECT_EQ(entry().state, LogState::writing);
    append(log, 1, "def");
    EXPECT_FALSE(log.close(totals_of("abcdef", 2)));
    EXPECT_FALSE(writer_.is_closed);
    sweep();
    EXPECT_TRUE(writer_.is_closed);
    EXPECT_EQ(content_of(file("sender.glog")), "abcdef");
    EXPECT_FALSE(std::filesystem::exists(file("sender.glog.part")));
    EXPECT_EQ(entry().state, LogState::complete);
    EXPECT_EQ(entry().bytes, 6U);
    EXPECT_EQ(entry().node, "hosta");
    EXPECT_EQ(store_->open_logs(), 0U);
}

TEST_F(LogStoreTest, AcknowledgesNothingBeforeASweep) {
    append(open(), 0, "abc");
    EXPECT_EQ(writer_.durable_pieces, 0U);
    EXPECT_EQ(entry().pieces, 0U);
}

TEST_F(LogStoreTest, AcknowledgesOnlyWhatTheSweepBeganWith) {
    StoredLog& log = open();
    append(log, 0, "abc");
    const Sweep sweep_of_one = store_->begin_sweep(true);
    append(log, 1, "def");
    EXPECT_EQ(store_->end_sweep(run_sweep(sweep_of_one, store_->catalogue())), "");
    EXPECT_EQ(writer_.durable_pieces, 1U);
    EXPECT_EQ(entry().bytes, 3U);
    sweep();
    EXPECT_EQ(writer_.durable_pieces, 2U);
}

TEST_F(LogStoreTest, DropsRepeatsByTheirNumber) {
    StoredLog& log = open();
    append(log, 0, "abc");
    EXPECT_EQ(log.append({0, 0, bytes("abc")}, kMost), StoredLog::Took::repeat);
    append(log, 1, "d");
    (void)log.close(totals_of("abcd", 2));
    sweep();
    EXPECT_EQ(content_of(file("sender.glog")), "abcd");
}

TEST_F(LogStoreTest, TakesNoPiecesThatLeaveAHole) {
    EXPECT_EQ(open().append({0, 1, bytes("abc")}, kMost), StoredLog::Took::gap);
}

TEST_F(LogStoreTest, DoesNotCallALogCompleteWhoseTotalsDoNotMatch) {
    StoredLog& log = open();
    append(log, 0, "abc");
    EXPECT_THROW((void)log.close(totals_of("abx", 1)), LogRefusal);
    EXPECT_THROW((void)log.close(totals_of("abc", 2)), LogRefusal);
    EXPECT_THROW((void)log.close(totals_of("abcd", 1)), LogRefusal);
    store_->leave(log, "totals");
    sweep();
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_FALSE(std::filesystem::exists(file("sender.glog")));
}

TEST_F(LogStoreTest, RefusesALogBeyondItsLimit) {
    StoredLog& log = open();
    append(log, 0, "abc");
    EXPECT_THROW((void)log.append({0, 1, bytes("def")}, 5), LogRefusal);
    EXPECT_EQ(log.append({0, 1, bytes("de")}, 5), StoredLog::Took::piece);
}

TEST_F(LogStoreTest, LetsOnlyTheWriterComeBack) {
    append(open(1), 0, "abc");
    EXPECT_THROW((void)open(2), LogRefusal);
    RecordingWriter other;
    const StoredLog& log = *store_->open(request(1), {.node = "hosta"}, other);
    EXPECT_TRUE(writer_.is_taken_over);
    EXPECT_EQ(log.pieces(), 1U);
    sweep();
    EXPECT_EQ(other.durable_pieces, 1U);
}

TEST_F(LogStoreTest, LetsTheWriterComeBackWhileItsLastPiecesAreBeingMadeDurable) {
    StoredLog& log = open();
    append(log, 0, "abc");
    store_->leave(log, "its connection ended");
    const Sweep going = store_->begin_sweep(true);
    StoredLog& same = open();
    append(same, 1, "def");
    EXPECT_EQ(store_->end_sweep(run_sweep(going, store_->catalogue())), "");
    EXPECT_EQ(entry().state, LogState::incomplete);
    sweep();
    EXPECT_EQ(entry().state, LogState::writing);
    EXPECT_EQ(writer_.durable_pieces, 2U);
}

TEST_F(LogStoreTest, GoesOnAfterARestartBehindWhatItAcknowledged) {
    StoredLog& log = open();
    append(log, 0, "abc");
    sweep();
    append(log, 1, "lost in the crash");
    make_store();
    EXPECT_EQ(entry().reason, "the log server ended");
    StoredLog& again = open();
    EXPECT_EQ(again.pieces(), 1U);
    append(again, 1, "def");
    (void)again.close(totals_of("abcdef", 2));
    sweep();
    EXPECT_EQ(content_of(file("sender.glog")), "abcdef");
}

TEST_F(LogStoreTest, ConfirmsACompleteLogAgainWhenTheFirstConfirmationWasLost) {
    StoredLog& log = open();
    append(log, 0, "abc");
    (void)log.close(totals_of("abc", 1));
    sweep();
    StoredLog& again = open();
    EXPECT_EQ(again.pieces(), 1U);
    EXPECT_EQ(again.append({0, 0, bytes("abc")}, kMost), StoredLog::Took::repeat);
    EXPECT_TRUE(again.close(totals_of("abc", 1)));
    EXPECT_THROW((void)again.append({0, 1, bytes("more")}, kMost), LogRefusal);
    EXPECT_EQ(content_of(file("sender.glog")), "abc");
}

TEST_F(LogStoreTest, CompletesALogThatWasRenamedJustBeforeACrash) {
    append(open(), 0, "abc");
    sweep();
    store_.reset();
    std::filesystem::rename(file("sender.glog.part"), file("sender.glog"));
    make_store();
    EXPECT_TRUE(std::filesystem::exists(file("sender.glog.part")));
    (void)open().close(totals_of("abc", 1));
    sweep();
    EXPECT_EQ(content_of(file("sender.glog")), "abc");
}

TEST_F(LogStoreTest, CompletesALogWhoseWriterLeftWhileItWasBeingClosed) {
    StoredLog& log = open();
    append(log, 0, "abc");
    (void)log.close(totals_of("abc", 1));
    store_->leave(log, "its connection ended");
    sweep();
    EXPECT_EQ(entry().state, LogState::complete);
}

TEST_F(LogStoreTest, KeepsALogThatWasGivenUpWithItsReason) {
    StoredLog& log = open();
    append(log, 0, "abc");
    EXPECT_THROW(log.give_up({0, 2, "its writer died"}), LogRefusal);
    log.give_up({0, 1, "its writer died"});
    sweep();
    EXPECT_TRUE(writer_.is_closed);
    EXPECT_EQ(state_text(entry()), "incomplete: its writer died");
    EXPECT_EQ(entry().hash, totals_of("abc", 1).hash);
    EXPECT_EQ(content_of(file("sender.glog.part")), "abc");
}

TEST_F(LogStoreTest, NeverTouchesAFileThatItDoesNotKnow) {
    std::filesystem::create_directories(directory_.path() / "voip-1a2b3c4d");
    std::ofstream(file("sender.glog")) << "precious";
    EXPECT_THROW((void)open(), LogRefusal);
    EXPECT_EQ(content_of(file("sender.glog")), "precious");
}

TEST_F(LogStoreTest, FollowsNoLinkOutOfItsDirectory) {
    const TemporaryFolder elsewhere;
    std::filesystem::create_directory_symlink(elsewhere.path(), directory_.path() / "voip-1a2b3c4d");
    EXPECT_THROW((void)open(), LogRefusal);
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(LogStoreTest, NoticesThatAnAcknowledgedLogWasCutByOthers) {
    StoredLog& log = open();
    append(log, 0, "abc");
    store_->leave(log, "test");
    sweep();
    std::filesystem::resize_file(file("sender.glog.part"), 2);
    EXPECT_THROW((void)open(), RunError);
    EXPECT_EQ(entry().state, LogState::incomplete);
}

TEST_F(LogStoreTest, NeverGoesOnInAFileThatWasPruned) {
    store_.reset();
    const auto write_and_leave = [this] {
        StoredLog& log = open();
        EXPECT_EQ(log.pieces(), 0U);
        append(log, 0, "abc");
        sweep();
        store_->leave(log, "test");
        sweep();
    };
    write_and_leave();
    // It is read again for a writer that does not wait.
    EXPECT_EQ(store_->open(request(), {.node = "hosta"}, writer_), nullptr);
    store_->leave(writer_);
    store_->begin_slice()();
    store_->end_slice();
    EXPECT_TRUE(
        store_->catalogue().forget(entry().id, false, [this] { std::filesystem::remove(file("sender.glog.part")); }));
    write_and_leave();
    EXPECT_THROW((void)store_->open(request(), {.node = "hosta"}, writer_), LogRefusal);
    append(open(), 1, "def");
    sweep();
    EXPECT_EQ(content_of(file("sender.glog.part")), "abcdef");
}

TEST_F(LogStoreTest, TakesNamesAndNoPaths) {
    make_store();
    EXPECT_THROW((void)store_->open(request(1, "../../evil"), {.node = "hosta"}, writer_), LogRefusal);
    OpenLog open = request();
    open.experiment = "..";
    EXPECT_THROW((void)store_->open(open, {.node = "hosta"}, writer_), LogRefusal);
    EXPECT_FALSE(std::filesystem::exists(directory_.path().parent_path() / "evil.glog.part"));
}

TEST_F(LogStoreTest, TakesNoNameThatAFileOfTheCatalogueHasOrMayGet) {
    make_store();
    for (const char* name : {"catalogue.sqlite", "catalogue.sqlite-journal", "catalogue.sqlite-wal",
                             "catalogue.sqlite-shm", "Catalogue.SQLite-Journal", "catalogue.sqlite.old"}) {
        OpenLog open = request();
        open.experiment = name;
        EXPECT_THROW((void)store_->open(open, {.node = "hosta"}, writer_), LogRefusal) << name;
    }
    for (const char* name : {"catalogue", "catalogue.sql", "my-catalogue.sqlite"}) {
        OpenLog open = request();
        open.experiment = name;
        RecordingWriter writer;
        EXPECT_NO_THROW((void)open_and_read(*store_, open, writer)) << name;
        store_->leave(*writer.log, "test");
    }
    make_store();
    EXPECT_EQ(store_->catalogue().all().size(), 3U);
}

TEST_F(LogStoreTest, NamesTheFolderThatIsInTheWayOfTheCatalogue) {
    append(open(), 0, "abc");
    sweep();
    store_.reset();
    const auto folder = directory_.path() / "catalogue.sqlite-journal";
    std::filesystem::create_directory(folder);
    try {
        make_store();
        FAIL() << "made";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find(folder.string() + " is where SQLite"), std::string::npos)
            << error.what();
    }
    std::filesystem::remove(folder);
    EXPECT_EQ(open().pieces(), 1U);
}

TEST_F(LogStoreTest, TakesNoExperimentThatIsCalledLikeAFile) {
    make_store();
    std::ofstream(directory_.path() / "voip-1a2b3c4d") << "precious";
    EXPECT_THROW((void)open(), LogRefusal);
    EXPECT_TRUE(store_->catalogue().all().empty());
}

TEST_F(LogStoreTest, KeepsASecondServerOut) {
    make_store();
    EXPECT_THROW(LogStore(directory_.path(), clock_), RunError);
}

TEST_F(LogStoreTest, NotesLaterWhatTheCatalogueHadNoRoomFor) {
    append(open(), 0, "abc");
    const auto outcomes = failed_sweep();
    {
        const FullFiles full(0);
        EXPECT_EQ(store_->end_sweep(outcomes), "");
    }
    EXPECT_EQ(writer_.failure, "a broken disk");
    EXPECT_EQ(entry().state, LogState::writing);
    store_->note_what_is_due();
    EXPECT_EQ(state_text(entry()), "incomplete: a broken disk");
}

TEST_F(LogStoreTest, NotesNothingLaterOfALogThatIsWrittenAgain) {
    append(open(), 0, "abc");
    const auto outcomes = failed_sweep();
    {
        const FullFiles full(0);
        EXPECT_EQ(store_->end_sweep(outcomes), "");
    }
    StoredLog& again = open();
    store_->note_what_is_due();
    EXPECT_EQ(entry().state, LogState::writing);
    append(again, 0, "abc");
    sweep();
    EXPECT_EQ(entry().pieces, 1U);
}

TEST_F(LogStoreTest, NotesWhyALogIsIncomplete) {
    StoredLog& log = open();
    append(log, 0, "abc");
    store_->leave(log, "the writer died");
    sweep();
    EXPECT_EQ(entry().reason, "the writer died");
    EXPECT_EQ(entry().pieces, 1U);
}

}  // namespace
}  // namespace groma
