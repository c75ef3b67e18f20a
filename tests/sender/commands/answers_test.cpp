#include "sender/commands/sender_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST(Answers, AreForThoseWhoOnlyAsk) {
    EXPECT_THAT(answer(SenderOptions::Action::help), Optional(HasSubstr("--idt DISTRIBUTION")));
    EXPECT_THAT(answer(SenderOptions::Action::version), Optional(HasSubstr(GROMA_VERSION)));
    EXPECT_THAT(answer(SenderOptions::Action::list_profiles), Optional(HasSubstr("voip")));
    EXPECT_THAT(answer(SenderOptions::Action::list_tests), Optional(HasSubstr("latency-under-load")));
    EXPECT_THAT(answer(SenderOptions::Action::list_transports), Optional(HasSubstr("udp")));
    EXPECT_EQ(answer(SenderOptions::Action::run), std::nullopt);
}

TEST(Answers, ListProfilesInLinesThatFitATerminal) {
    std::istringstream list(answer(SenderOptions::Action::list_profiles).value());
    for (std::string line; std::getline(list, line);) {
        EXPECT_LE(line.size(), 100U) << line;
    }
    EXPECT_THAT(list.str(), HasSubstr("telnet                  a person typing: 1 to 15 bytes, heavy-tailed gaps\n"
                                      "                        --transport tcp --idt pareto:0.95:1.1ms --size\n"));
}

}  // namespace
}  // namespace groma
