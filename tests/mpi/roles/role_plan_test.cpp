#include "mpi/roles/role_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr auto kNone = LogServerNeed::none;
constexpr auto kIfThere = LogServerNeed::if_there_is_a_rank;
constexpr auto kNeeded = LogServerNeed::needed;

RankIdentity on(const std::string& host, const std::string& address) {
    return {host, "boot-" + host, "net-" + host, {{"127.0.0.1", 8}, {address, 24}}};
}

/// Ranks on one machine that is in no file.
std::vector<RankIdentity> one_machine(std::size_t ranks) {
    return std::vector<RankIdentity>(ranks, on("laptop", "192.168.0.7"));
}

Experiment parse(const std::string& text) {
    return parse_experiment(text, "test.toml", {}, 1);
}

const char* const kNewcomer = "[hosts]\nhere = \"127.0.0.1\"\n[[flow]]\nto = \"here\"\npackets = 1\n";

const char* const kTwoSenders = R"(
[hosts]
zeta = "10.0.0.9"
beta = "10.0.0.2"
gamma = "10.0.0.3"
unused = "10.0.0.4"
[defaults]
to = "gamma"
packets = 1
[[flow]]
from = "zeta"
[[flow]]
from = "beta"
)";

std::string complaint(const std::string& text, const std::vector<RankIdentity>& ranks, LogServerNeed need = kNone) {
    try {
        (void)plan_roles(parse(text), ranks, need);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

TEST(RolePlan, ThreeRanksSendReceiveAndKeepTheLogs) {
    const RolePlan plan = plan_roles(parse(kNewcomer), one_machine(3), kIfThere);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("", 0), Pair("here", 1)));
    EXPECT_EQ(plan.log_server, 2);
    EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(RolePlan, TwoRanksSendAndReceive) {
    const RolePlan plan = plan_roles(parse(kNewcomer), one_machine(2), kIfThere);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("", 0), Pair("here", 1)));
    EXPECT_EQ(plan.log_server, std::nullopt);
}

TEST(RolePlan, OneRankDoesEverything) {
    const RolePlan plan = plan_roles(parse(kTwoSenders), one_machine(1), kIfThere);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("beta", 0), Pair("gamma", 0), Pair("zeta", 0)));
    EXPECT_EQ(plan.log_server, std::nullopt);
}

TEST(RolePlan, HostsAreFoundByAddressWhateverTheOrder) {
    const RolePlan plan =
        plan_roles(parse(kTwoSenders),
                   {on("a", "10.0.0.7"), on("b", "10.0.0.3"), on("c", "10.0.0.2"), on("d", "10.0.0.9")}, kNeeded);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("beta", 2), Pair("gamma", 1), Pair("zeta", 3)));
    EXPECT_EQ(plan.log_server, 0);
}

TEST(RolePlan, HostsAreFoundByNameWithAndWithoutDomain) {
    const RolePlan plan = plan_roles(
        parse(kTwoSenders), {on("Gamma", "1.1.1.1"), on("beta.example.org", "1.1.1.2"), on("zeta", "1.1.1.3")}, kNone);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("beta", 1), Pair("gamma", 0), Pair("zeta", 2)));
}

TEST(RolePlan, AHostThatIsNotAmongThoseFoundIsAError) {
    EXPECT_THAT(complaint(kTwoSenders, {on("zeta", "1.1.1.1"), on("beta", "1.1.1.2"), on("other", "1.1.1.3")}),
                AllOf(HasSubstr("no rank runs on host 'gamma'"), HasSubstr("zeta, beta, other")));
}

TEST(RolePlan, HostsThatAreNotFoundAtAllAreRanksInTheOrderOfTheFile) {
    const RolePlan plan = plan_roles(parse(kTwoSenders), one_machine(4), kIfThere);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("beta", 1), Pair("gamma", 2), Pair("zeta", 0)));
    EXPECT_EQ(plan.log_server, 3);
}

TEST(RolePlan, TheTableOfRanksWins) {
    const std::string text = "[ranks]\nzeta = 1\nbeta = 1\ngamma = 0\nlog-server = 0\n";
    const RolePlan plan =
        plan_roles(parse(text + kTwoSenders), {on("zeta", "1.1.1.1"), on("beta", "1.1.1.2")}, kNeeded);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("beta", 1), Pair("gamma", 0), Pair("zeta", 1)));
    EXPECT_EQ(plan.log_server, 0);
}

TEST(RolePlan, TheTableOfRanksIsCheckedAsAWhole) {
    const std::string said = complaint(std::string("[ranks]\nzeta = 7\nbeta = 1\n") + kTwoSenders, one_machine(2));
    EXPECT_THAT(said, HasSubstr("zeta = 7, but this job's ranks are 0 to 1"));
    EXPECT_THAT(said, HasSubstr("which rank host 'gamma' is"));
}

TEST(RolePlan, TooFewRanksAreAErrorThatSaysHowMany) {
    EXPECT_THAT(complaint(kTwoSenders, one_machine(2)),
                AllOf(HasSubstr("3 hosts (zeta, beta, gamma)"), HasSubstr("mpirun -np 3")));
}

TEST(RolePlan, RanksThatAreLeftAreNamed) {
    const RolePlan plan = plan_roles(parse(kNewcomer), one_machine(5), kIfThere);
    EXPECT_EQ(plan.log_server, 2);
    EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("3, 4")));
}

TEST(RolePlan, ALogServerThatWasAskedForNeedsARank) {
    EXPECT_THAT(complaint(kNewcomer, one_machine(2), kNeeded), HasSubstr("mpirun -np 3"));
}

TEST(RolePlan, FlowsWithAndWithoutFromDoNotMix) {
    EXPECT_THAT(
        complaint("[hosts]\na = \"1.1.1.1\"\n[defaults]\npackets = 1\nto = \"a\"\n[[flow]]\nfrom = \"a\"\n[[flow]]\n"
                  "name = \"lost\"\n",
                  one_machine(3)),
        HasSubstr("flow 'lost' has no 'from'"));
}

TEST(RolePlan, HostsSayWhichWayAFlowGoesAndNotADirection) {
    EXPECT_THAT(complaint(std::string(kNewcomer) + "direction = \"both\"\n", one_machine(3)),
                HasSubstr("'from' and 'to' say which host sends"));
}

TEST(RolePlan, ATargetWithoutAnAliasIsAHostToo) {
    const RolePlan plan = plan_roles(parse("[[flow]]\nto = \"10.0.0.3\"\npackets = 1\n"),
                                     {on("a", "10.0.0.3"), on("b", "10.0.0.4")}, kNone);
    EXPECT_THAT(plan.rank_of, ElementsAre(Pair("", 0), Pair("10.0.0.3", 0)));
}

}  // namespace
}  // namespace groma
