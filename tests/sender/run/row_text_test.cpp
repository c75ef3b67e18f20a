#include "sender/run/row_text.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/figure_pages.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

RowFigures figures() {
    return {.from = 1s,
            .length = 1s,
            .sent_packets = 1000,
            .sent_bytes = 512'000,
            .received_packets = 990,
            .received_bytes = 506'880,
            .received_over = 990ms,
            .missing_packets = 10};
}

IntervalRow row_of(const std::vector<std::string>& names) {
    IntervalRow row{.all = figures()};
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        row.flows.push_back({FlowId{i + 1}, names[i], figures()});
    }
    return row;
}

TEST(RowText, HasAHeadingOnceAndALineForEachRow) {
    RowText text;
    const std::string line = "    2.00 s      1 kpps 4.096 Mbit/s      1 kpps 4.096 Mbit/s        10\n";
    EXPECT_EQ(text.lines(row_of({"one"})),
              "      time        sent                 received                missing\n" + line);
    EXPECT_EQ(text.lines(row_of({"one"})), line);
}

TEST(RowText, HasALineForEachOfUpToTenFlows) {
    RowText text;
    const std::string lines = text.lines(row_of({"voip", "a-name-that-is-longer-than-twenty-bytes"}));
    EXPECT_THAT(lines, HasSubstr("\n    2.00 s  voip                      1 kpps "));
    EXPECT_THAT(lines, HasSubstr("\n    2.00 s  all                       1 kpps "));
    EXPECT_THAT(RowText().lines(row_of(std::vector<std::string>(11, "voip"))), Not(HasSubstr("voip")));
}

TEST(RowText, ShowsADashForWhatIsUnknown) {
    IntervalRow row = row_of({"one"});
    row.all.received_packets = row.all.received_bytes = row.all.missing_packets = std::nullopt;
    EXPECT_THAT(RowText().lines(row),
                HasSubstr("\n    2.00 s      1 kpps 4.096 Mbit/s           -            -         -\n"));
}

TEST(RowText, ShowsRepliesOfRoundTrips) {
    IntervalRow row = row_of({"one"});
    row.all.returned_packets = 980;
    const std::string lines = RowText().lines(row);
    EXPECT_THAT(lines, HasSubstr("missing     replies\n"));
    EXPECT_THAT(lines, HasSubstr("10     980 pps\n"));
}

TEST(RowText, ShowsWhatConnectionsTell) {
    IntervalRow row = row_of({"tcp", "udp"});
    row.flows[0].figures.retransmitted = row.all.retransmitted = 7;
    row.flows[0].figures.rtt_transport = 5ms;
    const std::string lines = RowText().lines(row);
    EXPECT_THAT(lines, HasSubstr("missing    resent         RTT\n"));
    EXPECT_THAT(lines, HasSubstr("10         7        5 ms\n"));
    EXPECT_THAT(lines, HasSubstr("10         -           -\n"));
    EXPECT_THAT(lines, HasSubstr("10         7           -\n"));
}

TEST(RowText, EndsWithWhatCameAfterTheFlowsHadEnded) {
    IntervalRow row = row_of({"one"});
    row.last = true;
    row.all.lost = 3;
    EXPECT_EQ(RowText().lines(row), "after the end: 990 packets received, 3 lost in all\n");
    row.all.lost.reset();
    EXPECT_THAT(RowText().lines(row), HasSubstr("unknown lost in all"));
}

TEST(RowText, OfATerminalIsNotObeyedInNames) {
    EXPECT_THAT(RowText().lines(row_of({"a\x1b[2J", "b"})), Not(HasSubstr("\x1b")));
}

TEST(RowJson, HasALineForEachFlowAndOneForAllTogether) {
    const std::string lines = row_json(row_of({"voip"}));
    const std::size_t end = lines.find('\n');
    const auto flow = nlohmann::json::parse(lines.substr(0, end));
    const auto total = nlohmann::json::parse(lines.substr(end + 1));
    EXPECT_EQ(flow.at("type"), "interval");
    EXPECT_EQ(flow.at("flow"), 1);
    EXPECT_EQ(flow.at("name"), "voip");
    EXPECT_EQ(flow.at("t_s"), 1);
    EXPECT_EQ(flow.at("sent_packets"), 1000);
    EXPECT_EQ(flow.at("sent_bps"), 4'096'000);
    EXPECT_EQ(flow.at("packet_rate_pps"), 1000);
    EXPECT_EQ(flow.at("missing_packets"), 10);
    EXPECT_TRUE(flow.at("lost").is_null());
    EXPECT_EQ(total.at("flow"), 0);
    EXPECT_EQ(total.at("name"), "total");
    IntervalRow last = row_of({});
    last.last = true;
    EXPECT_EQ(nlohmann::json::parse(row_json(last)).at("type"), "last");
}

TEST(RowJson, IsDescribedInTheReference) {
    std::string page = R"(# Rows of a run while it goes on

`groma-send --interval 1s` prints a row each second, on a terminal and in a pipe; up to ten flows have
rows of their own. `--jsonl` writes the rows as JSON lines: to standard output instead of the text, or
with `--jsonl=FILE` to a file beside the text (FILE.part while the run goes on). One object a line:
one for each flow (of a run with up to 1000), then one for all together, which is flow 0, "total".

```
groma-send --to beta --rate 50Mbps --interval 1s --jsonl | jq -c 'select(.flow == 0) | [.t_s, .throughput_bps]'
```

| member | meaning |
|---|---|
| `type` | "interval", or "last" for the last row |
| `flow`, `name` | the flow's number and name |

The sender counts what it sends, and asks the receivers over the control session for what has arrived
([protocol.md](protocol.md)). Their counts are those when they answer: after half a round trip, and
rates are over the time between two answers by their own clocks. No figure compares two clocks. A row
waits for the answers until the next one is due; what comes later is in a later row. When the session
with one of several receivers has ended, what was received is unknown from then on.

When the flows have ended there is a row up to that moment, and one more, "last", for what arrives
while the run waits (`--wait`). The counts of all rows of a flow add up to those of the report
([report-figures.md](report-figures.md)), which gives most figures the same name. Of a flow to several
receivers, what all of them received is added up, as in the total of the report. Delays are in the
report and in logs, not in rows.

Rows are of the flows that this host sends: with `--bidir` those in the other direction have none, and
a run with only such flows (`--reverse`) has no rows. A daemon's runs (`--via`) and `groma-mpi` have
none either: they refuse `--interval`.

This page is made in `sender_tests`, which fail where it differs, and write it if `GROMA_WRITE_DOCS`
is set. What is unknown is `null`, never zero.
)";
    describe_table(page, "The figures", row_figures());
    expect_written(std::string(GROMA_TEST_DATA) + "/../docs/reference/rows.md", page);
}

}  // namespace
}  // namespace groma
