#include "decoder/html/html_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/html/html.hpp"
#include "decoder/html/report_command.hpp"
#include "decoder/html/report_options.hpp"
#include "decoder/results/run_verdict.hpp"
#include "decoder/text/shown_flows.hpp"
#include "tests/awkward_names.hpp"
#include "tests/decoder/sample_logs.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</td><script>alert('1')</script><img src=x onerror=\"a\">&\x01\xff";

std::string report_of(const Results& results) {
    return html_report({.title = {},
                        .command = "groma-dec report a b",
                        .results = results,
                        .warnings = {},
                        .pictures = {},
                        .no_pictures_because = "it is a test",
                        .experiment_file = {},
                        .experiment_path = {}});
}

TEST(HtmlText, ObeysNothing) {
    EXPECT_EQ(html_text("<a href='x' b=\"y\">&amp;"), "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;amp;");
    EXPECT_EQ(html_text("a\x1b[1m\xc3\xbc"), "a\\x1b[1m\xc3\xbc");
    EXPECT_EQ(html_text("a\xff"), "a\\xff");
    EXPECT_EQ(html_text("abcdef", 3), "abc...");
}

TEST(HtmlText, OfSeveralLinesKeepsThem) {
    EXPECT_EQ(html_lines("a\n<b>\n\nc", 100), "a\n&lt;b&gt;\n\nc\n");
    EXPECT_EQ(html_lines("abcdef", 3), "abc\n...\n");
}

TEST(HtmlTable, HasAsManyCellsAsHeadings) {
    HtmlTable table({"name", "n"});
    EXPECT_TRUE(table.empty());
    table.add_row({"<x>", "1"}, true);
    EXPECT_THAT(table.to_string(), HasSubstr("<tr class=\"total\"><td class=\"text\">&lt;x&gt;</td><td>1</td></tr>"));
    EXPECT_EQ(html_section("h", ""), "");
}

TEST(HtmlReport, HasTheVerdictOnTopAndTheInstrumentBeforeTheNetwork) {
    const std::string html = report_of(small_pair().analyzed());
    const std::vector<const char*> order = {"class=\"verdict as_asked\"", "What was asked for, and what was sent",
                                            "What the network did",       "No pictures: it is a test",
                                            "How it was measured",        "The experiment"};
    std::size_t at = 0;
    for (const char* part : order) {
        const std::size_t found = html.find(part);
        ASSERT_NE(found, std::string::npos) << part;
        EXPECT_GT(found, at) << part;
        at = found;
    }
    EXPECT_THAT(html, HasSubstr("<td class=\"text\">7</td>"));
    EXPECT_THAT(html, HasSubstr("one clock"));
    EXPECT_THAT(html, HasSubstr("33.3 %"));  // one of three packets was lost
}

TEST(HtmlReport, NeedsNothingFromElsewhereAndRunsNothing) {
    const std::string html = report_of(small_pair().analyzed());
    for (const char* word : {"<script", "http:", "https:", "src=", "@import", "javascript:"}) {
        EXPECT_THAT(html, Not(HasSubstr(word)));
    }
    EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\""));
    EXPECT_THAT(html, HasSubstr("@media print"));
}

/// The report of a run, with this picture.
std::string report_with(const std::string& stem, const std::string& svg) {
    const Results results = small_pair().analyzed();
    return html_report({.title = {},
                        .command = {},
                        .results = results,
                        .warnings = {},
                        .pictures = {{0, stem, svg}, {1, "another-run", svg}},
                        .no_pictures_because = {},
                        .experiment_file = {},
                        .experiment_path = {}});
}

TEST(HtmlReport, HasThePicturesOfARunAsImages) {
    const std::string html =
        report_with("delay-cdf", "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>&#252;</text></svg>");
    EXPECT_THAT(html,
                HasSubstr("<figure id=\"1-delay-cdf\">\n<img alt=\"delay-cdf\" src=\"data:image/svg+xml;base64,"
                          "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjx0ZXh0PiYjMjUyOzwvdGV4dD48L3N2Zz4=\">"
                          "\n</figure>"));
    EXPECT_THAT(html, Not(HasSubstr("another-run")));
}

