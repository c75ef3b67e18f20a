#include "decoder/analysis/groups.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/files/csv_report.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/text/text_report.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/random_network.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GroupKeys, AreParsedInOrder) {
    EXPECT_THAT(parse_group_keys("label,hosts"), ElementsAre(GroupKey::label, GroupKey::hosts));
    for (const char* wrong : {"", "host", "hosts,", ",hosts", "hosts,hosts"}) {
        EXPECT_THROW(std::ignore = parse_group_keys(wrong), UsageError) << wrong;
    }
}

TEST(GroupValue, OfTheLabelIsTheNameWithoutItsNumber) {
    FlowResult flow;
    for (const auto& [name, label] : {std::pair<const char*, const char*>{"voip-12", "voip"},
                                      {"voip", "voip"},
                                      {"12", "12"},
                                      {"-12", "-12"},
                                      {"voip12", "voip12"},
                                      {"a-1-2", "a-1"},
                                      {"", ""}}) {
        flow.spec.name = name;
        EXPECT_EQ(group_value(GroupKey::label, flow), label);
    }
}

TEST(GroupValue, OfHostsNamesThoseWhoseLogsAreThere) {
    FlowResult flow;
    flow.sender = "alpha";
    EXPECT_EQ(group_value(GroupKey::hosts, flow), "alpha > ?");
    flow.receiver = "beta";
    EXPECT_EQ(group_value(GroupKey::hosts, flow), "alpha > beta");
}

TEST(GroupValue, OfFlowsWithoutAProfileIsNone) {
    FlowResult flow;
    EXPECT_EQ(group_value(GroupKey::profile, flow), "none");
    flow.spec.profile = "voip-g711";
    EXPECT_EQ(group_value(GroupKey::profile, flow), "voip-g711");
}

/// Five flows: voip-1, bulk-2, voip-3, ...; the bulk ones over TCP.
SamplePair two_kinds(std::uint32_t seed) {
    SamplePair pair = RandomNetwork(seed, 5, {}).logs(true, 0);
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        for (FlowSetup& flow : log->metadata.flows) {
            const bool voip = flow.spec.id.value % 2 == 1;
            flow.spec.name = (voip ? "voip-" : "bulk-") + std::to_string(flow.spec.id.value);
            flow.spec.transport = voip ? Transport::udp : Transport::dccp;
        }
    }
    return pair;
}

TEST(Groups, HaveTheFiguresThatTheirFlowsWouldHaveInTotalAlone) {
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const SamplePair pair = two_kinds(seed);
        const auto json =
            nlohmann::json::parse(json_report(pair.analyzed({.group_by = {GroupKey::transport, GroupKey::label}})));
        const auto& groups = json["runs"][0]["groups"];
        ASSERT_EQ(groups.size(), 2U);
        EXPECT_EQ(groups[0]["name"], "udp, voip");
        EXPECT_EQ(groups[1]["transport"], "dccp");
        EXPECT_EQ(groups[1]["members"].size(), 2U);
        const auto alone = [&](std::set<FlowId> flows) {
            return nlohmann::json::parse(json_report(pair.analyzed({.flows = std::move(flows)})))["runs"][0]["total"];
        };
        const auto figures = [](nlohmann::json group) {
            for (const char* key : {"name", "transport", "label", "members"}) {
                group.erase(key);
            }
            return group;
        };
        EXPECT_EQ(figures(groups[0]), alone({FlowId{1}, FlowId{3}, FlowId{5}}));
        EXPECT_EQ(figures(groups[1]), alone({FlowId{2}, FlowId{4}}));
    }
}

