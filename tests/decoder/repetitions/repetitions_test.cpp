#include "decoder/repetitions/repetitions.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/repetitions/repetition_command.hpp"
#include "decoder/repetitions/repetition_options.hpp"
#include "decoder/repetitions/repetition_report.hpp"
#include "decoder/repetitions/repetition_source.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

RepeatedRun run_of(const std::string& name, const std::string& rate, double delay) {
    return {name, {rate}, {}, {{"delay_mean_ns", delay}}};
}

Repetitions two_rates() {
    Repetitions found{"grid", {"rate"}, {}};
    found.runs = {run_of("r1", "10pps", 1000), run_of("r2", "20pps", 5000), run_of("r3", "10pps", 2000),
                  run_of("r4", "10pps", 3000), run_of("r5", "20pps", 9000)};
    found.runs[4].left_out = "failed: no receiver";
    return found;
}

TEST(Repetitions, AreGroupedByWhatWasVaried) {
    const RepetitionSummary summary = summarised(two_rates(), {});
    ASSERT_EQ(summary.groups.size(), 2U);
    EXPECT_THAT(summary.groups[0].runs, ElementsAre("r1", "r3", "r4"));
    EXPECT_EQ(group_name(summary, summary.groups[1]), "rate 20pps");
    const GroupFigure& delay = summary.groups[0].figures.at(0);
    EXPECT_EQ(delay.mean, 2000);
    EXPECT_EQ(delay.deviation, 1000);
    // t(2) = 4.302653 at 95 %; half of it as a factor, because no delay is below 0.
    EXPECT_NEAR(delay.mean_interval->high, 2000 * std::exp(4.302653 / 2 / std::sqrt(3)), 0.01);
    EXPECT_NEAR(delay.mean_interval->low, 2000 * std::exp(-4.302653 / 2 / std::sqrt(3)), 0.01);
    EXPECT_EQ(delay.median, 2000);
    EXPECT_EQ(delay.median_interval, (MedianInterval{{1000, 3000}, 0.75}));
    EXPECT_FALSE(delay.of_sums);
    EXPECT_EQ(delay.least, 1000);
    EXPECT_EQ(delay.most, 3000);
}

TEST(Repetitions, NameWhatIsLeftOutAndDoNotCountIt) {
    const RepetitionSummary summary = summarised(two_rates(), {});
    EXPECT_THAT(summary.groups[1].runs, ElementsAre("r2"));
    EXPECT_FALSE(summary.groups[1].figures.at(0).mean_interval);
    ASSERT_EQ(summary.left_out.size(), 1U);
    const std::string text = repetition_text(summary);
    EXPECT_THAT(text, HasSubstr("left out: 1 run\n  r5: failed: no receiver"));
    EXPECT_THAT(text, HasSubstr("rate 20pps: 1 run\n"));
    EXPECT_THAT(text, HasSubstr("and covers 75 % of 3 runs\n"));
    EXPECT_THAT(text, AllOf(HasSubstr("  mean, 95 %  "), HasSubstr("  median, 75 %  ")));
}

TEST(Repetitions, HaveTheRatioOfSumsBesideTheMeanOfRatios) {
    Repetitions found = two_rates();
    found.runs[0].figures = {{"lost", 9}, {"due_packets", 10}, {"loss_ratio", 0.9}};
    found.runs[2].figures = {{"lost", 0}, {"due_packets", 990}, {"loss_ratio", 0}};
    const RepetitionSummary summary = summarised(found, {});
    const GroupFigure& loss = *std::ranges::find(summary.groups[0].figures, std::string_view("loss_ratio"),
                                                 [](const GroupFigure& it) { return it.figure.name; });
    EXPECT_DOUBLE_EQ(loss.mean, 0.45);
    EXPECT_DOUBLE_EQ(loss.of_sums.value(), 0.009);
    EXPECT_THAT(repetition_text(summary), HasSubstr("share lost, of the packets of all runs together: 0.9 %\n"));
    EXPECT_EQ(nlohmann::json::parse(repetition_json(summary))["groups"][0]["figures"]["loss_ratio"]["of_sums"], 0.009);
}

