// From the decoder's file to pictures on disk, with the real gnuplot.
#include "plots/command/plot_results.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "common/base/errors.hpp"
#include "plots/command/kind_list.hpp"
#include "plots/results/sqlite_series.hpp"
#include "plots/results/stored_results.hpp"
#include "tests/plots/sample_results.hpp"

namespace groma {
namespace {

class PlotResultsTest : public testing::Test {
protected:
    void plot() { plot_results(options_, out_, notes_); }
    PlotResultsTest() {
        options_.files = {sample_.file()};
        options_.directory = sample_.directory() / "pictures";
    }
    [[nodiscard]] std::set<std::string> pictures() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(options_.directory)) {
            names.insert(entry.path().filename());
        }
        return names;
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream file(options_.directory / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    SampleResults sample_;
    PlotOptions options_;
    std::ostringstream out_;
    std::ostringstream notes_;
};

const std::set<std::string> kAll = {"delay-ccdf.svg",    "delay-cdf.svg",    "delay-density.svg", "delay.svg",
                                    "gap-ccdf.svg",      "gap-cdf.svg",      "gap-density.svg",   "jitter.svg",
                                    "lateness-ccdf.svg", "lateness-cdf.svg", "loss.svg",          "packet-rate.svg",
                                    "sent-rate.svg",     "throughput.svg"};

TEST_F(PlotResultsTest, DrawsEverythingThatIsKnown) {
    sample_.add_flow(1, "voip", 10);
    plot();
    EXPECT_EQ(pictures(), kAll);
    EXPECT_TRUE(notes_.str().empty()) << notes_.str();
    EXPECT_NE(out_.str().find((options_.directory / "throughput.svg").string() + "\n"), std::string::npos);
    EXPECT_NE(content("throughput.svg").find("sample: throughput"), std::string::npos);
}

TEST_F(PlotResultsTest, DrawsRoundTripsAndConnectionsWhereTheyAreKnown) {
    sample_.add_flow(1, "voip", 10);
    sample_.add_measured(1, 10);
    plot();
    std::set<std::string> all = kAll;
    all.insert({"rtt.svg", "rtt-cdf.svg", "rtt-ccdf.svg", "connection-rtt.svg", "cwnd.svg", "retransmissions.svg"});
    EXPECT_EQ(pictures(), all);
    EXPECT_NE(content("cwnd.svg").find("congestion window"), std::string::npos);
    EXPECT_NE(content("rtt.svg").find("smallest to largest"), std::string::npos);
}

TEST_F(PlotResultsTest, NamesTheReceiversOfAFlowThatHasSeveral) {
    sample_.add_flow(1, "video", 10);
    sample_.exec("UPDATE flows SET receiver_host = 'beta'");
    sample_.exec("INSERT INTO flows(run, flow, name, receiver, receiver_host) VALUES(1, 1, 'video', 2, 'gamma')");
    sample_.exec(
        "INSERT INTO series SELECT run, flow, t_s, sent_packets, 2 * throughput_bps, packet_rate_pps, "
        "delay_mean_ns, delay_min_ns, delay_max_ns, jitter_ns, lost, 2, NULL, NULL, NULL, received_packets, "
        "sent_rate_pps, received_bytes, covered_s, sent_covered_s FROM series");
    plot();
    EXPECT_NE(content("throughput.svg").find("video at beta"), std::string::npos);
    EXPECT_NE(content("throughput.svg").find("video at gamma"), std::string::npos);
    EXPECT_EQ(content("gap-cdf.svg").find("gamma"), std::string::npos);
}

TEST_F(PlotResultsTest, DrawsARunOfOnePacketInOneSecond) {
    sample_.add_flow(1, "one", 1);
    plot();
    EXPECT_EQ(pictures(), kAll);
}

TEST_F(PlotResultsTest, NamesWhatOnlyTheReceiverKnows) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec(
        "UPDATE series SET throughput_bps = NULL, packet_rate_pps = NULL, delay_mean_ns = NULL, delay_min_ns = NULL,"
        " delay_max_ns = NULL, jitter_ns = NULL, lost = NULL; DELETE FROM histograms WHERE kind = 'delay'");
    plot();
    EXPECT_EQ(pictures(), (std::set<std::string>{"gap-ccdf.svg", "gap-cdf.svg", "gap-density.svg", "lateness-ccdf.svg",
                                                 "lateness-cdf.svg", "sent-rate.svg"}));
    EXPECT_NE(notes_.str().find("not drawn: delay-cdf"), std::string::npos) << notes_.str();
    EXPECT_NE(notes_.str().find("the receiver's log"), std::string::npos) << notes_.str();
}

TEST_F(PlotResultsTest, MakesPngAsWell) {
    sample_.add_flow(1, "voip", 3);
    options_.formats = {PictureFormat::png};
    plot();
    EXPECT_EQ(content("delay.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST_F(PlotResultsTest, NamesOfFlowsAreTextAndNothingElse) {
    sample_.add_flow(1, "<b> & {/Bold x} ` \"", 3);
    plot();
    EXPECT_NE(content("delay.svg").find("&lt;b> &amp; {/Bold x} `"), std::string::npos);
}

TEST_F(PlotResultsTest, DrawsOnlyTheFlowsThatWereAskedFor) {
    sample_.add_flow(1, "first", 3);
    sample_.add_flow(2, "second", 3);
    options_.flows = {2};
    options_.title = "my title";
    plot();
    EXPECT_EQ(content("delay.svg").find("first"), std::string::npos);
    EXPECT_NE(content("delay.svg").find("second"), std::string::npos);
    EXPECT_NE(content("delay.svg").find("my title"), std::string::npos);
    options_.flows = {3};
    EXPECT_THROW(plot(), UsageError);
}

TEST_F(PlotResultsTest, SaysHowFarDelaysCanBeTrusted) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec("UPDATE runs SET clock_bound_ns = 21000");
    plot();
    EXPECT_NE(content("delay.svg").find("clocks agree within 21 us"), std::string::npos);
    EXPECT_EQ(content("jitter.svg").find("clocks agree"), std::string::npos);
    sample_.exec("UPDATE runs SET clock_bound_ns = NULL, clock = 'relative'");
    plot();
    EXPECT_NE(content("delay.svg").find("relative to the smallest"), std::string::npos);
}

TEST_F(PlotResultsTest, IgnoresRowsOfFlowsThatItDoesNotKnowAndNumbersThatAreNone) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec(
        "INSERT INTO series(run, flow, receiver, t_s, throughput_bps) VALUES(1, 0, 1, 0, 1e12), (1, 9, 1, 0, 1e12), "
        "(1, 1, 1, 3, 9e999)");
    const RunResults run = read_results(sample_.file()).front();
    ASSERT_EQ(run.flows.size(), 1U);
    const auto rows = SqliteSeries(sample_.file(), run).intervals_within({0, 100, 1000}).value();
    ASSERT_EQ(rows.size(), 1U);
    ASSERT_EQ(rows[0].size(), 4U);
    EXPECT_EQ(rows[0][2].throughput_bps, 8e5);
    EXPECT_FALSE(rows[0][3].throughput_bps);
}

TEST_F(PlotResultsTest, ReadsASliceOfTimeOnly) {
    sample_.add_flow(1, "voip", 10);
    const SqliteSeries series(sample_.file(), read_results(sample_.file()).front());
    EXPECT_EQ(series.intervals()->last_s, 9);
    EXPECT_EQ(series.intervals_within({3, 5, 100})->front().size(), 2U);
    EXPECT_FALSE(series.intervals_within({0, 10, 9}));
    EXPECT_FALSE(series.samples());
}

TEST_F(PlotResultsTest, NamesATableThatWouldHaveToBeReadWholeForEachFlow) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec("DROP INDEX series_by_flow");
    try {
        plot();
        FAIL() << "drawn";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("series_by_flow"), std::string::npos) << error.what();
    }
}

