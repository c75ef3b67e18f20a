#include "sender/options/passive_options.hpp"

#include <gmock/gmock.h>

#include <string>

#include "common/base/errors.hpp"
#include "common/cli/usage_errors.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class PassiveOptionsTest : public testing::Test {
protected:
    static SenderOptions understood(std::vector<std::string> arguments) {
        arguments.emplace_back("--open-to-anyone");
        return SenderOptions::parse(arguments, 1);
    }
    static std::string refusal(const std::vector<std::string>& arguments) {
        try {
            (void)understood(arguments);
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    }
    static std::vector<std::string> awaits_on(const std::string& value) {
        std::vector<std::string> texts;
        const SenderOptions options = understood({"--passive", value});
        for (const SocketAddress& address : options.passive->listen) {
            texts.push_back(address.to_string());
        }
        return texts;
    }
};

TEST_F(PassiveOptionsTest, APassiveSenderListensWhereItIsTold) {
    EXPECT_THAT(awaits_on("9555"), ElementsAre("0.0.0.0:9555", "[::]:9555"));
    EXPECT_THAT(awaits_on("127.0.0.1:9555"), ElementsAre("127.0.0.1:9555"));
    EXPECT_THAT(awaits_on("[::1]:9555"), ElementsAre("[::1]:9555"));
    EXPECT_THAT(awaits_on("10.0.0.1"), ElementsAre("10.0.0.1:9002"));
}

TEST_F(PassiveOptionsTest, APassiveSenderNeedsNoNameOfItsReceiver) {
    const SenderOptions options = understood({"--passive", "9002", "--passive-wait", "5s"});
    EXPECT_EQ(options.passive->wait, std::chrono::seconds(5));
    EXPECT_THAT(options.experiment.flows, SizeIs(1));
}

TEST_F(PassiveOptionsTest, APassiveSenderTakesPunchesFromAnySourceOnlyWhenItIsToldTo) {
    EXPECT_FALSE(understood({"--passive", "9002"}).passive->any_source);
    EXPECT_TRUE(understood({"--passive", "9002", "--passive-any-source"}).passive->any_source);
    EXPECT_THAT(refusal({"--to", "beta", "--passive-any-source"}),
                HasSubstr("--passive-any-source requires --passive"));
}

TEST_F(PassiveOptionsTest, APassiveSenderRefusesWhatNoNatLetsThrough) {
    EXPECT_THAT(refusal({"--passive", "9002", "--transport", "icmp"}), HasSubstr("cannot send ICMP"));
    EXPECT_THAT(refusal({"--passive", "9002", "--source", "10.0.0.1"}), HasSubstr("leave out the source"));
    EXPECT_THAT(refusal({"--passive", "70000"}), HasSubstr("is not a port"));
    EXPECT_THAT(refusal({"--passive", "9002", "--passive-wait", "1ms"}), HasSubstr("out of range"));
    EXPECT_THAT(refusal({"--to", "beta", "--passive-wait", "5s"}), HasSubstr("--passive-wait requires --passive"));
}

TEST_F(PassiveOptionsTest, APassiveSenderWaitsForASecondAtLeastAndForADayAtMost) {
    EXPECT_EQ(understood({"--passive", "9002", "--passive-wait", "1s"}).passive->wait, std::chrono::seconds(1));
    EXPECT_EQ(understood({"--passive", "9002", "--passive-wait", "24h"}).passive->wait, std::chrono::hours(24));
    EXPECT_THAT(refusal({"--passive", "9002", "--passive-wait", "25h"}), HasSubstr("use a time from 1s to 24h"));
}

TEST_F(PassiveOptionsTest, AFlowToSeveralReceiversIsRefusedOfAPassiveSenderOnly) {
    SenderOptions options;
    options.experiment.flows.resize(1);
    options.experiment.flows.front().name = "film";
    options.experiment.flows.front().also_to = {Target{"gamma", 9000, {}}};
    UsageErrors none;
    check_dialled(options, none);
    EXPECT_TRUE(none.none());
    options.passive.emplace();
    UsageErrors errors;
    check_dialled(options, errors);
    try {
        errors.throw_if_any();
        FAIL() << "it would be sent";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("flow 'film': --passive sends a flow to one receiver"));
    }
}

}  // namespace
}  // namespace groma