TEST(Repetitions, DoNotReachBelowZeroOrAboveOne) {
    Repetitions found{"", {}, {}};
    found.runs = {{"a", {}, {}, {{"loss_ratio", 0}, {"lambda2", -0.001}, {"lateness_p99_ns", 1000}}},
                  {"b", {}, {}, {{"loss_ratio", 0}, {"lambda2", 0.001}, {"lateness_p99_ns", 50000}}},
                  {"c", {}, {}, {{"loss_ratio", 0.99}, {"lambda2", 0.002}, {"lateness_p99_ns", 2000}}}};
    const RepetitionSummary summary = summarised(found, {});
    for (const GroupFigure& figure : summary.groups[0].figures) {
        EXPECT_EQ(figure.mean_interval->low < 0, figure.figure.name == "lambda2") << figure.figure.name;
    }
    EXPECT_THAT(repetition_text(summary), AllOf(HasSubstr("  0 % to 100 %  "), HasSubstr("(of lambda squared never)")));
}

TEST(Repetitions, ShowAsManyDigitsAsTellTheEndsApart) {
    Repetitions found{"", {}, {}};
    found.runs = {{"a", {}, {}, {{"sent_pps", 199.9991}, {"throughput_bps", 8e6}, {"delay_max_ns", 1e9}}},
                  {"b", {}, {}, {{"sent_pps", 200.0013}, {"throughput_bps", 8e6}, {"delay_max_ns", 1e9 + 40}}}};
    const std::string text = repetition_text(summarised(found, {}));
    EXPECT_THAT(text, HasSubstr("  199.999 pps to 200.001 pps  "));  // of the median
    EXPECT_THAT(text, HasSubstr("  199.99 pps to 200.01 pps  "));    // of the mean
    EXPECT_THAT(text, HasSubstr("  8 Mbit/s to 8 Mbit/s  "));
    EXPECT_THAT(text, HasSubstr("  1 s to 1.00000004 s  "));
}

TEST(Repetitions, KeepUnknownApartFromZero) {
    Repetitions found = two_rates();
    found.runs[0].figures.clear();
    found.runs[2].figures = {{"lost", 0}};
    const RepetitionSummary summary = summarised(found, {});
    ASSERT_EQ(summary.groups[0].figures.size(), 2U);
    EXPECT_EQ(summary.groups[0].figures[0].figure.name, "lost");
    EXPECT_EQ(summary.groups[0].figures[0].values.size(), 1U);
    EXPECT_EQ(summary.groups[0].figures[1].values.size(), 1U);
}

TEST(Repetitions, OnlyHaveTheFiguresThatWereAskedFor) {
    RepetitionOptions options;
    options.figures = {"lost"};
    EXPECT_TRUE(summarised(two_rates(), options).groups[0].figures.empty());
    EXPECT_THAT(repetition_text(summarised(two_rates(), options)), HasSubstr("nothing is known"));
}

TEST(Repetitions, AreJsonAndCsv) {
    Repetitions found = two_rates();
    found.keys = {"a,\"b\""};
    const RepetitionSummary summary = summarised(found, {});
    const auto json = nlohmann::json::parse(repetition_json(summary));
    EXPECT_EQ(json["groups"][0]["keys"]["a,\"b\""], "10pps");
    EXPECT_EQ(json["groups"][0]["figures"]["delay_mean_ns"]["count"], 3);
    EXPECT_EQ(json["groups"][1]["figures"]["delay_mean_ns"]["sd"], nullptr);
    EXPECT_EQ(json["left_out"][0]["reason"], "failed: no receiver");
    const std::string csv = repetition_csv(summary);
    EXPECT_THAT(csv, HasSubstr("\"a,\"\"b\"\"\",figure,count,mean,sd"));
    EXPECT_THAT(csv, HasSubstr("10pps,delay_mean_ns,3,2000,1000,"));
    EXPECT_THAT(csv, HasSubstr(",2000,1000,3000,0.75,,1000,3000\r\n"));
    EXPECT_THAT(csv, HasSubstr("20pps,delay_mean_ns,1,5000,,,,5000,,,,,5000,5000\r\n"));
}

