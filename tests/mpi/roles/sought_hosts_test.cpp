#include "mpi/roles/sought_hosts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::pair<std::string, std::string>> hosts_sought_by(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> hosts;
    for (const SoughtHost& host : sought_hosts(parse_experiment(text, "test.toml", {}, 1))) {
        hosts.emplace_back(host.name, host.address);
    }
    return hosts;
}

RankIdentity rank_on(const std::string& host, const std::string& address) {
    return {.host = host, .boot_id = "", .network = "", .addresses = {{"127.0.0.1", 8}, {"::1", 128}, {address, 24}}};
}

TEST(SoughtHosts, AreTheNamelessSenderThenThoseOfTheFileThenTargetsWithoutAnAlias) {
    EXPECT_THAT(hosts_sought_by(R"(
[hosts]
zeta = "10.0.0.9"
idle = "10.0.0.8"
beta = "10.0.0.2"
[defaults]
packets = 1
[[flow]]
to = "far.example"
[[flow]]
to = "beta"
[[flow]]
to = "zeta"
[[flow]]
to = "far.example"
)"),
                ElementsAre(Pair("", ""), Pair("zeta", "10.0.0.9"), Pair("beta", "10.0.0.2"),
                            Pair("far.example", "far.example")));
}

TEST(SoughtHosts, ASenderWithANameIsOneOfTheFilesHosts) {
    EXPECT_THAT(hosts_sought_by("[hosts]\na = \"10.0.0.1\"\nb = \"10.0.0.2\"\n"
                                "[[flow]]\nfrom = \"b\"\nto = \"a\"\npackets = 1\n"),
                ElementsAre(Pair("a", "10.0.0.1"), Pair("b", "10.0.0.2")));
}

TEST(SoughtHosts, ARankRunsOnTheHostOfItsNameWholeOrShort) {
    const RankIdentity rank = rank_on("Node7.cluster.example", "10.0.0.7");
    EXPECT_TRUE(runs_on(rank, {.name = "node7", .address = ""}));
    EXPECT_TRUE(runs_on(rank, {.name = "NODE7.CLUSTER.EXAMPLE", .address = ""}));
    EXPECT_FALSE(runs_on(rank, {.name = "node7.cluster", .address = ""}));
    EXPECT_FALSE(runs_on(rank, {.name = "node", .address = ""}));
    EXPECT_TRUE(runs_on(rank, {.name = "alias", .address = "node7.cluster.example"}));
    EXPECT_FALSE(runs_on(rank, {.name = "alias", .address = "node7"}));
}

TEST(SoughtHosts, ARankRunsOnTheHostOfItsAddressButNotOnThatOfLoopback) {
    const RankIdentity rank = rank_on("node7", "10.0.0.7");
    EXPECT_TRUE(runs_on(rank, {.name = "alias", .address = "10.0.0.7"}));
    EXPECT_FALSE(runs_on(rank, {.name = "alias", .address = "10.0.0.8"}));
    for (const char* const loopback : {"127.0.0.1", "::1", "localhost"}) {
        EXPECT_FALSE(runs_on(rank, {.name = "alias", .address = loopback})) << loopback;
    }
}

TEST(SoughtHosts, NoRankRunsOnAHostWithoutNameAndAddress) {
    EXPECT_FALSE(runs_on(rank_on("", "10.0.0.7"), {}));
}

}  // namespace
}  // namespace groma
