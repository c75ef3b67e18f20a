#include "keys/made_keys.hpp"

#include <gmock/gmock.h>

#include <array>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

constexpr WallTime kNow = wall_time_from_ns(1'795'608'000'000'000'000);  // 2026-11-25, 12:00 UTC

AccessKey lab_key() {
    return new_access_key({.name = "lab", .roles = {Role::send, Role::view}, .last_day = parse_day("2027-11-25")});
}

KeyOptions for_beta() {
    return {.command = KeyCommand::host, .files = {"lab.key"}, .hosts = {"beta", "10.0.0.2"}};
}

TEST(MadeKeys, ANewKeyHasAllRolesButAdminUnlessToldOtherwise) {
    const Grant grant = new_grant({.command = KeyCommand::new_key, .name = "lab"});
    EXPECT_EQ(to_string(grant.roles), "receive,send,ship,view");
    EXPECT_EQ(grant.name, "lab");
    EXPECT_EQ(grant.last_day, std::nullopt);
    const KeyOptions options{.command = KeyCommand::new_key,
                             .name = "lab",
                             .roles = Roles{Role::admin},
                             .last_day = parse_day("2027-11-25")};
    EXPECT_EQ(new_grant(options), (Grant{"lab", {Role::admin}, parse_day("2027-11-25")}));
}

TEST(MadeKeys, NoTwoNewKeysHaveTheSameSecret) {
    const AccessKey first = lab_key();
    EXPECT_NE(first.secret, lab_key().secret);
    EXPECT_NE(first.secret, Secret());
    EXPECT_NE(first.shared_with("beta"), lab_key().shared_with("beta"));
}

TEST(MadeKeys, ANewKeyIsReadBack) {
    const AccessKey key = lab_key();
    EXPECT_EQ(parse_access_key(text_of(key), "lab.key"), key);
}

TEST(MadeKeys, AHostsPartIsReadBackAndIsWhatTheUserOffers) {
    const AccessKey key = lab_key();
    const KnownKey part = parse_known_key(text_of(part_of_host(key, for_beta(), kNow)), "beta.key");
    ASSERT_EQ(part.hosts.size(), 2U);
    EXPECT_EQ(part.hosts[0], (HostEntry{"beta", key.shared_with("beta")}));
    EXPECT_EQ(part.hosts[1], (HostEntry{"10.0.0.2", key.shared_with("10.0.0.2")}));
    EXPECT_EQ(key.offered_to("Beta.").key, part.hosts[0].key);
}

TEST(MadeKeys, AHostsPartHoldsNothingOfTheUsersSecret) {
    const AccessKey key = lab_key();
    EXPECT_THAT(text_of(part_of_host(key, for_beta(), kNow)), Not(HasSubstr(to_string(key.secret))));
}

TEST(MadeKeys, AHostsPartTakesOverRolesAndLastDay) {
    const AccessKey key = lab_key();
    EXPECT_EQ(part_of_host(key, for_beta(), kNow).grant, key.grant);
}

TEST(MadeKeys, AHostsPartCanHaveOtherRolesAndAnotherLastDay) {
    KeyOptions options = for_beta();
    options.roles = Roles{Role::admin};
    EXPECT_EQ(part_of_host(lab_key(), options, kNow).grant, (Grant{"lab", {Role::admin}, parse_day("2027-11-25")}));
    options = for_beta();
    options.last_day = parse_day("2030-01-01");
    EXPECT_EQ(part_of_host(lab_key(), options, kNow).grant,
              (Grant{"lab", {Role::send, Role::view}, parse_day("2030-01-01")}));
}

TEST(MadeKeys, AnExpiredKeyGivesNoPartUnlessItGetsAnotherLastDay) {
    AccessKey key = lab_key();
    key.grant.last_day = parse_day("2026-11-24");
    try {
        static_cast<void>(part_of_host(key, for_beta(), kNow));
        ADD_FAILURE() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the key 'lab' has expired, its last day was 2026-11-24: give this part "
                                            "another one (--expires)"));
    }
    KeyOptions options = for_beta();
    options.last_day = parse_day("2026-11-25");
    EXPECT_EQ(part_of_host(key, options, kNow).grant.last_day, options.last_day);
}

}  // namespace
}  // namespace groma