TEST(KeysOfABatch, AreNumbersWhereTheyAre) {
    EXPECT_EQ(key_number("512"), 512);
    EXPECT_EQ(key_number("2kpps"), 2000);
    EXPECT_EQ(key_number("10Mbps"), 1e7);
    EXPECT_EQ(key_number("500ms"), 0.5);
    EXPECT_EQ(key_number("64KiB"), 65536);
    EXPECT_FALSE(key_number("udp"));
    EXPECT_FALSE(key_number("unif:64:1400"));
    EXPECT_FALSE(key_number(""));
}

/// A table of runs as groma-mpi makes it, with the keys rate and size.
class BatchTableTest : public testing::Test {
protected:
    BatchTableTest() : database_(folder_.file("batch.sqlite"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
        database_.exec(
            "PRAGMA application_id = 0x67726f62; PRAGMA user_version = 1;"
            "CREATE TABLE batch(name TEXT NOT NULL, seed INTEGER NOT NULL, file_hash TEXT NOT NULL, runs INTEGER NOT "
            "NULL, "
            "program TEXT NOT NULL);"
            "INSERT INTO batch VALUES('sweep', 7, 'x', 4, 'a test');"
            "CREATE TABLE runs(number INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, \"rate\" TEXT NOT NULL, "
            "\"size\" TEXT "
            "NOT NULL, repetition INTEGER NOT NULL, seed INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, attempts "
            "INTEGER NOT NULL, started_ns INTEGER, ended_ns INTEGER, run_id TEXT, verdict TEXT, sent_packets INTEGER, "
            "sent_bytes INTEGER, received_packets INTEGER, received_bytes INTEGER, lost INTEGER, duplicates INTEGER, "
            "reordered INTEGER, scheduled_pps REAL, sent_pps REAL, rate_error REAL, lateness_p99_ns REAL, "
            "throughput_bps "
            "REAL, delay_mean_ns REAL, delay_p50_ns REAL, delay_p99_ns REAL, delay_max_ns REAL)");
        add(1, "10pps", "complete", "NULL", 4);
        add(2, "10pps", "complete", "NULL", 8);
        add(3, "20pps", "interrupted", "'the job ended'", 1);
        add(4, "20pps", "waiting", "NULL", 1);
    }

    void add(int number, const std::string& rate, const std::string& state, const std::string& reason, int lost) {
        database_.exec(
            "INSERT INTO runs(number, folder, rate, size, repetition, seed, state, reason, attempts, sent_packets, "
            "lost, delay_mean_ns) VALUES(" +
            std::to_string(number) + ", 'run" + std::to_string(number) + "', '" + rate + "', '64', 1, 1, '" + state +
            "', " + reason + ", 1, 100, " + std::to_string(lost) + ", 9e999)");
    }

    TemporaryFolder folder_;
    SQLite::Database database_;
};

TEST_F(BatchTableTest, IsReadWithItsKeysAndStates) {
    const Repetitions found = read_repetitions({folder_.file(".")});
    EXPECT_EQ(found.title, "sweep");
    EXPECT_THAT(found.keys, ElementsAre("rate", "size"));
    ASSERT_EQ(found.runs.size(), 4U);
    EXPECT_EQ(found.runs[0].figures.at("loss_ratio"), 0.04);
    EXPECT_FALSE(found.runs[0].figures.contains("delay_mean_ns"));  // not finite
    EXPECT_EQ(found.runs[2].left_out, "interrupted: the job ended");
    EXPECT_EQ(found.runs[3].left_out, "waiting");
    const RepetitionSummary summary = summarised(found, {});
    EXPECT_EQ(summary.groups.size(), 2U);
    EXPECT_TRUE(summary.groups[1].figures.empty());
}

TEST_F(BatchTableTest, GivesTablesForPictures) {
    const std::string file = folder_.file("groups.sqlite");
    const std::vector<std::string> arguments = {folder_.file("."), "--sqlite", file, "--quiet"};
    EXPECT_EQ(run_batch_command(arguments), 1);  // runs were left out
    const SQLite::Database groups(file, SQLite::OPEN_READONLY);
    SQLite::Statement row(
        groups,
        "SELECT groups.name, runs, count, mean, mean_low, number, (SELECT COUNT(*) FROM left_out) FROM groups "
        "JOIN group_figures ON id = group_figures.\"group\" JOIN group_keys ON id = group_keys.\"group\" AND "
        "key = 'rate' WHERE figure = 'lost'");
    ASSERT_TRUE(row.executeStep());
    EXPECT_EQ(row.getColumn(0).getString(), "rate 10pps, size 64");
    EXPECT_EQ(row.getColumn(1).getInt(), 2);
    EXPECT_EQ(row.getColumn(3).getDouble(), 6);
    // Of 4 and 8: deviation sqrt(8), t(1) = 12.7062: half of it is 12.7062 * 2.
    EXPECT_NEAR(row.getColumn(4).getDouble(), 6 * std::exp(-12.7062 * 2 / 6), 1e-5);
    EXPECT_EQ(row.getColumn(5).getDouble(), 10);
    EXPECT_EQ(row.getColumn(6).getInt(), 2);
    EXPECT_THROW((void)run_batch_command(arguments), UsageError);  // it is there already
}

TEST_F(BatchTableTest, OfAnotherVersionOrWithoutColumnsIsRefused) {
    database_.exec("ALTER TABLE runs DROP COLUMN reason");
    EXPECT_THROW((void)read_repetitions({folder_.file(".")}), RunError);
    database_.exec("PRAGMA user_version = 9");
    EXPECT_THROW((void)read_repetitions({folder_.file(".")}), RunError);
    EXPECT_THROW((void)read_repetitions({folder_.file("none")}), UsageError);
    std::ofstream(folder_.file("text")) << std::string(5000, 'x');
    EXPECT_THROW((void)read_repetitions({folder_.file("text")}), RunError);
}

TEST_F(BatchTableTest, OfTwoBatchesOneIsGivenAtATime) {
    EXPECT_THROW((void)read_repetitions({folder_.file("."), folder_.file(".")}), UsageError);
}

class ResultsOfRunsTest : public testing::Test {
protected:
    [[nodiscard]] std::string decoded(const std::string& name, const SamplePair& pair) const {
        const std::string file = folder_.file(name);
        write_sqlite_report(pair.analyzed(), file);
        return file;
    }