TEST(HtmlReport, ObeysNothingOfAPictureWhateverItSaysOrIsCalled) {
    const auto tags = [](const std::string& html) { return std::ranges::count(html, '<'); };
    const std::string plain = report_with("a", "<svg/>");
    for (const char* hostile : {"<script>a</script>", "</figure><script>a</script>", "\"><img src=x onerror=a>",
                                "<svg onload='a'><foreignObject/></svg>", "<use href='http://x'/>", "javascript:a",
                                "\" onerror=\"a", "' onload='a", "data:text/html,a", "<!--", "]]>", "\xff"}) {
        EXPECT_EQ(report_with("a", hostile).size() - plain.size(), (std::string_view(hostile).size() + 2) / 3 * 4 - 8)
            << hostile;
        for (const std::string& html : {report_with("a", hostile), report_with(hostile, "<svg/>")}) {
            EXPECT_EQ(tags(html), tags(plain)) << hostile;
            EXPECT_EQ(std::ranges::count(html, '"'), std::ranges::count(plain, '"')) << hostile;
            EXPECT_THAT(html, HasSubstr("\" src=\"data:image/svg+xml;base64,")) << hostile;
        }
    }
}

TEST(HtmlReport, HasTheSameTagsWhateverThingsAreCalled) {
    const auto tags = [](const std::string& html) { return std::ranges::count(html, '<'); };
    const auto plain_tags = tags(report_of(pair_that_says("a").analyzed()));
    for (const char* name : kAwkwardNames) {
        std::string html = report_of(pair_that_says(name).analyzed());
        EXPECT_EQ(tags(html), plain_tags) << plain_text(name);
        std::erase(html, '\n');
        EXPECT_EQ(plain_text(html, html.size()), html) << plain_text(name);
    }
}

TEST(HtmlReport, ShowsHostileTextAsText) {
    SamplePair pair = small_pair();
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.experiment = kHostile;
        log->metadata.host = kHostile;
        log->metadata.program = kHostile;
        log->metadata.timestamps = kHostile;
        log->metadata.flows[0].spec.name = kHostile;
        log->metadata.flows[0].spec.profile = kHostile;
        log->metadata.flows[0].spec.target.host = kHostile;
        log->totals->end = kHostile;
        log->events.push_back({wall_time_from_ns(kStartNs), FlowId{1}, kHostile, kHostile});
        log->gaps.push_back({.offset = 1, .bytes = 2, .reason = kHostile});
    }
    const Results results = analyze({pair.sender.source(kHostile), pair.receiver.source("b")}, {});
    const std::string html = html_report({.title = kHostile,
                                          .command = kHostile,
                                          .results = results,
                                          .warnings = {kHostile},
                                          .pictures = {{0, kHostile, "<svg><script/></svg>"}},
                                          .no_pictures_because = kHostile,
                                          .experiment_file = kHostile,
                                          .experiment_path = kHostile});
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_EQ(html.find("<img"), html.find("<img alt=\"&lt;/td&gt;"));
    EXPECT_EQ(html.find("<img"), html.rfind("<img"));
    EXPECT_EQ(html.find('\x01'), std::string::npos);
    EXPECT_EQ(html.find('\xff'), std::string::npos);
    EXPECT_THAT(html, HasSubstr("&lt;/td&gt;&lt;script&gt;"));
    EXPECT_THAT(html, HasSubstr("class=\"verdict"));
}

/// Flows of one packet each; the packet of the last one is lost.
Results of_many_flows(std::uint32_t flows) {
    SamplePair pair;
    pair.sender = empty_log(LogRole::sender, flows);
    pair.receiver = empty_log(LogRole::receiver, flows);
    for (std::uint32_t id = 1; id <= flows; ++id) {
        pair.sender.sent.push_back({FlowId{id}, {sent_packet(0, id * 1000)}});
        if (id < flows) {
            pair.receiver.received.push_back({FlowId{id}, {received_packet(0, id * 1000, 5000 + id)}});
        }
    }
    close(pair.sender);
    close(pair.receiver);
    return pair.analyzed();
}

