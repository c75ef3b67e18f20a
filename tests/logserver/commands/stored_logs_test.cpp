// The commands on stored logs, on a directory that a store has written.
#include "logserver/commands/stored_logs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/cli/wrapped_text.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "logserver/commands/export.hpp"
#include "logserver/commands/list.hpp"
#include "logserver/commands/prune.hpp"
#include "logserver/commands/verify.hpp"
#include "logserver/store/log_store.hpp"
#include "tests/common/log/log_samples.hpp"
#include "tests/files.hpp"
#include "tests/logserver/full_files.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoredLogsTest : public testing::Test {
protected:
    StoredLogsTest() {
        store_.emplace(directory(), clock_);
        request_.directory = directory();
    }
    [[nodiscard]] std::filesystem::path directory() const { return directory_.path() / "logs"; }
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return directory() / name; }

    StoredLog& open(const std::string& experiment, const std::string& name, const std::string& content) {
        OpenLog open{0, {}, experiment, name};
        open.token.fill(std::byte{1});
        StoredLog& log = open_and_read(*store_, open, writer_);
        EXPECT_EQ(log.append({0, 0, std::as_bytes(std::span(content))}, SIZE_MAX), StoredLog::Took::piece);
        return log;
    }
    void sweep() {
        const Sweep sweep = store_->begin_sweep(true);
        EXPECT_EQ(store_->end_sweep(run_sweep(sweep, store_->catalogue())), "");
    }
    void write(const std::string& experiment, const std::string& name, const std::string& content = "some bytes") {
        RunningHash hash;
        hash.add(std::as_bytes(std::span(content)));
        (void)open(experiment, name, content).close({0, 1, content.size(), hash.value()});
        sweep();
    }

    TemporaryFolder directory_;
    ManualClock clock_;
    RecordingWriter writer_;
    std::optional<LogStore> store_;
    StoredLogsRequest request_;
};

TEST_F(StoredLogsTest, AreListedWithTheirStates) {
    write("games", "sender");
    open("games", "receiver", "abc");
    const std::string text = list_logs(request_);
    EXPECT_NE(text.find("complete"), std::string::npos) << text;
    EXPECT_NE(text.find("being written"), std::string::npos) << text;
    EXPECT_NE(text.find("2 logs"), std::string::npos) << text;
}

TEST_F(StoredLogsTest, AreListedBelowTheirExperimentsInLinesThatFitATerminal) {
    write("an-experiment-of-usual-length-1a2b3c4d", "sender");
    StoredLog& left = open("games-0c77a2e1", "receiver-measuring-2001-db8--17-9100", "abc");
    write("an-experiment-of-usual-length-1a2b3c4d", "receiver-beta-10.99.0.2");
    left.give_up({0, 1,
                  "the connection ended, while it was on hold: the key 'lab' allows at most 100 kB of logs "
                  "(log-bytes=100kB), of which 100 kB are used"});
    sweep();
    std::istringstream text(list_logs(request_));
    std::vector<std::string> first_words;
    for (std::string line; std::getline(text, line);) {
        EXPECT_LE(line.size(), kLineWidth) << line;
        first_words.push_back(line.substr(0, line.find(' ', line.find_first_not_of(' '))));
    }
    first_words.resize(7);
    EXPECT_THAT(first_words,
                ElementsAre("  log", "an-experiment-of-usual-length-1a2b3c4d", "  sender", "  receiver-beta-10.99.0.2",
                            "games-0c77a2e1", "  receiver-measuring-2001-db8--17-9100", "      the"));
}

TEST_F(StoredLogsTest, AreListedAsJson) {
    write("games", "sender");
    request_.json = true;
    const auto document = nlohmann::json::parse(list_logs(request_));
    const auto& log = document.at("logs").at(0);
    EXPECT_EQ(log.at("state"), "complete");
    EXPECT_EQ(log.at("bytes"), 10);
    EXPECT_EQ(log.at("node"), "hosta");
    EXPECT_EQ(log.at("file"), file("games/sender.glog").string());
}

TEST_F(StoredLogsTest, AreShownByExperimentAndTheNearestNameIsOffered) {
    write("games", "sender");
    request_.experiments = {"games"};
    EXPECT_NE(show_experiment(request_).find("hosta"), std::string::npos);
    request_.experiments = {"gams"};
    try {
        (void)show_experiment(request_);
        FAIL() << "shown";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("'games'"), std::string::npos) << error.what();
    }
}