    TemporaryFolder folder_;
};

/// Packets 1 ms apart with these delays in ms.
SamplePair with_delays(const std::vector<double>& delays) {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::size_t i = 0; i < delays.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i) * 1'000'000;
        sent.push_back(sent_packet(i, at));
        received.push_back(received_packet(i, at, static_cast<std::int64_t>(delays[i] * 1e6)));
    }
    return pair_of(std::move(sent), std::move(received));
}

TEST_F(ResultsOfRunsTest, AreRepetitionsOfTheirExperiment) {
    const std::vector<std::string> files = {decoded("a", with_delays({1, 2, 3})), decoded("b", with_delays({3, 4, 5})),
                                            decoded("c", with_delays({5, 6, 7}))};
    const RepetitionSummary summary = summarised(read_repetitions(files), {});
    ASSERT_EQ(summary.groups.size(), 1U);
    EXPECT_EQ(group_name(summary, summary.groups[0]), "experiment sample");
    EXPECT_EQ(summary.groups[0].runs, files);
    bool seen = false;
    for (const GroupFigure& figure : summary.groups[0].figures) {
        if (figure.figure.name == "delay_mean_ns") {
            EXPECT_THAT(figure.values, ElementsAre(2e6, 4e6, 6e6));
            seen = true;
        }
        if (figure.figure.name == "received_packets") {
            EXPECT_EQ(figure.mean, 3);
        }
    }
    EXPECT_TRUE(seen);
}