TEST(HtmlReport, OfAThousandFlowsIsSmallAndNamesTheWorst) {
    const Results results = of_many_flows(1000);
    const ShownFlows shown = shown_flows(results.runs.front());
    EXPECT_LE(shown.flows.size(), 20U);
    EXPECT_EQ(shown.flows.back()->spec.id.value, 1000U);
    const std::string html = report_of(results);
    EXPECT_LT(html.size(), 100'000U);
    EXPECT_THAT(html, HasSubstr("of 1000 flows"));
    EXPECT_THAT(html, HasSubstr("flow-1000"));
    EXPECT_THAT(html, Not(HasSubstr("flow-500<")));
}

TEST(HtmlReport, OfThirtyFlowsNamesAll) {
    const std::string html = report_of(of_many_flows(30));
    for (int i = 1; i <= 30; ++i) {
        EXPECT_THAT(html, HasSubstr(fmt::format(">flow-{}<", i)));
    }
    EXPECT_THAT(html, Not(HasSubstr("Shown are")));
}

TEST(RunVerdict, IsTheSendersRuleOnWhatItsLogSays) {
    SamplePair pair = small_pair();
    EXPECT_EQ(judge(pair.analyzed().runs.front()).text, "as asked");
    pair.sender.totals->flows[0].counters = {{"missed_slots", 3}};
    EXPECT_THAT(judge(pair.analyzed().runs.front()).text, HasSubstr("not as asked: 3 departures were missed"));
    pair.sender.totals->flows[0].counters = {{"dropped", 2}, {"too_big", 1}, {"missed_slots", 3}};
    EXPECT_THAT(judge(pair.analyzed().runs.front()).text, HasSubstr("3 packets could not be sent"));
    pair.sender.totals->flows[0].counters = {{"ended_early", 1}};
    EXPECT_THAT(judge(pair.analyzed().runs.front()).text, HasSubstr("did not run to its end"));
    pair.sender.totals.reset();
    const RunVerdict cut = judge(pair.analyzed().runs.front());
    EXPECT_FALSE(cut.worst);
    EXPECT_THAT(cut.text, HasSubstr("unknown: of 1 of 1 flow there"));
}

TEST(RunVerdict, OfPacketsThatLeftLateSaysHowLate) {
    SamplePair pair = small_pair();
    for (SentRecord& record : pair.sender.sent[0].second) {
        record.lateness = Nanos{5'000'000};  // 1 ms, a tenth of the gap, is as asked; ten times that is within
    }
    const RunVerdict verdict = judge(pair.analyzed().runs.front());
    EXPECT_EQ(verdict.worst->result, Faithfulness::within);
    EXPECT_THAT(verdict.text, HasSubstr("as asked within 5"));
}

TEST(RunVerdict, HoldsWhatWasRequired) {
    const Results results = small_pair().analyzed({kSecond, {}, {}, parse_requirements("loss=0")});
    const RunVerdict verdict = judge(results.runs.front());
    EXPECT_EQ(verdict.worst->result, Faithfulness::not_as_asked);
    EXPECT_THAT(report_of(results), HasSubstr("<b>not met</b>"));
    EXPECT_THAT(report_of(results), HasSubstr("class=\"verdict not_as_asked\""));
}

TEST(ReportCommandLine, IsRead) {
    const std::vector<std::string> arguments = {"a.glog",     "b.glog", "-o",           "x.html",
                                                "--interval", "100ms",  "--no-pictures"};
    const ReportCommand command = parse_report_command(arguments);
    EXPECT_EQ(command.decoding.logs, (std::vector<std::string>{"a.glog", "b.glog"}));
    EXPECT_EQ(command.output, "x.html");
    EXPECT_EQ(command.decoding.interval, Nanos{100'000'000});
    EXPECT_FALSE(command.pictures);
}

TEST(ReportCommandLine, NamesEveryErrorAtOnce) {
    try {
        (void)parse_report_command(std::vector<std::string>{"--interval", "x", "--flow", "0", "--titel=x"});
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        for (const char* part : {"--interval", "--flow: '0'", "--titel", "no log given"}) {
            EXPECT_THAT(error.what(), HasSubstr(part));
        }
    }
}

TEST(ReportCommand, RefusesToReplaceAFileUnlessForced) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("r.html")) << "mine";
    const std::vector<std::string> arguments = {folder.file("none.glog"), "-o", folder.file("r.html")};
    try {
        (void)run_report_command(arguments, kernel_clock());
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("--force"));
    }
}

}  // namespace
}  // namespace groma