TEST_F(StoredLogsTest, AreFoundByTheBeginningOfAName) {
    write("again-fb30d116", "sender");
    write("again-0c77a2e1", "sender");
    write("agate-1", "sender");
    request_.experiments = {"again-f"};
    request_.json = true;
    EXPECT_EQ(nlohmann::json::parse(show_experiment(request_)).at("logs").size(), 1U);
    EXPECT_EQ(verify_logs(request_).logs, 1U);
    request_.output = directory_.path() / "out.tar";
    EXPECT_EQ(export_experiment(request_, clock_.wall_now()), 1U);
    EXPECT_THAT(content_of(request_.output), HasSubstr("again-fb30d116/sender.glog"));
    request_.experiments = {"again"};
    try {
        (void)show_experiment(request_);
        FAIL() << "shown";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr(": write 'again-0c77a2e1' or 'again-fb30d116' (groma-log list"));
    }
    request_.experiments = {"agate"};
    EXPECT_THROW((void)prune_logs(request_, clock_.wall_now()), RunError) << "what is pruned is gone";
    EXPECT_TRUE(std::filesystem::exists(file("agate-1")));
    request_.experiments = {""};
    EXPECT_THROW((void)show_experiment(request_), RunError);
}

TEST_F(StoredLogsTest, ThatWereChangedAreFound) {
    write("games", "sender");
    write("games", "receiver");
    std::ofstream(file("games/sender.glog")) << "Some bytes";
    std::ofstream(file("games/receiver.glog")) << "some";
    std::ofstream(file("games/other.glog")) << "whose?";
    std::string errors;
    for (const std::string& error : verify_logs(request_).errors) {
        errors += error + '\n';
    }
    for (const char* part : {"games/sender: its hash", "games/receiver: holds 4 of its 10", "other.glog is not in"}) {
        EXPECT_NE(errors.find(part), std::string::npos) << part << " in " << errors;
    }
}

TEST_F(StoredLogsTest, ThatAreIncompleteAreWarningedUponAndNotWrong) {
    StoredLog& log = open("games", "sender", "");
    store_->leave(log, "its writer died");
    sweep();
    const Verification found = verify_logs(request_);
    EXPECT_EQ(found.warnings, std::vector<std::string>{"games/sender: incomplete: its writer died"});
    EXPECT_TRUE(found.errors.empty()) << found.errors.front();
}

TEST_F(StoredLogsTest, ThatAPowerLossLeftAreJudgedByWhatWasAcknowledged) {
    const LogText log = sample_log(LogRole::sender);
    const auto starts = block_starts(log);
    std::string bytes(log.size(), '\0');
    std::memcpy(bytes.data(), log.data(), log.size());
    const std::size_t acknowledged = starts[2] + 20;
    store_->leave(open("games", "sender", bytes.substr(0, acknowledged)), "the log server ended");
    sweep();
    // Parts of the data that was not synced are there.
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(acknowledged), starts[3] - acknowledged, '\0');
    std::ofstream(file("games/sender.glog.part")) << bytes;
    EXPECT_THAT(verify_logs(request_).errors, IsEmpty());
    bytes[starts[1] + 40] ^= 1;
    std::ofstream(file("games/sender.glog.part")) << bytes;
    EXPECT_THAT(verify_logs(request_).errors, ElementsAre(HasSubstr("its hash is"), HasSubstr("is damaged")));
}

TEST_F(StoredLogsTest, ArePrunedByName) {
    write("games", "sender");
    write("voip", "sender");
    request_.experiments = {"games"};
    request_.dry_run = true;
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).deleted, std::vector<std::string>{"games/sender"});
    EXPECT_TRUE(std::filesystem::exists(file("games/sender.glog")));
    request_.dry_run = false;
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).bytes, 10U);
    EXPECT_FALSE(std::filesystem::exists(file("games")));
    EXPECT_TRUE(std::filesystem::exists(file("voip/sender.glog")));
    EXPECT_EQ(store_->catalogue().all().size(), 1U);
}

TEST_F(StoredLogsTest, ArePrunedByAge) {
    write("games", "sender");
    clock_.advance(std::chrono::hours(48));
    write("voip", "sender");
    request_.older_than = std::chrono::hours(24);
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).deleted, std::vector<std::string>{"games/sender"});
}

TEST_F(StoredLogsTest, ThatAreBeingWrittenAreNotPrunedWhileAServerRuns) {
    open("games", "sender", "abc");
    sweep();
    request_.experiments = {"games"};
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).kept, std::vector<std::string>{"games/sender"});
    EXPECT_TRUE(std::filesystem::exists(file("games/sender.glog.part")));
    store_.reset();
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).deleted.size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(file("games")));
}

TEST_F(StoredLogsTest, OfAnExperimentThatIsCalledLikeTheCatalogueArePrunedAndTheCatalogueStays) {
    (void)store_->catalogue().claim({"catalogue.sqlite", "sender", "hosta", "token"}, clock_.wall_now());
    request_.older_than = std::chrono::hours(24);
    EXPECT_TRUE(prune_logs(request_, clock_.wall_now()).deleted.empty());
    EXPECT_TRUE(std::filesystem::exists(file("catalogue.sqlite")));
    store_.reset();
    request_.older_than.reset();
    request_.experiments = {"catalogue.sqlite"};
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).deleted.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(file("catalogue.sqlite")));
}