TEST_F(ResultsOfRunsTest, CountPacketsOnceForEachReceiverWhereTheyShareLosses) {
    const SamplePair pair = small_pair();  // loses one of three packets
    SampleLog gamma = pair.receiver;
    gamma.metadata.host = "gamma";
    gamma.received.clear();
    close(gamma);
    const std::string file = folder_.file("a");
    write_sqlite_report(analyze({pair.sender.source("s"), pair.receiver.source("b"), gamma.source("g")}, {}), file);
    const auto found = read_repetitions(std::vector<std::string>{file});
    EXPECT_EQ(found.runs.at(0).figures.at("lost"), 4);
    EXPECT_EQ(found.runs.at(0).figures.at("loss_ratio"), 4.0 / 6);
    const RepetitionSummary summary = summarised(found, {});
    for (const GroupFigure& figure : summary.groups.at(0).figures) {
        EXPECT_EQ(figure.of_sums, figure.figure.name == "loss_ratio" ? std::optional(4.0 / 6) : std::nullopt);
    }
}

TEST_F(ResultsOfRunsTest, OfSeveralFlowsHaveTheFiguresOfTheirTotal) {
    SamplePair pair{.sender = empty_log(LogRole::sender, 2), .receiver = empty_log(LogRole::receiver, 2)};
    const SamplePair one = with_delays({1, 2, 3});
    for (const FlowId id : {FlowId{1}, FlowId{2}}) {
        pair.sender.sent.emplace_back(id, one.sender.sent.front().second);
        pair.receiver.received.emplace_back(id, one.receiver.received.front().second);
    }
    close(pair.sender);
    close(pair.receiver);
    const RepeatedRun run = read_repetitions(std::vector<std::string>{decoded("a", pair)}).runs.at(0);
    const TotalResult total = pair.analyzed().runs.at(0).total;
    EXPECT_EQ(run.figures.at("throughput_bps"), total.received->throughput_bps());
    EXPECT_EQ(run.figures.at("jitter_ditg_ns"), total.received->jitter_ditg_ns);
    EXPECT_EQ(run.figures.at("delay_p99_ns"), total.received->delay_ns.p99);
}

TEST_F(ResultsOfRunsTest, WithoutATotalAreRefused) {
    const std::vector<std::string> files = {decoded("a", with_delays({1}))};
    SQLite::Database(files[0], SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 2");
    EXPECT_THROW((void)read_repetitions(files), RunError);
}

TEST_F(ResultsOfRunsTest, OfALogThatWasCutShortAreLeftOut) {
    SamplePair cut = with_delays({1, 2});
    cut.receiver.totals.reset();
    const auto summary = summarised(read_repetitions({decoded("a", with_delays({1})), decoded("b", cut)}), {});
    ASSERT_EQ(summary.left_out.size(), 1U);
    EXPECT_THAT(summary.left_out[0].reason, HasSubstr("recv.glog was cut short"));
}

TEST(BatchCommandLine, NamesEveryErrorAtOnce) {
    const std::vector<std::string> arguments = {"--confidence", "101%", "--figures", "los", "--force"};
    try {
        (void)parse_batch_command(arguments);
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        for (const char* part :
             {"--confidence: '101%'", "did you mean 'lost'?", "--force", "give the folder of a batch"}) {
            EXPECT_THAT(error.what(), HasSubstr(part));
        }
    }
}

TEST(BatchCommandLine, IsRead) {
    const std::vector<std::string> arguments = {"d", "--confidence", "99%", "--json"};
    const BatchCommand command = parse_batch_command(arguments);
    EXPECT_NEAR(command.statistics.confidence, 0.99, 1e-12);
    EXPECT_FALSE(command.prints_text());
}

}  // namespace
}  // namespace groma
