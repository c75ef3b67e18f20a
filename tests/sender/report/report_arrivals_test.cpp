#include "sender/report/report_arrivals.hpp"

#include <gmock/gmock.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Each flow arrives within 10 s, with delays of 1 to 3 ms.
SendReport told_run(const std::vector<std::string>& names) {
    SendReport report = faithful_run(names);
    for (FlowReport& flow : report.flows) {
        flow.received->first_arrival = wall_time_from_ns(1'000'000'000);
        flow.received->last_arrival = wall_time_from_ns(10'999'000'000);
        flow.received->delays = ArrivalDelays{.packets = 10'000,
                                              .min = Nanos{1'000'000},
                                              .p50 = Nanos{500'000},
                                              .p99 = Nanos{1'500'000},
                                              .max = Nanos{2'000'000},
                                              .jitter_ns = 70'000};
        flow.delay_bound = Nanos{40'000};
    }
    report.delays = report.flows.front().received->delays;
    return report;
}

TEST(ReportArrivals, TellRatesDelaysAndJitterOfEachFlowAndOfAll) {
    const std::string text = arrivals_text(told_run({"a", "b"}));
    const std::string times = " +1 ms +1[.]5 ms +2[.]5 ms +3 ms +70 us +40 us\n";
    EXPECT_THAT(text, ContainsRegex("\n  a +4[.]096 Mbit/s +1 kpps" + times + "  b +4[.]096 Mbit/s +1 kpps" + times +
                                    "  total +8[.]19[0-9]* Mbit/s +2 kpps" + times));
    EXPECT_THAT(text, HasSubstr("jitter  clock bound\n"));
    EXPECT_THAT(arrivals_text(told_run({"a"})), Not(HasSubstr("total")));
}

TEST(ReportArrivals, ShowWhatIsUnknownAsUnknown) {
    SendReport report = told_run({"a", "b"});
    report.delays.reset();
    report.flows[0].received->delays.reset();
    report.flows[0].delay_bound.reset();
    const std::string text = arrivals_text(report);
    EXPECT_THAT(text, ContainsRegex("  a +4[.]096 Mbit/s +1 kpps +- +- +- +- +- +-\n"));
    EXPECT_THAT(text, ContainsRegex("  total +8[.]19[0-9]* Mbit/s +2 kpps +- +- +- +- +- +-\n"));
    EXPECT_THAT(arrivals_text(faithful_run()), IsEmpty());
}

TEST(ReportArrivals, ASinglePacketHasNoJitter) {
    SendReport report = told_run({"a"});
    report.flows[0].received->delays = ArrivalDelays{.packets = 1, .min = Nanos{1'000'000}};
    EXPECT_THAT(arrivals_text(report), ContainsRegex(" +1 ms +1 ms +1 ms +1 ms +- +40 us\n"));
}

}  // namespace
}  // namespace groma