TEST_F(StoredLogsTest, CanBeOpenedAgainAfterTheyWerePruned) {
    write("games", "sender");
    request_.experiments = {"games"};
    EXPECT_EQ(prune_logs(request_, clock_.wall_now()).deleted.size(), 1U);
    write("games", "sender", "new bytes");
    EXPECT_EQ(content_of(file("games/sender.glog")), "new bytes");
}

TEST_F(StoredLogsTest, AreExportedWithAManifest) {
    write("games", "sender");
    StoredLog& log = open("games", "receiver", "abc");
    store_->leave(log, "its writer died");
    sweep();
    request_.experiments = {"games"};
    request_.output = directory_.path() / "out";
    EXPECT_EQ(export_experiment(request_, clock_.wall_now()), 2U);
    EXPECT_EQ(content_of(request_.output / "sender.glog"), "some bytes");
    EXPECT_EQ(content_of(request_.output / "receiver.glog.part"), "abc");
    const auto manifest = nlohmann::json::parse(content_of(request_.output / "manifest.json"));
    EXPECT_EQ(manifest.at("logs").at(1).at("reason"), "incomplete: its writer died");
    EXPECT_THROW(export_experiment(request_, clock_.wall_now()), RunError);
}

TEST_F(StoredLogsTest, ThatWereChangedAreNotExported) {
    write("games", "sender");
    std::ofstream(file("games/sender.glog")) << "Some bytes";
    request_.experiments = {"games"};
    request_.output = directory_.path() / "out.tar";
    EXPECT_THROW(export_experiment(request_, clock_.wall_now()), RunError);
    EXPECT_FALSE(std::filesystem::exists(request_.output));
}

TEST_F(StoredLogsTest, AreExportedAsATarFileThatTarReads) {
    const std::string long_name(100, 'n');
    const std::string foreign_name = "m\xc3\xbcnchen \xe6\x9d\xb1";
    write("games", long_name);
    write("games", foreign_name);
    request_.experiments = {"games"};
    request_.output = directory_.path() / "out.tar";
    EXPECT_EQ(export_experiment(request_, clock_.wall_now()), 2U);
    const std::string command = "tar -C " + directory_.path().string() + " -xf " + request_.output.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const std::string& name : {long_name, foreign_name}) {
        EXPECT_EQ(content_of(directory_.path() / "games" / (name + ".glog")), "some bytes");
    }
    const auto manifest = directory_.path() / "games" / "manifest.json";
    struct stat status {};
    ASSERT_EQ(::stat(manifest.c_str(), &status), 0);
    EXPECT_EQ(status.st_mtim.tv_sec, ns_since_epoch(clock_.wall_now()) / 1'000'000'000);
    EXPECT_EQ(status.st_mode & 07777U, 0644U);
}

TEST_F(StoredLogsTest, OfOneTimeAreExportedAsTheSameBytes) {
    write("games", "sender");
    request_.experiments = {"games"};
    std::vector<std::string> exported;
    for (const char* output : {"a.tar", "b.tar"}) {
        request_.output = directory_.path() / output;
        (void)export_experiment(request_, clock_.wall_now());
        exported.push_back(content_of(request_.output));
    }
    EXPECT_EQ(exported[0], exported[1]);
}

TEST_F(StoredLogsTest, AreNotExportedToADiskThatIsFull) {
    write("games", "sender", std::string(100'000, 'x'));
    request_.experiments = {"games"};
    for (const char* output : {"out.tar", "out"}) {
        request_.output = directory_.path() / output;
        const FullFiles full(50'000);
        try {
            (void)export_experiment(request_, clock_.wall_now());
            ADD_FAILURE() << "exported";
        } catch (const SystemError& error) {
            EXPECT_EQ(error.errno_value(), EFBIG);
            EXPECT_THAT(error.what(), HasSubstr("cannot write to " + request_.output.string()));
            EXPECT_THAT(error.what(), HasSubstr("--output"));
        }
        EXPECT_FALSE(std::filesystem::exists(request_.output));
    }
}

TEST_F(StoredLogsTest, DoNotReplaceAFile) {
    write("games", "sender");
    request_.experiments = {"games"};
    request_.output = directory_.path() / "out.tar";
    std::ofstream(request_.output) << "mine";
    EXPECT_THROW(export_experiment(request_, clock_.wall_now()), SystemError);
    EXPECT_EQ(content_of(request_.output), "mine");
}

}  // namespace
}  // namespace groma
