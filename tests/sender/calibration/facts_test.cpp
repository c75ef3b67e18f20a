#include "sender/calibration/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SettingsFacts, AreReadBackToTheSameSettings) {
    CalibrationSettings settings = small_settings();
    settings.rates_pps = {0.1, 1000.0 / 3, 1e7};
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