TEST_F(PlotResultsTest, RefusesRowsFarFromTheirRun) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec("INSERT INTO series(run, flow, receiver, t_s, throughput_bps) VALUES(1, 1, 1, 9e999, 1)");
    EXPECT_THROW(plot(), RunError);
}

TEST_F(PlotResultsTest, RefusesFilesThatAreNoResults) {
    options_.files = {sample_.directory() / "none.sqlite"};
    EXPECT_THROW(plot(), SystemError);
    std::ofstream(options_.files.front()) << std::string(5000, 'x');
    EXPECT_THROW(plot(), RunError);
    options_.files = {sample_.file()};
    sample_.exec("PRAGMA application_id = 1");
    EXPECT_THROW(plot(), RunError);
}

TEST_F(PlotResultsTest, LeavesNoHalfPictureWhenItCannotBeWritten) {
    sample_.add_flow(1, "voip", 3);
    std::filesystem::create_directories(options_.directory / "throughput.svg" / "in the way");
    EXPECT_THROW(plot(), SystemError);
    EXPECT_EQ(pictures(), (std::set<std::string>{"throughput.svg"}));
}

TEST_F(PlotResultsTest, DrawsOnlyTheKindsThatWereAskedForAndNamesThoseThatCannotBe) {
    sample_.add_flow(1, "voip", 3);
    options_.only = {"delay", "gap-cdf", "cwnd"};
    plot();
    EXPECT_EQ(pictures(), (std::set<std::string>{"delay.svg", "gap-cdf.svg"}));
    EXPECT_NE(notes_.str().find("not drawn: cwnd"), std::string::npos) << notes_.str();
}

