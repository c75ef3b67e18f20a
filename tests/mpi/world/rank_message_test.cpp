#include "mpi/world/rank_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "mpi/roles/rank_identity.hpp"
#include "mpi/roles/rank_order.hpp"
#include "mpi/roles/send_order.hpp"

namespace groma {
namespace {

/// As another rank gets it.
nlohmann::json delivered(const nlohmann::json& body) {
    return parse_rank_message(serialize({"kind", body}), 1).body;
}

TEST(RankMessage, ArrivesAsItWas) {
    const RankMessage message{"piece", {{"offset", 7}, {"bytes", nlohmann::json::binary({0, 255, 3})}}};
    const RankMessage other = parse_rank_message(serialize(message), 2);
    EXPECT_EQ(other.kind, "piece");
    EXPECT_EQ(other.body, message.body);
}

TEST(RankMessage, WhatIsNoneIsRefusedWithTheRank) {
    std::vector<std::byte> bytes = serialize({"start", {{"mono_ns", 1}}});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW((void)parse_rank_message(std::span(bytes).first(size), 4), ProtocolError) << size;
    }
    try {
        (void)parse_rank_message({}, 4);
        FAIL();
    } catch (const ProtocolError& error) {
        EXPECT_NE(std::string(error.what()).find("rank 4"), std::string::npos);
    }
}

TEST(RankMessage, WhatIsNestedTooDeeplyIsRefused) {
    for (const unsigned opening : {0x81U, 0x9fU}) {  // arrays (RFC 8949): of one element; of as many as come
        const std::vector<std::byte> bytes(std::size_t{1} << 24U, static_cast<std::byte>(opening));
        EXPECT_THROW((void)parse_rank_message(bytes, 4), ProtocolError);
    }
}

TEST(RankIdentity, SurvivesTheWay) {
    const RankIdentity identity{"node7", "boot", "boot net:[1]", {{"10.0.0.1", 24}, {"fd99::1", 64}}};
    EXPECT_EQ(from_json<RankIdentity>(delivered(to_json(identity))), identity);
    EXPECT_THROW((void)from_json<RankIdentity>(delivered({{"host", "x"}})), UsageError);
}

TEST(RankIdentity, OfThisHostHasLoopback) {
    const RankIdentity own = own_identity("here");
    EXPECT_EQ(own.host, "here");
    EXPECT_NE(std::ranges::find(own.addresses, HostAddress{"127.0.0.1", 8}), own.addresses.end());
}

SharedKey counted_key() {
    SharedKey key;
    std::array<std::byte, Secret::kBytes> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i + 1);
    }
    std::ranges::copy(std::span(bytes).first<sizeof(Token)>(), key.id.begin());
    key.secret = Secret(bytes);
    return key;
}

TEST(RankOrder, SurvivesTheWay) {
    const RankOrder order{.run_id = "ab",
                          .folder = "/tmp/x",
                          .mark = "m",
                          .key = counted_key(),
                          .receives_at = {"10.0.0.1", "::1"},
                          .sends = true,
                          .log_server_at = "10.0.0.2",
                          .ships_to = 3,
                          .block_records = 7,
                          .timeout = std::chrono::minutes(2)};
    EXPECT_EQ(from_json<RankOrder>(delivered(to_json(order))), order);
    EXPECT_EQ(from_json<RankOrder>(delivered(to_json(RankOrder{}))), RankOrder{});
}

TEST(RankOrder, WithoutAProperKeyIsRefusedAndItsSecretIsNotSaid) {
    RankOrder proper;
    proper.key = counted_key();
    const nlohmann::json order = to_json(proper);
    const std::string secret = to_string(counted_key().secret);
    const auto refused = [&order](const nlohmann::json& key) -> std::string {
        nlohmann::json other = order;
        other["key"] = key;
        try {
            (void)from_json<RankOrder>(delivered(other));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    };
    const std::string id(32, 'a');
    EXPECT_EQ(refused({{"id", id}, {"secret", secret}}), "accepted");
    for (const nlohmann::json& key :
         {nlohmann::json(), nlohmann::json(secret), nlohmann::json({{"id", id}}), nlohmann::json({{"secret", secret}}),
          nlohmann::json({{"id", "a"}, {"secret", secret}}), nlohmann::json({{"id", secret}, {"secret", secret}}),
          nlohmann::json({{"id", id}, {"secret", secret + secret}}),
          nlohmann::json({{"id", id}, {"secret", secret.substr(0, 40)}}),
          nlohmann::json({{"id", id}, {"secret", secret + std::string(1 << 20U, 'A')}})}) {
        const std::string said = refused(key);
        EXPECT_THAT(said, testing::HasSubstr("key")) << key;
        EXPECT_THAT(said, testing::Not(testing::HasSubstr(secret.substr(0, 8)))) << key;
        EXPECT_LT(said.size(), 300U);
    }
    nlohmann::json without = order;
    without.erase("key");
    EXPECT_THROW((void)from_json<RankOrder>(delivered(without)), UsageError);
}

TEST(SendOrder, NamesNoFileElsewhere) {
    SendOrder order;
    order.sender = "a/../../x";
    EXPECT_THROW((void)from_json<SendOrder>(delivered(to_json(order))), UsageError);
}

TEST(SendOrder, SurvivesTheWay) {
    SendOrder order;
    order.experiment = parse_experiment("[hosts]\na = \"10.0.0.1\"\n[[flow]]\nfrom = \"a\"\nto = \"a\"\npackets = 3\n",
                                        "x.toml", {}, 9);
    order.experiment.hosts.clear();  // ranks need no aliases: they get addresses
    order.sender = "a";
    order.wait = std::chrono::seconds(2);
    order.log_server = LogServerAddress{"10.0.0.2", 4711};
    order.log_transport = LogTransport::udp;
    const SendOrder other = from_json<SendOrder>(delivered(to_json(order)));
    EXPECT_EQ(other.experiment.flows, order.experiment.flows);
    EXPECT_EQ(other.experiment.seed, 9U);
    EXPECT_EQ(other.log_server, order.log_server);
    EXPECT_EQ(other.log_transport, LogTransport::udp);
    EXPECT_EQ(other.wait, order.wait);
}

}  // namespace
}  // namespace groma
