#include "decoder/html/html_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/model/flow/profiles.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Both tables of a run of these logs.
struct HtmlFigures {
    explicit HtmlFigures(const std::vector<LogSource>& logs, const AnalysisOptions& options = {}) {
        const Results results = analyze(logs, options);
        const RunResult& run = results.runs.front();
        fidelity = html_fidelity(run, shown_flows(run));
        network = html_network(run, shown_flows(run));
    }
    std::string fidelity;
    std::string network;
};

std::vector<LogSource> both_logs_of(const SamplePair& pair) {
    return {pair.sender.source("send.glog"), pair.receiver.source("recv.glog")};
}

/// How often `part` is in `text`.
std::size_t occurrences_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(HtmlFigures, WithoutTheSendersLogSayWhatIsUnknownAndALowerBoundOfTheLoss) {
    const HtmlFigures figures({small_pair().receiver.source("recv.glog")});
    EXPECT_THAT(figures.fidelity, AllOf(HasSubstr("<p>Unknown without the sender's log.</p>"), Not(HasSubstr("KS"))));
    EXPECT_THAT(figures.network, HasSubstr("<td>\u2265 1</td>"));
}

TEST(HtmlFigures, WithoutTheReceiversLogHaveNoDelays) {
    const HtmlFigures figures({small_pair().sender.source("send.glog")});
    EXPECT_THAT(figures.fidelity, HasSubstr("The instrument's own error"));
    EXPECT_THAT(figures.network, Not(HasSubstr("One-way delay")));
}

TEST(HtmlFigures, HaveTheMeanOfTheJitterAsTheScreensDo) {
    const HtmlFigures figures(both_logs_of(small_pair()));
    EXPECT_THAT(figures.network, HasSubstr("<th>jitter, RFC 3550, mean</th>"));
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 4; ++seq) {
        const auto at = static_cast<std::int64_t>(seq) * 1'000'000;
        sent.push_back(sent_packet(seq, at));
        received.push_back(received_packet(seq, at, seq < 2 ? 0 : 1'600'000));
    }
    // 0, 100 us, 93.75 us
    const HtmlFigures jitters(both_logs_of(pair_of(std::move(sent), std::move(received))));
    EXPECT_THAT(jitters.network, AllOf(HasSubstr("<td>64.58 us</td>"), Not(HasSubstr("93.75 us"))));
}

TEST(HtmlFigures, HaveIntervalsAndTheRatingOfVoice) {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 400; ++seq) {
        const auto at = static_cast<std::int64_t>(seq) * 20'000'000;
        sent.push_back(sent_packet(seq, at, 172));
        if (seq % 20 != 0) {
            received.push_back(received_packet(seq, at, 1'000'000 + static_cast<std::int64_t>(seq), 172));
        }
    }
    SamplePair pair = pair_of(std::move(sent), std::move(received));
    const HtmlFigures plain(both_logs_of(pair));
    EXPECT_THAT(plain.network, AllOf(HasSubstr("<h3>95 % intervals of loss and delay</h3>"), HasSubstr(" to ")));
    EXPECT_THAT(plain.network, Not(HasSubstr("MOS")));
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        FlowSpec& spec = log->metadata.flows.front().spec;
        spec.profile = "voip-g711.2-rtp";
        apply(profile(spec.profile), spec);
    }
    EXPECT_THAT(HtmlFigures(both_logs_of(pair)).network, HasSubstr("<th>MOS</th>"));
}

TEST(HtmlFigures, OfSeveralReceiversHaveWhatWasSentOnceAndWhatArrivedOfEach) {
    const SamplePair pair = small_pair();
    SampleLog elsewhere = pair.receiver;
    elsewhere.metadata.host = "gamma";
    std::vector<LogSource> logs = both_logs_of(pair);
    logs.push_back(elsewhere.source("gamma.glog"));
    const HtmlFigures figures(logs);
    EXPECT_EQ(occurrences_of("<tr><td class=\"text\">1</td>", figures.fidelity), 2U);  // as asked, and as sent
    EXPECT_EQ(occurrences_of("<td class=\"text\">1 at beta</td>", figures.network), 2U);
    EXPECT_EQ(occurrences_of("<td class=\"text\">1 at gamma</td>", figures.network), 2U);
}

TEST(HtmlFigures, HaveATotalOnlyWhereThereAreSeveralFlows) {
    const HtmlFigures one(both_logs_of(small_pair()));
    EXPECT_EQ(occurrences_of("class=\"total\"", one.fidelity + one.network), 0U);
    SamplePair pair{.sender = empty_log(LogRole::sender, 2), .receiver = empty_log(LogRole::receiver, 2)};
    pair.sender.sent = {{FlowId{1}, {sent_packet(0, 0)}}, {FlowId{2}, {sent_packet(0, 0)}}};
    pair.receiver.received = {{FlowId{1}, {received_packet(0, 0, 1)}}, {FlowId{2}, {received_packet(0, 0, 1)}}};
    close(pair.sender);
    close(pair.receiver);
    const HtmlFigures two(both_logs_of(pair));
    EXPECT_EQ(occurrences_of("class=\"total\"", two.fidelity), 1U);
    EXPECT_EQ(occurrences_of("class=\"total\"", two.network), 2U);
}

TEST(HtmlFigures, OfASendersLogThatWasCutShortHaveNoVerdict) {
    SamplePair pair = small_pair();
    EXPECT_THAT(HtmlFigures(both_logs_of(pair)).fidelity, Not(HasSubstr("cut short")));
    pair.sender.totals.reset();
    EXPECT_THAT(HtmlFigures(both_logs_of(pair)).fidelity,
                HasSubstr("<td class=\"text\">unknown: its log was cut short</td>"));
}

TEST(HtmlFigures, SayWhichRequirementsAreMet) {
    AnalysisOptions options;
    options.required = parse_requirements("loss=0,lateness-p99=1s");
    EXPECT_THAT(HtmlFigures(both_logs_of(small_pair()), options).fidelity,
                AllOf(HasSubstr("<li><b>not met</b>: "), HasSubstr("<li>met: ")));
    EXPECT_THAT(HtmlFigures(both_logs_of(small_pair())).fidelity, Not(HasSubstr("Required")));
}

}  // namespace
}  // namespace groma
