#include "common/control/reach.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Reach kThisHost{};
constexpr Reach kKeyed{.open = true, .keys = true};
constexpr Reach kAnyone{.to_anyone = true};

TEST(Reach, IsThisHostUnlessItIsSaidWhoElseMayCome) {
    EXPECT_EQ(reach_error(kThisHost), "");
    EXPECT_EQ(reach_error({.keys = true}), "") << "for other users of this host";
    EXPECT_EQ(reach_error(kKeyed), "");
    EXPECT_EQ(reach_error(kAnyone), "");
    EXPECT_EQ(reach_error({.open = true, .to_anyone = true}), "");
    EXPECT_THAT(reach_error({.open = true}),
                AllOf(HasSubstr("--open does not say who may come"), HasSubstr("groma-key new"),
                      HasSubstr("groma-key host"), HasSubstr("or give --open-to-anyone")));
    EXPECT_THAT(reach_error({.open = true}, "--passive"),
                AllOf(HasSubstr("--passive does not say"), HasSubstr("or add --open-to-anyone")));
    EXPECT_THAT(reach_error({.to_anyone = true, .keys = true}), HasSubstr("leave one of them out"));
    EXPECT_THAT(reach_error({.end_with_key = true}), HasSubstr("add --keys DIR"));
    EXPECT_EQ(reach_error({.keys = true, .end_with_key = true}), "");
}

TEST(Reach, OnlyOpenDaemonsListenBeyondLoopback) {
    EXPECT_EQ(usual_addresses(kThisHost, 7).front().to_string(), "127.0.0.1:7");
    EXPECT_EQ(usual_addresses({.keys = true}, 7).back().to_string(), "[::1]:7");
    EXPECT_EQ(usual_addresses(kKeyed, 7).back().to_string(), "[::]:7");
    EXPECT_EQ(usual_addresses(kAnyone, 7).front().to_string(), "0.0.0.0:7");
    EXPECT_EQ(address_to_listen_on("localhost", kThisHost, 7, "come").to_string(), "127.0.0.1:7");
    EXPECT_EQ(address_to_listen_on("10.0.0.1", kKeyed, 7, "come").to_string(), "10.0.0.1:7");
    for (const char* address : {"10.0.0.1", "0.0.0.0", "::", "fd99::2"}) {
        EXPECT_THROW(static_cast<void>(address_to_listen_on(address, kThisHost, 7, "come")), UsageError);
        EXPECT_THROW(static_cast<void>(address_to_listen_on(address, {.keys = true}, 7, "come")), UsageError);
    }
}

TEST(Reach, IsToldInWords) {
    EXPECT_EQ(kThisHost.in_words(), "programs of this host");
    EXPECT_EQ(kKeyed.in_words(), "who proves a key");
    EXPECT_EQ(kAnyone.in_words(), kServesAnyone);
    EXPECT_EQ(reach_warning(kKeyed, "have this host send"), "");
    EXPECT_EQ(reach_warning(kAnyone, "have this host send"),
              "--open-to-anyone: whoever reaches the port can have this host send");
}

}  // namespace
}  // namespace groma