TEST_F(PlotResultsTest, ShowsLambdaSquaredBesideTheGaps) {
    sample_.add_flow(1, "voip", 3);
    sample_.exec("INSERT INTO fidelity VALUES(1, 1, 0.0421)");
    plot();
    EXPECT_NE(content("gap-cdf.svg").find("voip, sent, \u03bb\u00b2 0.042"), std::string::npos);
}

TEST_F(PlotResultsTest, NamesFlowsWithOffPeriodsBesideTheirGaps) {
    sample_.add_flow(1, "bursts", 3);
    sample_.exec("DELETE FROM asked_gaps");
    sample_.exec("UPDATE flows SET on_periods = 'exp:1s'");
    plot();
    EXPECT_NE(content("gap-cdf.svg").find("OFF periods in the gaps of bursts"), std::string::npos);
    EXPECT_EQ(content("delay-cdf.svg").find("OFF periods"), std::string::npos);
}

TEST_F(PlotResultsTest, ComparesTheRunsOfSeveralFiles) {
    SampleResults other;
    sample_.add_flow(1, "a", 3);
    sample_.add_flow(2, "b", 3);
    other.add_flow(1, "c", 5);
    other.exec("UPDATE runs SET experiment = 'another'");
    options_.files.push_back(other.file());
    plot();
    EXPECT_EQ(pictures(), kAll);
    EXPECT_NE(content("throughput.svg").find("2 runs compared"), std::string::npos);
    EXPECT_NE(content("throughput.svg").find(">another<"), std::string::npos);
    EXPECT_EQ(content("throughput.svg").find(">a<"), std::string::npos);
}

TEST_F(PlotResultsTest, AFolderOfLogsIsToBeDecodedFirst) {
    options_.files = {sample_.directory()};
    try {
        plot();
        FAIL() << "it was drawn";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("is a folder: decode its logs first"), std::string::npos);
    }
}

TEST_F(PlotResultsTest, RatesOverALittleOfAnIntervalAreNotDrawn) {
    sample_.add_flow(1, "a", 4);
    options_.only = {"throughput"};
    sample_.exec("UPDATE series SET throughput_bps = 9e11, covered_s = 0.1 WHERE t_s = 3");
    plot();
    EXPECT_NE(content("throughput.svg").find("Gbit/s"), std::string::npos);
    sample_.exec("UPDATE series SET covered_s = 0.09 WHERE t_s = 3");
    plot();
    EXPECT_EQ(content("throughput.svg").find("Gbit/s"), std::string::npos);
}

