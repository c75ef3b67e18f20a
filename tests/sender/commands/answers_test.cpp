#include "sender/commands/sender_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST(Answers, AreForThoseWhoOnlyAsk) {
    EXPECT_THAT(answer(SenderOptions::Action::help), Optional(HasSubstr("--idt DISTRIBUTION")));
    EXPECT_THAT(answer(SenderOptions::Action::version), Optional(HasSubstr(GROMA_VERSION)));
    EXPECT_THAT(answer(SenderOptions::Action::list_profiles), Optional(HasSubstr("voip")));
    EXPECT_THAT(answer(SenderOptions::Action::list_transports), Optional(HasSubstr("udp")));
    EXPECT_EQ(answer(SenderOptions::Action::run), std::nullopt);
}

}  // namespace
}  // namespace groma
