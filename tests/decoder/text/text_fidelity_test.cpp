#include "decoder/text/text_fidelity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Not;

RunResult run_of(const std::vector<LogSource>& logs, const AnalysisOptions& options = {}) {
    return analyze(logs, options).runs.front();
}

TEST(TextFidelity, IsNothingWithoutTheSendersLog) {
    EXPECT_EQ(fidelity_text(run_of({small_pair().receiver.source("recv.glog")})), "");
}

TEST(TextFidelity, OfOnePacketHasNoTableOfGaps) {
    const SamplePair one = pair_of({sent_packet(0, 0)}, {});
    const std::string text = fidelity_text(run_of({one.sender.source("send.glog")}));
    EXPECT_THAT(text, HasSubstr("The instrument's own error"));
    EXPECT_THAT(text, Not(HasSubstr("Gaps between departures")));
    EXPECT_THAT(fidelity_text(run_of({small_pair().sender.source("send.glog")})), HasSubstr("Gaps between departures"));
}

TEST(TextFidelity, HasTheNominalRateBesideThatOfTheDraws) {
    SamplePair pair = small_pair();  // every 10 ms
    pair.sender.metadata.flows.front().spec.idt = Exponential{8e6};
    const std::string text = fidelity_text(run_of({pair.sender.source("send.glog")}));
    EXPECT_THAT(text, testing::ContainsRegex("\n  flow +nominal +scheduled +sent .*\n +1 +125 pps +100 pps +100 pps "));
    pair.sender.metadata.flows.front().spec.idt = Cauchy{8e6, 1e6};
    EXPECT_THAT(fidelity_text(run_of({pair.sender.source("send.glog")})), testing::ContainsRegex("\n +1 +- +100 pps "));
}

TEST(TextFidelity, HasAFlowOfSeveralReceiversOnceAndATotal) {
    const SamplePair pair = small_pair();
    SampleLog elsewhere = pair.receiver;
    elsewhere.metadata.host = "gamma";
    const auto lines_of = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    const std::string alone = fidelity_text(run_of({pair.sender.source("send.glog")}));
    const std::string everywhere = fidelity_text(
        run_of({pair.sender.source("send.glog"), pair.receiver.source("beta.glog"), elsewhere.source("gamma.glog")}));
    EXPECT_EQ(lines_of(everywhere), lines_of(alone) + 2);  // the total in both tables
    SampleLog two = empty_log(LogRole::sender, 2);
    two.sent = {{FlowId{1}, pair.sender.sent.front().second}, {FlowId{2}, pair.sender.sent.front().second}};
    close(two);
    const std::string together = fidelity_text(run_of({two.source("send.glog")}));
    EXPECT_EQ(lines_of(together), lines_of(alone) + 4);  // another flow and the total in both tables
    EXPECT_THAT(together, HasSubstr("\n  total"));
}

TEST(TextFidelity, SaysWhichRequirementsAreMet) {
    AnalysisOptions options;
    options.required = parse_requirements("loss=0,lateness-p99=1s");
    const std::string text = requirements_text(
        run_of({small_pair().sender.source("send.glog"), small_pair().receiver.source("recv.glog")}, options));
    EXPECT_THAT(text, HasSubstr("\nRequired\n"));
    EXPECT_THAT(text, HasSubstr("\n  not met: "));
    EXPECT_THAT(text, HasSubstr("\n  met: "));
    EXPECT_EQ(requirements_text(run_of({small_pair().sender.source("send.glog")})), "");
}

}  // namespace
}  // namespace groma
