#include "common/shipping/shipper/log_route.hpp"

#include <gtest/gtest.h>

#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"

namespace groma {
namespace {

class LogRouteTest : public testing::Test {
protected:
    [[nodiscard]] ShippingSettings settings() const {
        return shipping_settings({.server = parse_log_server("10.0.0.3")}, identity_);
    }

    UserKey key_{.key = {.grant = {.name = "lab"}, .secret = random_secret()}, .file = "keys/lab.key"};
    ShipperIdentity identity_{.program = "test", .spool = {}, .without_key = "it has no key"};
};

TEST_F(LogRouteTest, TheCommandForALaterDeliveryHasTheKeyThatIsOffered) {
    EXPECT_EQ(settings().key_option, "");
    identity_.offer = offers_of(key_);
    EXPECT_EQ(settings().key_option, " --key keys/lab.key");
    identity_.offer = offers_of(std::vector{key_.key.offered_to("10.0.0.3")});
    EXPECT_EQ(settings().key_option, " --key FILE") << "its file is the client's";
}

TEST_F(LogRouteTest, ARefusalTellsOfAMissingKeyOnly) {
    EXPECT_EQ(settings().without_key, "it has no key");
    identity_.offer = offers_of(key_);
    EXPECT_EQ(settings().without_key, "");
}

TEST_F(LogRouteTest, ADaemonsClientWithoutAKeyDoesNotPassForTheDaemonsUser) {
    identity_.resolve = [](std::string_view, std::uint16_t port) {
        return SocketAddress::from_literal("127.0.0.1", port);
    };
    EXPECT_NO_THROW(static_cast<void>(settings()));
    identity_.of_stranger = true;
    EXPECT_THROW(static_cast<void>(settings()), UsageError);
}

}  // namespace
}  // namespace groma
