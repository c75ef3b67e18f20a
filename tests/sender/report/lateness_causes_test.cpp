#include "sender/report/lateness_causes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sender/report/verdict.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Ten seconds of one thread, 5 ms late.
SendReport late_run() {
    SendReport report = faithful_run();
    report.flows[0].outcome.fidelity.lateness_ns.add(5'000'000, 10'000);
    report.pacing.threads = 1;
    report.usage = CpuUsage{};
    report.conditions = CpuConditions{};
    return report;
}

TEST(LatenessCauses, ARunWithNothingUnusualHasNone) {
    EXPECT_THAT(lateness_causes(late_run()), IsEmpty());
    EXPECT_THAT(lateness_causes(faithful_run()), IsEmpty()) << "not measured at all";
}

TEST(LatenessCauses, OtherProgramsThatTakeTheCoreAreSeenByInvoluntarySwitches) {
    SendReport report = late_run();
    report.usage->involuntary_switches = 99;  // 9.9 a second
    EXPECT_THAT(lateness_causes(report), IsEmpty());
    report.usage->involuntary_switches = 312;
    EXPECT_THAT(lateness_causes(report),
                ElementsAre("others took the core from this program 312 times (involuntary context switches)"));
}

TEST(LatenessCauses, ASenderThatIsAlwaysBusyIsAskedForTooMuchOnlyIfItIsBehind) {
    SendReport report = late_run();
    report.usage->user = std::chrono::seconds(2);
    report.usage->system = std::chrono::milliseconds(7800);
    EXPECT_THAT(lateness_causes(report), IsEmpty()) << "spinning is no fault";
    report.flows[0].outcome.fidelity.behind = std::chrono::seconds(9);
    EXPECT_THAT(lateness_causes(report), ElementsAre("its CPU use was 98 % of the thread that sent, and packets waited "
                                                     "for 90 % of the time: more was asked for than fits"));
    report.pacing.threads = 2;
    EXPECT_THAT(lateness_causes(report), IsEmpty()) << "half of them were idle";
}

TEST(LatenessCauses, AQuotaAHypervisorAndSlowerCoresAreNamed) {
    SendReport report = late_run();
    report.conditions = CpuConditions{.throttled_times = 30,
                                      .throttled = std::chrono::milliseconds(1500),
                                      .stolen = std::chrono::milliseconds(250),
                                      .lowest_khz = 800'000,
                                      .highest_khz = 3'400'000};
    EXPECT_THAT(lateness_causes(report),
                ElementsAre("the CPU quota of its control group stopped it 30 times, for 1.5 s in all",
                            "a hypervisor took 250 ms from this machine's cores (steal)",
                            "the frequency of the fastest core went from 800 to 3400 MHz"));
    report.conditions = CpuConditions{
        .throttled = {}, .stolen = std::chrono::milliseconds(99), .lowest_khz = 3'200'000, .highest_khz = 3'400'000};
    EXPECT_THAT(lateness_causes(report), IsEmpty()) << "usual";
}

TEST(LatenessCauses, TheVerdictOfALateRunNamesThem) {
    SendReport report = late_run();
    report.usage->involuntary_switches = 312;
    report.conditions->throttled_times = 1;
    report.conditions->throttled = std::chrono::milliseconds(80);
    const Verdict verdict = judge(report);
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked);
    EXPECT_THAT(verdict.text, StartsWith("not as asked: 1 % of the packets left"));
    EXPECT_THAT(verdict.text, HasSubstr("; meanwhile the CPU quota"));
    EXPECT_THAT(verdict.text,
                EndsWith(", and others took the core from this program 312 times (involuntary context switches)"));
    EXPECT_EQ(verdict.causes, lateness_causes(report));
}

TEST(LatenessCauses, TheVerdictOfARunOnTimeDoesNotNameThem) {
    SendReport report = faithful_run();
    report.usage = CpuUsage{.user = {}, .system = {}, .voluntary_switches = 0, .involuntary_switches = 1000};
    EXPECT_EQ(judge(report).text, "as asked");
    report.flows[0].outcome.counts.dropped = 3;
    EXPECT_EQ(judge(report).text, "not as asked: 3 packets could not be sent") << "not for want of time";
}

}  // namespace
}  // namespace groma
