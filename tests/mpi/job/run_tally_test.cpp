#include "mpi/job/run_tally.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/json/json_record.hpp"
#include "common/os/temporary_folder.hpp"
#include "sender/report/report_codec.hpp"
#include "tests/mpi/fake_mpi.hpp"
#include "tests/mpi/ticking_clock.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kAlpha = 1;
constexpr int kBeta = 2;

RankIdentity rank_at(const std::string& host, const std::string& address) {
    return {host, "boot-" + host, "net-" + host, {{"127.0.0.1", 8}, {address, 24}}};
}

SendReport report_of(Nanos elapsed) {
    SendReport report;
    report.run_id = std::string(32, 'a');
    report.elapsed = elapsed;
    return report;
}

/// Rank 0 receives from two senders, ranks 1 and 2.
class RunTallyTest : public ::testing::Test {
protected:
    RunTallyTest() {
        run_.experiment = parse_experiment(R"(
[hosts]
alpha = "10.0.0.1"
beta = "10.0.0.2"
gamma = "10.0.0.3"
[ranks]
alpha = 1
beta = 2
gamma = 0
[require]
behind = "1ms"
[defaults]
to = "gamma"
packets = 1
[[flow]]
from = "alpha"
[[flow]]
from = "beta"
)",
                                           "test.toml", {}, 1);
        run_.roles = plan_roles(run_.experiment, identities_, LogServerNeed::none);
        run_.run_id = std::string(32, 'a');
        run_.keep_so_far = [this](const JobReport& report) { kept_.push_back(report); };
    }

    /// A sender has told this, and it has arrived here.
    void told(int rank, const std::string& kind, const nlohmann::json& body) {
        fake_mpi().give(rank, {kind, body});
        ranks_.await([&] { return ranks_.has(rank, kind); }, std::chrono::hours(24 * 365));
    }
    void told_report(int rank, const std::string& kind, Nanos elapsed) {
        told(rank, kind, {{"report", to_json(report_of(elapsed))}});
    }

    SignalSet signals_ = SignalSet::stop_signals();  // before any thread
    FakeRank rank_{0, 3};
    TickingClock clock_;
    RankWorker own_{rank_.world(), clock_};
    JobRanks ranks_{{.world = rank_.world(), .signals = signals_, .clock = clock_}, own_};
    std::vector<RankIdentity> identities_{rank_at("c", "10.0.0.3"), rank_at("a", "10.0.0.1"), rank_at("b", "10.0.0.2")};
    std::vector<JobReport> kept_;
    JobRun run_;
    TemporaryFolder folder_;
};

/// The tally of the run, which both senders have begun.
struct Tallied {
    Tallied(JobRanks& ranks, const std::vector<RankIdentity>& identities, const JobRun& run,
            const std::filesystem::path& path)
        : folder(RunFolder::make(path, run.run_id)),
          layout(identities, run, path.string()),
          news(ranks, layout),
          tally({.ranks = ranks, .layout = layout, .news = news, .folder = folder, .run = run}) {
        tally.expect(kAlpha);
        tally.expect(kBeta);
    }

    RunFolder folder;
    RunLayout layout;
    RunNews news;
    RunTally tally;
};

TEST_F(RunTallyTest, EachReportIsAPartOfItsSender) {
    Tallied run(ranks_, identities_, run_, folder_.path() / "run");
    told_report(kBeta, "sent", Nanos(7));
    EXPECT_FALSE(run.tally.all_sent());
    told_report(kAlpha, "sent", Nanos(5));
    EXPECT_TRUE(run.tally.all_sent());
    const JobReport report = run.tally.report();
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.interrupted);
    EXPECT_EQ(report.ranks, 3);
    EXPECT_THAT(report.errors, IsEmpty());
    ASSERT_EQ(report.parts.size(), 2U);
    EXPECT_EQ(report.parts[0].rank, kAlpha);
    EXPECT_EQ(report.parts[0].name, "alpha");
    EXPECT_EQ(report.parts[0].report.elapsed, Nanos(5));
    EXPECT_EQ(report.parts[1].name, "beta");
    EXPECT_EQ(report.whole.required, run_.experiment.required);
}

TEST_F(RunTallyTest, TheErrorOfASenderIsOneOfTheRun) {
    Tallied run(ranks_, identities_, run_, folder_.path() / "run");
    told_report(kAlpha, "sent", Nanos(5));
    told(kBeta, "sent", {{"error", "its receiver went away"}});
    const JobReport report = run.tally.report();
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.parts.size(), 1U);
    EXPECT_THAT(report.errors, ElementsAre(HasSubstr("(beta, on b): its receiver went away")));
}

TEST_F(RunTallyTest, ARunThatWasCalledOffIsNoErrorBesideItsReason) {
    Tallied run(ranks_, identities_, run_, folder_.path() / "run");
    told(kBeta, "failed", {{"what", "its disk is full"}});
    told(kAlpha, "sent", {{"error", "the run was called off before anything was sent"}});
    EXPECT_THAT(run.tally.report().errors, ElementsAre(HasSubstr("its disk is full")));
    Tallied other(ranks_, identities_, run_, folder_.path() / "other");
    told(kAlpha, "sent", {{"error", "the run was called off before anything was sent"}});
    EXPECT_THAT(other.tally.report().errors, ElementsAre(HasSubstr("was called off")));
}

TEST_F(RunTallyTest, ASenderThatHasOnlyCountedHasAPartWithoutItsLog) {
    Tallied run(ranks_, identities_, run_, folder_.path() / "run");
    told_report(kAlpha, "counted", Nanos(5));
    const JobReport report = run.tally.report();
    EXPECT_FALSE(report.complete);
    ASSERT_EQ(report.parts.size(), 1U);
    EXPECT_EQ(report.parts[0].report.elapsed, Nanos(5));
    ASSERT_TRUE(report.parts[0].report.log.has_value());
    EXPECT_EQ(report.parts[0].report.log->error, "the job ended before it could be closed");
}

TEST_F(RunTallyTest, KeepsTheLatestMeasurementsOnceASecond) {
    Tallied run(ranks_, identities_, run_, folder_.path() / "run");
    told_report(kAlpha, "so_far", Nanos(1));
    run.tally.keep_so_far();
    told_report(kAlpha, "so_far", Nanos(2));
    clock_.advance(std::chrono::seconds(1));
    run.tally.keep_so_far();
    run.tally.keep_so_far();  // too early
    ASSERT_EQ(kept_.size(), 2U);
    ASSERT_EQ(kept_[1].parts.size(), 1U);
    EXPECT_TRUE(kept_[1].parts[0].so_far);
    EXPECT_EQ(kept_[1].parts[0].report.elapsed, Nanos(2));
    const JobReport report = run.tally.report();
    ASSERT_EQ(report.parts.size(), 1U) << "what was told last is all that there is of this sender";
    EXPECT_TRUE(report.parts[0].so_far);
    EXPECT_FALSE(report.complete);
}

}  // namespace
}  // namespace groma
