#include "sender/calibration/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SettingsFacts, AreReadBackToTheSameSettings) {
    CalibrationSettings settings = small_settings();
    settings.rates_pps = {1.1, 1000.0 / 3, 1e7};
    settings.quick = true;
    settings.transport = Transport::tcp;
    settings.seed = (1ULL << 63U) - 1;
    EXPECT_EQ(settings_from(settings_facts(settings)), settings);
    const CalibrationSettings usual = usual_settings(true, 3);
    EXPECT_EQ(settings_from(settings_facts(usual)), usual);
}

TEST(SettingsFacts, ThatAreIncompleteAreNamed) {
    for (const auto& [name, value] : settings_facts(small_settings())) {
        Facts facts = settings_facts(small_settings());
        facts.erase(name);
        EXPECT_THROW((void)settings_from(facts), UsageError) << name;
    }
}

TEST(SettingsFacts, ThatNobodyCanAskForAreRefused) {
    const std::vector<std::pair<std::string, std::string>> impossible = {{"rates_pps", "0"},
                                                                         {"rates_pps", "-1,1000"},
                                                                         {"rates_pps", "5e-324,1000"},
                                                                         {"rates_pps", "2000,1000"},
                                                                         {"rates_pps", "1e9"},
                                                                         {"sizes_bytes", "0"},
                                                                         {"sizes_bytes", "4294967360"},
                                                                         {"repetitions", "0"},
                                                                         {"repetitions", "9223372036854775807"},
                                                                         {"point_time", "0s"},
                                                                         {"point_time", "1h"}};
    for (const auto& [name, value] : impossible) {
        Facts facts = settings_facts(small_settings());
        facts.at(name) = value;
        EXPECT_THROW((void)settings_from(facts), UsageError) << name << " = " << value;
    }
}

TEST(SettingsDifferences, AreOfWhatWasAskedForOnly) {
    const CalibrationSettings kept = small_settings();
    CalibrationArguments arguments;
    EXPECT_THAT(differences(kept, arguments), IsEmpty());
    arguments.rates_pps = kept.rates_pps;
    arguments.repetitions = kept.repetitions;
    EXPECT_THAT(differences(kept, arguments), IsEmpty());
    arguments.rates_pps = {1000};
    arguments.quick = true;
    EXPECT_THAT(differences(kept, arguments),
                ElementsAre(HasSubstr("--quick"), "--rates is 1000 now and was 1000,2000"));
}

TEST(OptionDifferences, AreOfEveryOptionThatChangesWhatIsMeasured) {
    SenderOptions usual;
    usual.calibration.emplace();
    const Facts kept = option_facts(usual);
    EXPECT_THAT(option_differences(kept, kept), IsEmpty());
    const std::vector<std::pair<const char*, std::function<void(SenderOptions&)>>> changes{
        {"--threads is 2 now and was auto", [](SenderOptions& o) { o.threads = 2; }},
        {"--pin is 1,3 now and was not given",
         [](SenderOptions& o) {
             o.pin = {1, 3};
         }},
        {"--realtime is on now and was auto", [](SenderOptions& o) { o.realtime = Realtime::on; }},
        {"--log-server is gamma:9001 now and was not given",
         [](SenderOptions& o) {
             o.log_server = LogServerAddress{"gamma", 9001};
         }},
        {"--log-rate is 125000 B/s now and was not given", [](SenderOptions& o) { o.log_rate = 125'000; }},
        {"--log-block is 7 now and was 4096", [](SenderOptions& o) { o.block_records = 7; }},
        {"--wait is 1s now and was not given", [](SenderOptions& o) { o.calibration->wait = std::chrono::seconds(1); }},
    };
    for (const auto& [reason, change] : changes) {
        SenderOptions options = usual;
        change(options);
        EXPECT_THAT(option_differences(kept, option_facts(options)), ElementsAre(reason));
    }
    EXPECT_EQ(option_differences({}, kept).size(), changes.size());  // a sheet without its options
}

TEST(SettingsDifferences, AreOfThePolicyForLatePackets) {
    CalibrationArguments arguments;
    arguments.lateness = LatenessPolicy::skip;
    EXPECT_THAT(differences(small_settings(), arguments), ElementsAre("--lateness is skip now and was catch-up"));
}

TEST(HostDifferences, AreOfWhatMakesAHostAnotherOne) {
    const Facts kept{{"kernel", "Linux 1"}, {"offloads", "all"}};
    EXPECT_THAT(differences(kept, {{"kernel", "Linux 1"}, {"offloads", "none"}}, {"kernel", "cpu"}, "sender"),
                IsEmpty());
    EXPECT_THAT(differences(kept, {{"kernel", "Linux 2"}}, {"kernel"}, "sender"),
                ElementsAre("the sender's kernel is 'Linux 2' now and was 'Linux 1'"));
    EXPECT_THAT(differences({}, {{"kernel", "Linux 2"}}, {"kernel"}, "sender"), IsEmpty());
}

}  // namespace
}  // namespace groma
