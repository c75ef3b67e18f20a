#include "mpi/job/run_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "common/access/drawn_key.hpp"
#include "common/json/json_record.hpp"
#include "common/os/temporary_folder.hpp"
#include "mpi/roles/job_key.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

RankIdentity on(const std::string& host, const std::string& address) {
    return {host, "boot-" + host, "net-" + host, {{"127.0.0.1", 8}, {address, 24}}};
}

/// Two senders, a receiver and a rank for the log server on four machines.
class FourRanks : public testing::Test {
protected:
    FourRanks() {
        run_.experiment = parse_experiment(R"(
[hosts]
alpha = "10.0.0.1"
beta = "10.0.0.2"
gamma = "10.0.0.3"
[defaults]
to = "gamma"
packets = 1
[[flow]]
from = "alpha"
[[flow]]
from = "beta"
)",
                                           "test.toml", {}, 1);
        run_.roles = plan_roles(run_.experiment, ranks_, LogServerNeed::needed);
        run_.run_id = std::string(32, 'a');
    }

    std::vector<RankIdentity> ranks_ = {on("a", "10.0.0.1"), on("b", "10.0.0.2"), on("c", "10.0.0.3"),
                                        on("d", "10.0.0.4")};
    JobRun run_;
};

TEST_F(FourRanks, OnlyRanksWithSomethingToDoGetOrders) {
    const RunLayout layout(ranks_, run_, "/out");
    EXPECT_THAT(layout.senders(), ElementsAre(0, 1));
    EXPECT_THAT(layout.receivers(), ElementsAre(2));
    ASSERT_THAT(layout.orders(), SizeIs(3));
    EXPECT_TRUE(layout.orders().at(0).sends);
    EXPECT_THAT(layout.orders().at(2).receives_at, ElementsAre("10.0.0.3"));
    EXPECT_EQ(layout.orders().at(2).folder, "/out");
    EXPECT_FALSE(layout.with_log_server());
}

TEST_F(FourRanks, SendersGetTheirFlowsAndTheReceiversPort) {
    RunLayout layout(ranks_, run_, "/out");
    layout.take_prepared(2, nlohmann::json::object({{"receiver_port", 4321U}}));
    const SendOrder order = layout.send_order(1);
    ASSERT_THAT(order.experiment.flows, SizeIs(1));
    EXPECT_EQ(order.experiment.flows[0].from_host, "beta");
    EXPECT_EQ(order.experiment.flows[0].target.host, "10.0.0.3");
    EXPECT_EQ(order.experiment.flows[0].target.control_port, 4321);
    EXPECT_EQ(order.sender, "beta");
    EXPECT_TRUE(order.local_logs);
}

TEST_F(FourRanks, SendersAreToldHowTheirThreadsAreRun) {
    run_.threads = 3;
    run_.pin = {1, 2};
    run_.realtime = Realtime::on;
    RunLayout layout(ranks_, run_, "/out");
    layout.take_prepared(2, nlohmann::json::object({{"receiver_port", 4321U}}));
    const SendOrder order = from_json<SendOrder>(nlohmann::json::parse(to_json(layout.send_order(0)).dump()));
    const TemporaryFolder folder;
    const SenderOptions options = sender_options(order, RunFolder::make(folder.path() / "run", "mark"));
    EXPECT_EQ(options.threads, 3U);
    EXPECT_EQ(options.pin, run_.pin);
    EXPECT_EQ(options.realtime, Realtime::on);
}

TEST_F(FourRanks, AllShipTheirLogsToTheLogServersRank) {
    run_.log_transport = JobLogTransport::mpi;
    run_.local_logs = false;
    const RunLayout over_mpi(ranks_, run_, "/out");
    EXPECT_EQ(over_mpi.orders().at(0).ships_to, 3);
    EXPECT_EQ(over_mpi.orders().at(2).ships_to, 3);
    EXPECT_EQ(over_mpi.orders().at(3).log_server_at, "10.0.0.4");

    run_.log_transport = JobLogTransport::tcp;
    RunLayout over_tcp(ranks_, run_, "/out");
    over_tcp.take_prepared(2, nlohmann::json::object({{"receiver_port", 4321U}}));
    over_tcp.take_prepared(3, nlohmann::json::object({{"log_server_port", 9000U}}));
    EXPECT_EQ(over_tcp.orders().at(0).ships_to, -1);
    const SendOrder order = over_tcp.send_order(0);
    ASSERT_TRUE(order.log_server);
    EXPECT_EQ(to_string(*order.log_server), "10.0.0.4:9000");
    EXPECT_FALSE(order.local_logs);
}

TEST_F(FourRanks, EachRankWithARoleGetsTheKeyOfTheRun) {
    run_.key = draw_key();
    for (const JobLogTransport transport : {JobLogTransport::tcp, JobLogTransport::udp, JobLogTransport::mpi}) {
        run_.log_transport = transport;
        const RunLayout layout(ranks_, run_, "/out");
        ASSERT_THAT(layout.orders(), SizeIs(4));
        for (const auto& [rank, order] : layout.orders()) {
            EXPECT_EQ(order.key, run_.key) << rank;
        }
    }
}

TEST_F(FourRanks, AReceiversAddressIsSaidWithItsRank) {
    RunLayout layout(ranks_, run_, "/out");
    layout.take_prepared(2, nlohmann::json::object({{"receiver_port", 4321U}}));
    EXPECT_EQ(layout.call(2), "rank 2 (gamma, on c)");
    EXPECT_EQ(layout.with_ranks_named("10.0.0.3:4321 refused"), "10.0.0.3:4321 (rank 2 (gamma, on c)) refused");
}

}  // namespace
}  // namespace groma