TEST_F(PlotResultsTest, ComparesTheRunsOfOneFileWhenAskedTo) {
    sample_.add_flow(1, "a", 3);
    sample_.exec(
        "INSERT INTO runs VALUES(2, '2b', 'second', 1000000000, 0, 'one clock');"
        "INSERT INTO flows(run, flow, name, receiver) VALUES(2, 1, 'x', 1);"
        "INSERT INTO series SELECT 2, flow, t_s, sent_packets, 3 * throughput_bps, packet_rate_pps, delay_mean_ns, "
        "delay_min_ns, delay_max_ns, jitter_ns, lost, 1, NULL, NULL, NULL, received_packets, sent_rate_pps, "
        "received_bytes, covered_s, sent_covered_s FROM series");
    options_.compare = true;
    options_.only = {"throughput"};
    plot();
    EXPECT_EQ(pictures(), (std::set<std::string>{"throughput.svg"}));
    EXPECT_NE(content("throughput.svg").find(">second<"), std::string::npos);
    EXPECT_NE(content("throughput.svg").find(">sample<"), std::string::npos);
}

TEST_F(PlotResultsTest, MakesPdfAsWellAndUsesTheStyleOfTheUser) {
    sample_.add_flow(1, "voip", 3);
    options_.formats = {PictureFormat::pdf, PictureFormat::svg};
    options_.only = {"delay"};
    options_.style = sample_.directory() / "style";
    std::ofstream(*options_.style) << "set linetype 1 linecolor rgb '#123456'\n";
    plot();
    EXPECT_EQ(content("delay.pdf").substr(0, 5), "%PDF-");
    EXPECT_NE(content("delay.svg").find("18,  52,  86"), std::string::npos);
    std::ofstream(*options_.style) << "no gnuplot at all\n";
    EXPECT_THROW(plot(), RunError);
}

TEST(PlotOptionsTest, AreReadTogether) {
    const std::vector<std::string> arguments = {"r.sqlite", "-o",   "p",      "--format",      "png,svg",
                                                "--flows",  "1,20", "--only", "delay,density", "--compare"};
    const PlotOptions options = parse_plot_options(arguments);
    EXPECT_EQ(options.files, (std::vector<std::filesystem::path>{"r.sqlite"}));
    EXPECT_EQ(options.directory, "p");
    EXPECT_EQ(options.formats, (std::vector{PictureFormat::png, PictureFormat::svg}));
    EXPECT_EQ(options.flows, (std::vector<std::int64_t>{1, 20}));
    EXPECT_EQ(options.only, (std::vector<std::string>{"delay", "density"}));
    EXPECT_TRUE(options.compare);
    EXPECT_TRUE(options.wants("delay"));
    EXPECT_FALSE(options.wants("loss"));
}

TEST(PlotOptionsTest, ListTheKindsByName) {
    std::set<std::string> seen;
    const std::string list = kind_list();
    for (const std::string& name : kind_names()) {
        EXPECT_NE(list.find("  " + name + " "), std::string::npos) << name;
        seen.insert(name);
    }
    EXPECT_GE(seen.size(), 35U);
    EXPECT_EQ(parse_plot_options(std::vector<std::string>{"--list"}).command, PlotCommand::list);
}

TEST(PlotOptionsTest, NameEveryErrorAtOnce) {
    const std::vector<std::string> arguments = {"--format", "gif", "--flows", "1,,x", "--ttle=t", "--only", "delya"};
    try {
        (void)parse_plot_options(arguments);
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        const std::string text = error.what();
        for (const char* part :
             {"'gif'", "--flows ''", "--flows 'x'", "--ttle", "RESULTS.sqlite", "did you mean 'delay'?"}) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        }
    }
}

}  // namespace
}  // namespace groma
