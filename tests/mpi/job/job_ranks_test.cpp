#include "mpi/job/job_ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/os/temporary_folder.hpp"
#include "mpi/world/lent_files.hpp"
#include "tests/mpi/fake_mpi.hpp"
#include "tests/mpi/ticking_clock.hpp"

namespace groma {
namespace {

constexpr Nanos kLong = std::chrono::hours(24 * 365);

/// Rank 0, whose messages to itself and to rank 1 a test sees.
class JobRanksTest : public ::testing::Test {
protected:
    /// Rank 1 answers each message by this.
    static void answer(const std::function<RankMessage(const RankMessage&)>& answer_to) {
        fake_mpi().when_sent([answer_to] {
            const RankMessage asked = parse_rank_message(fake_mpi().sent().back().bytes, 0);
            fake_mpi().give(1, answer_to(asked));
        });
    }

    /// What asking rank 1 says.
    std::string error_of_asking(Nanos limit) {
        try {
            static_cast<void>(ranks_.ask(1, {"list_files"}, "files", limit));
        } catch (const RunError& error) {
            return error.what();
        }
        return "answered";
    }

    SignalSet signals_ = SignalSet::stop_signals();  // before any thread
    FakeRank rank_{0, 2};
    TickingClock clock_;
    RankWorker own_{rank_.world(), clock_};
    JobRanks ranks_{{.world = rank_.world(), .signals = signals_, .clock = clock_}, own_};
};

TEST_F(JobRanksTest, GivesMessagesByRankAndKindInTheOrderOfTheirComing) {
    fake_mpi().give(1, {"progress", {{"line", "first"}}});
    fake_mpi().give(1, {"sent", {{"line", "report"}}});
    fake_mpi().give(1, {"progress", {{"line", "second"}}});
    own_.on_message({"ping", {{"number", 3}}});
    fake_mpi().give(1, {"last"});
    ASSERT_TRUE(ranks_.await([&] { return ranks_.has(1, "last"); }, kLong));
    EXPECT_TRUE(ranks_.has(0, "pong"));
    EXPECT_FALSE(ranks_.has(1, "pong"));
    EXPECT_EQ(ranks_.take(1, "progress")->value("line", ""), "first");
    EXPECT_EQ(ranks_.take_any("progress")->second.value("line", ""), "second");
    EXPECT_FALSE(ranks_.take(1, "progress").has_value());
    EXPECT_EQ(ranks_.take(1, "sent")->value("line", ""), "report");
}

TEST_F(JobRanksTest, WaitsAsLongAsItMayAndNotAtAllOnceTheJobIsInterrupted) {
    EXPECT_FALSE(ranks_.await([] { return false; }, std::chrono::seconds(1)));
    EXPECT_FALSE(ranks_.interrupted());
    std::raise(SIGTERM);
    const MonoTime before = clock_.now();
    EXPECT_FALSE(ranks_.await([] { return false; }, kLong));
    EXPECT_LT(clock_.now() - before, std::chrono::seconds(1));
    EXPECT_TRUE(ranks_.interrupted());
    ranks_.say(1, {"stop"});
    ranks_.flush();
    EXPECT_TRUE(fake_mpi().sent().empty()) << "Open MPI aborts a process that sends to a dead one";
}

TEST_F(JobRanksTest, AQuestionEndsWithItsAnswerTheRanksErrorOrTheTimeForIt) {
    answer([](const RankMessage&) { return RankMessage{"failed", {{"what", "its disk is gone"}}}; });
    EXPECT_EQ(error_of_asking(kLong), "its disk is gone");
    answer([](const RankMessage& asked) { return RankMessage{"files", {{"asked", asked.kind}}}; });
    EXPECT_EQ(error_of_asking(kLong), "answered");
    fake_mpi().when_sent({});
    EXPECT_EQ(error_of_asking(std::chrono::seconds(1)), "it does not answer");
}

TEST_F(JobRanksTest, FetchesTheLogsOfARankInPiecesUpToTheFirstThatIsNotFull) {
    std::vector<std::uint64_t> offsets;
    answer([&offsets](const RankMessage& asked) -> RankMessage {
        if (asked.kind == "list_files") {
            return {"files",
                    {{"files", nlohmann::json::array({nlohmann::json::array({"logs/a.glog", kMaxLentPiece + 3})})}}};
        }
        offsets.push_back(asked.body.value("offset", std::uint64_t{0}));
        const std::vector<std::uint8_t> bytes(offsets.back() == 0 ? kMaxLentPiece : 3, 'x');
        return {"piece", {{"bytes", nlohmann::json::binary(bytes)}}};
    });
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "logs");
    ranks_.fetch_logs(1, folder.path(), kLong);
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, kMaxLentPiece}));
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "logs" / "a.glog"), kMaxLentPiece + 3);
}

}  // namespace
}  // namespace groma
