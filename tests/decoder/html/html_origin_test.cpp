#include "decoder/html/html_origin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "decoder/text/shown_flows.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

RunResult small_run() {
    return small_pair().analyzed().runs.front();
}

TEST(HtmlOrigin, NamesTheRunItsLogsAndTheClocks) {
    RunResult run = small_run();
    run.logs[1].totals.reset();
    run.logs[0].packets_missing = 1986;
    run.logs[0].gaps.push_back({.offset = 7, .bytes = 5, .reason = "checksum"});
    run.logs[0].metadata.clock = ClockHealth{.synchronised = true, .maximum_error = Nanos{2000}};
    const std::string html = html_origin(run);
    EXPECT_THAT(html, AllOf(HasSubstr("0123456789abcdef0123456789abcdef"), HasSubstr("2023-11-14 22:13:20.000 UTC"),
                            HasSubstr("<td class=\"text\">send.glog</td>"),
                            HasSubstr("<td class=\"text\">synchronised, error at most 2 us</td>"),
                            HasSubstr("<td class=\"text\">damaged: 1986 records missing</td>"),
                            HasSubstr("<td class=\"text\">log cut short: totals missing</td>"),
                            HasSubstr("<td class=\"text\">one clock, offset 0</td><td>1</td>")));
}

TEST(HtmlOrigin, OfVeryManyLogsSaysHowManyItLeavesOut) {
    RunResult run = small_run();
    run.logs.resize(200, run.logs.front());
    EXPECT_THAT(html_origin(run), Not(HasSubstr("more logs")));
    run.logs.resize(203, run.logs.front());
    EXPECT_THAT(html_origin(run), HasSubstr("<p>and 3 more logs</p>"));
}

TEST(HtmlErrors, AreDamageThenNotesThenEvents) {
    RunResult run = small_run();
    run.logs[0].gaps.push_back({.offset = 7, .bytes = 5, .reason = "<checksum>"});
    run.logs[1].totals.reset();
    run.logs[1].events.push_back({wall_time_from_ns(kStartNs), FlowId{1}, "kind", "text"});
    run.flows[0].notes = {"a note"};
    const std::string html = html_errors(run);
    std::size_t before = 0;
    for (const char* line : {"<h3>Damage</h3>", "send.glog: 5 bytes at 7 cannot be read: &lt;checksum&gt;",
                             "recv.glog: cut short, totals missing", "<h3>Notes</h3>", "flow 1: a note",
                             "<h3>Events</h3>", "2023-11-14 22:13:20.000 UTC recv.glog, flow 1: kind: text"}) {
        const std::size_t found = html.find(line);
        ASSERT_NE(found, std::string::npos) << line;
        EXPECT_GT(found, before) << line;
        before = found;
    }
}

TEST(HtmlErrors, AreNothingOrOneHundredAndHowManyMore) {
    RunResult run = small_run();
    run.flows[0].notes.clear();
    EXPECT_EQ(html_errors(run), "");
    run.flows[0].notes.resize(100, "a note");
    EXPECT_THAT(html_errors(run), Not(HasSubstr("more</li>")));
    run.flows[0].notes.resize(102, "another");
    const std::string html = html_errors(run);
    EXPECT_THAT(html, AllOf(HasSubstr("<li>and 2 more</li>"), Not(HasSubstr("another"))));
    EXPECT_EQ(std::ranges::count(html, '\n'),
              100 + 7);  // the others: the section, its headings, the list, "and 2 more"
}

TEST(HtmlFlowSpecs, HaveEachFlowOnceAndAreLeftOutOfVeryMany) {
    RunResult run = small_run();
    run.flows.push_back(run.flows.front());
    run.flows.back().receiver_number = 2;
    run.flows.back().spec.name = "at-another-receiver";
    EXPECT_THAT(html_flow_specs(run), AllOf(HasSubstr("flow-1"), Not(HasSubstr("at-another-receiver"))));
    run.flows.resize(kMostShownFlows + 1, run.flows.front());
    EXPECT_EQ(html_flow_specs(run), "");
}

}  // namespace
}  // namespace groma
