#include "sender/options/calibration_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/options/parsed_options.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CalibrationOptions, NeedAReceiverOnly) {
    const SenderOptions options = options_from({"--calibrate", "--to", "beta"});
    EXPECT_EQ(options.action, SenderOptions::Action::calibrate);
    ASSERT_TRUE(options.calibration);
    EXPECT_EQ(options.calibration->to.host, "beta");
    EXPECT_EQ(options.calibration->to.control_port, 9000);
    EXPECT_EQ(options.calibration->out, "calibration");
    EXPECT_FALSE(options.calibration->quick);
    EXPECT_TRUE(options.calibration->rates_pps.empty());
}

TEST(CalibrationOptions, SayWhatIsSwept) {
    const SenderOptions options = options_from(
        {"--calibrate",     "--to",       "beta",       "--control-port", "9100",           "--out",   "sheet",
         "--quick",         "--max-time", "5min",       "--rates",        "2kpps,500,2000", "--sizes", "64,1472",
         "--distributions", "exp,const",  "--loggings", "off,local",      "--repetitions",  "3",       "--point-time",
         "300ms",           "--seed",     "7"});
    const CalibrationArguments& calibration = *options.calibration;
    EXPECT_EQ(calibration.to.control_port, 9100);
    EXPECT_EQ(calibration.out, "sheet");
    EXPECT_TRUE(calibration.quick);
    EXPECT_EQ(calibration.max_time, std::chrono::minutes(5));
    EXPECT_THAT(calibration.rates_pps, ElementsAre(500, 2000));
    EXPECT_THAT(calibration.sizes_bytes, ElementsAre(64, 1472));
    EXPECT_THAT(calibration.distributions, ElementsAre(GapFamily::exponential, GapFamily::constant));
    EXPECT_THAT(calibration.loggings, ElementsAre(LoggingWay::off, LoggingWay::local));
    EXPECT_EQ(calibration.repetitions, 3U);
    EXPECT_EQ(calibration.point_time, std::chrono::milliseconds(300));
    EXPECT_EQ(calibration.seed, 7U);
}

TEST(CalibrationOptions, AreOfNoUseAlone) {
    EXPECT_THAT(usage_complaint({"--to", "beta", "--rates", "500", "--quick"}),
                AllOf(HasSubstr("--rates requires --calibrate"), HasSubstr("--quick requires --calibrate")));
}

TEST(CalibrationOptions, LeaveNothingToSendToTheUser) {
    EXPECT_THAT(
        usage_complaint({"--calibrate", "--to", "beta", "--idt", "exp:1ms", "--log", "send.glog", "flows.toml"}),
        AllOf(HasSubstr("--idt cannot be given"), HasSubstr("--log cannot be given"), HasSubstr("flows.toml")));
    EXPECT_EQ(usage_complaint({"--calibrate", "--to", "beta", "--threads", "2", "--log-server", "gamma"}), "");
}

TEST(CalibrationOptions, SayWhatIsWrongAndWhatWouldBeRight) {
    EXPECT_THAT(usage_complaint({"--calibrate"}), AllOf(HasSubstr("needs a receiver"), HasSubstr("--to HOST")));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--rates", "10Mbps"}),
                HasSubstr("use packets per second"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--rates", "0.5pps"}),
                HasSubstr("not a rate for a point"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--sizes", "70000"}), HasSubstr("1 to 65507"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--distributions", "cauchy"}),
                HasSubstr("use some of const, exp, unif, normal, pareto, gamma, weibull"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--loggings", "udp"}), HasSubstr("need a log server"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--point-time", "1ms"}), HasSubstr("from 50ms to 60s"));
}

TEST(CalibrationNames, AreReadBack) {
    for (const char* name : {"const", "exp", "unif", "normal", "pareto", "gamma", "weibull"}) {
        EXPECT_EQ(to_string(parse_gap_family(name)), name);
    }
    for (const char* name : {"off", "local", "tcp", "udp"}) {
        EXPECT_EQ(to_string(parse_logging_way(name)), name);
    }
}

}  // namespace
}  // namespace groma
