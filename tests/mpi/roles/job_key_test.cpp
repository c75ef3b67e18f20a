#include "mpi/roles/job_key.hpp"

#include <gtest/gtest.h>

#include "common/access/drawn_key.hpp"

namespace groma {
namespace {

TEST(JobKey, OfARunIsNoOtherRuns) {
    const SharedKey one = draw_key();
    const SharedKey other = draw_key();
    EXPECT_NE(one.id, other.id);
    EXPECT_NE(one.secret, other.secret);
    EXPECT_NE(one.id, Token{});
    EXPECT_NE(one.secret, Secret{});
}

TEST(JobKey, IsOfferedToEachHostAndGoodForReceivingAndLogs) {
    const SharedKey key = draw_key();
    const KeySource asked = asked_of_ranks(key);
    EXPECT_FALSE(asked.empty());
    for (const char* host : {"10.0.0.1", "fd99::1", "beta"}) {
        const std::optional<OfferedKey> offered = offered_to_ranks(key)(host, SocketAddress());
        ASSERT_TRUE(offered.has_value());
        EXPECT_EQ(offered->host, host);
        const KeyRing::Entry* const known = asked.given.find(offered->key.id);
        ASSERT_NE(known, nullptr);
        EXPECT_EQ(known->secret, offered->key.secret);
        EXPECT_EQ(known->grant.roles, (Roles{Role::receive, Role::ship}));
    }
    EXPECT_EQ(asked.given.find(draw_key().id), nullptr);
}

}  // namespace
}  // namespace groma
