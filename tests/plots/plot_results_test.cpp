// From the decoder's file to pictures on disk, with the real gnuplot.
#include "plots/plot_results.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "common/base/errors.hpp"
#include "plots/results.hpp"
#include "tests/plots/sample_results.hpp"

namespace groma {
namespace {

class PlotResultsTest : public testing::Test {
protected:
    void plot() { plot_results(options_, out_, notes_); }
    PlotResultsTest() {
        options_.results = sample_.file();
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

const std::set<std::string> kAll = {"delay-cdf.svg",   "delay.svg",        "gap-cdf.svg",
                                    "jitter.svg",      "lateness-cdf.svg", "loss.svg",
                                    "packet-rate.svg", "sent-rate.svg",    "throughput.svg"};

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
    all.insert({"rtt.svg", "rtt-cdf.svg", "connection-rtt.svg", "cwnd.svg", "retransmissions.svg"});
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
        "delay_mean_ns, delay_min_ns, delay_max_ns, jitter_ns, lost, 2, NULL, NULL, NULL FROM series");
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
    EXPECT_EQ(pictures(), (std::set<std::string>{"gap-cdf.svg", "lateness-cdf.svg", "sent-rate.svg"}));
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
    ASSERT_EQ(run.flows[0].series.size(), 4U);
    EXPECT_FALSE(run.flows[0].series[3].throughput_bps);
}

TEST_F(PlotResultsTest, RefusesFilesThatAreNoResults) {
    options_.results = sample_.directory() / "none.sqlite";
    EXPECT_THROW(plot(), SystemError);
    std::ofstream(options_.results) << std::string(5000, 'x');
    EXPECT_THROW(plot(), RunError);
    options_.results = sample_.file();
    sample_.exec("PRAGMA application_id = 1");
    EXPECT_THROW(plot(), RunError);
}

TEST_F(PlotResultsTest, LeavesNoHalfPictureWhenItCannotBeWritten) {
    sample_.add_flow(1, "voip", 3);
    std::filesystem::create_directories(options_.directory / "throughput.svg" / "in the way");
    EXPECT_THROW(plot(), SystemError);
    EXPECT_EQ(pictures(), (std::set<std::string>{"throughput.svg"}));
}

TEST(PlotOptionsTest, AreReadTogether) {
    const std::vector<std::string> arguments = {"r.sqlite", "-o", "p", "--format", "png,svg", "--flows", "1,20"};
    const PlotOptions options = parse_plot_options(arguments);
    EXPECT_EQ(options.results, "r.sqlite");
    EXPECT_EQ(options.directory, "p");
    EXPECT_EQ(options.formats, (std::vector{PictureFormat::png, PictureFormat::svg}));
    EXPECT_EQ(options.flows, (std::vector<std::int64_t>{1, 20}));
}

TEST(PlotOptionsTest, NameEveryMistakeAtOnce) {
    const std::vector<std::string> arguments = {"--format", "gif", "--flows", "1,,x", "--ttle=t"};
    try {
        (void)parse_plot_options(arguments);
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        const std::string text = error.what();
        for (const char* part : {"'gif'", "--flows ''", "--flows 'x'", "--ttle", "RESULTS.sqlite"}) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        }
    }
}

}  // namespace
}  // namespace groma