TEST(Groups, CountWhatWentToSeveralReceiversOnceInEachOfTheirHosts) {
    const SamplePair pair = small_pair();
    SampleLog gamma = pair.receiver;
    gamma.metadata.host = "gamma";
    const Results results = analyze({pair.sender.source("s"), pair.receiver.source("b"), gamma.source("g")},
                                    {.group_by = {GroupKey::hosts}});
    const auto& groups = results.runs.front().groups;
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].name, "alpha > beta");
    EXPECT_EQ(groups[1].name, "alpha > gamma");
    for (const GroupResult& group : groups) {
        EXPECT_EQ(group.total.flows, 1U);
        EXPECT_EQ(group.total.sent->packets, 3U);
        EXPECT_EQ(group.total.due_packets, 3U);
        EXPECT_EQ(group.total.loss.packets, 1U);
        EXPECT_EQ(group.total.series.rows().front().sent_packets, 3U);
        EXPECT_EQ(group.total.series.rows().front().lost, 1U);
    }
    EXPECT_EQ(results.runs.front().total.sent->packets, 3U);
    EXPECT_EQ(results.runs.front().total.due_packets, 6U);
    const TemporaryFolder folder;
    write_sqlite_report(results, folder.file("r.sqlite"));
    SQLite::Database database(folder.file("r.sqlite"));
    for (const char* group : {"1", "2"}) {
        EXPECT_EQ(
            database.execAndGet(std::string("SELECT sent_packets FROM group_series WHERE group_number = ") + group)
                .getInt(),
            3);
    }
}

TEST(Groups, HaveNoSumsByIntervalOfWhatIsUnknownOfAFlow) {
    SamplePair pair{.sender = empty_log(LogRole::sender, 2), .receiver = empty_log(LogRole::receiver, 1)};
    pair.sender.sent = {{FlowId{1}, {sent_packet(0, 0)}}, {FlowId{2}, {sent_packet(0, 0), sent_packet(1, 1)}}};
    pair.receiver.received = {{FlowId{1}, {received_packet(0, 0, 1'500'000'000)}}};
    close(pair.sender);
    close(pair.receiver);
    const TemporaryFolder folder;
    write_sqlite_report(pair.analyzed({.group_by = {GroupKey::transport}}), folder.file("r.sqlite"));
    SQLite::Database database(folder.file("r.sqlite"));
    for (const std::string view : {"series_totals", "group_series"}) {
        const auto one = [&](const std::string& what, int second) {
            return database.execAndGet("SELECT " + what + " FROM " + view + " WHERE t_s = " + std::to_string(second));
        };
        EXPECT_EQ(one("sent_packets", 0).getInt(), 3);
        EXPECT_TRUE(one("received_packets", 0).isNull()) << "nothing is known of flow 2";
        EXPECT_TRUE(one("lost", 0).isNull());
        EXPECT_EQ(one("received_packets", 1).getInt(), 1) << "flow 2 has ended";
    }
}

TEST(Groups, AreInEveryReport) {
    const Results results = two_kinds(4).analyzed({.group_by = {GroupKey::label}});
    EXPECT_THAT(text_report(results), HasSubstr("\n   voip"));
    EXPECT_THAT(csv_report(results), HasSubstr(",0,bulk,"));
    const TemporaryFolder folder;
    write_sqlite_report(results, folder.file("r.sqlite"));
    SQLite::Database database(folder.file("r.sqlite"));
    const auto one = [&](const std::string& query) { return database.execAndGet("SELECT " + query); };
    const TotalResult& voip = results.runs.front().groups.front().total;
    EXPECT_EQ(one("count(*) FROM groups").getInt(), 3) << "and the total";
    EXPECT_EQ(one("label FROM groups WHERE group_number = 1").getString(), "voip");
    EXPECT_TRUE(one("transport FROM groups WHERE group_number = 1").isNull());
    EXPECT_EQ(static_cast<std::uint64_t>(one("lost FROM groups WHERE group_number = 1").getInt64()), voip.loss.packets);
    EXPECT_EQ(one("clock FROM groups WHERE group_number = 1").getString(), "one clock");
    EXPECT_EQ(static_cast<std::uint64_t>(one("sum(lost) FROM groups WHERE group_number > 0").getInt64()),
              results.runs.front().total.loss.packets);
    EXPECT_EQ(one("sum(received_packets) FROM group_series WHERE group_number = 1").getInt64(),
              one("received_packets FROM groups WHERE group_number = 1").getInt64());
    EXPECT_EQ(one("sum(count) FROM group_histograms WHERE group_number = 1 AND kind = 'ipdv'").getInt64(),
              static_cast<std::int64_t>(voip.received->ipdv_ns.count));
}

}  // namespace
}  // namespace groma
