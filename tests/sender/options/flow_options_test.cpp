#include "sender/options/flow_options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sender/options/sender_options.hpp"

namespace groma {
namespace {

Distribution idt_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--to", "b"});
    return SenderOptions::parse(arguments, 1).experiment.flows.at(0).idt;
}

TEST(FlowOptions, ARateOfPayloadIsConstantUnlessADistributionIsGiven) {
    EXPECT_EQ(idt_of({"--rate", "8Mbps", "--size", "1000"}), Distribution(Constant{1e6}));
    EXPECT_EQ(idt_of({"--rate", "8Mbps", "--size", "unif:500:1500", "--idt", "exp:1s"}),
              Distribution(Exponential{1e6}));
    EXPECT_EQ(idt_of({"--rate", "4kpps", "--idt", "unif:1ms:3ms"}), Distribution(Uniform{125e3, 375e3}));
}

TEST(FlowOptions, ARateChangesThatOfAProfile) {
    EXPECT_EQ(idt_of({"--profile", "voip-g711.1-rtp", "--rate", "1kpps"}), Distribution(Constant{1e6}));
}

TEST(FlowOptions, AFlowAsFastAsPossibleHasTheSizeOfItsTransportUnlessOneIsGiven) {
    const auto size_of = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"--to", "b", "--idt", "max", "--transport", "tcp"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return SenderOptions::parse(arguments, 1).experiment.flows.at(0).size;
    };
    EXPECT_EQ(idt_of({"--idt", "max"}), Distribution(Greedy{}));
    EXPECT_EQ(size_of({}), Distribution(Constant{131'072}));
    EXPECT_EQ(size_of({"--size", "9"}), Distribution(Constant{9}));
}

}  // namespace
}  // namespace groma
