#include "receiver/receiver_options.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

ReceiverOptions parse(const std::vector<std::string>& arguments) {
    return parse_receiver_options(arguments);
}

std::string errors(const std::vector<std::string>& arguments) {
    try {
        (void)parse(arguments);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<std::string> listens_on(const ReceiverOptions& options) {
    std::vector<std::string> texts;
    for (const SocketAddress& address : options.server.listen) {
        texts.push_back(address.to_string());
    }
    return texts;
}

TEST(ReceiverOptions, ListenOnLoopbackOnlyUnlessToldOtherwise) {
    EXPECT_THAT(listens_on(parse({})), ::testing::ElementsAre("127.0.0.1:9000", "[::1]:9000"));
}

TEST(ReceiverOptions, ListenOnEveryAddressWithOpen) {
    EXPECT_THAT(listens_on(parse({"--open", "--keys", "keys", "--port", "9555"})),
                ::testing::ElementsAre("0.0.0.0:9555", "[::]:9555"));
}

TEST(ReceiverOptions, ListenOnOneAddressWithListen) {
    EXPECT_THAT(listens_on(parse({"--listen", "127.0.0.2"})), ::testing::ElementsAre("127.0.0.2:9000"));
    EXPECT_THAT(listens_on(parse({"--listen=10.0.0.2", "--open-to-anyone"})), ::testing::ElementsAre("10.0.0.2:9000"));
    EXPECT_THAT(listens_on(parse({"--listen", "fd99::2", "--open-to-anyone"})),
                ::testing::ElementsAre("[fd99::2]:9000"));
}

TEST(ReceiverOptions, RefuseAnAddressThatOthersReachWithoutOpen) {
    for (const char* address : {"10.0.0.2", "0.0.0.0", "::", "fd99::2"}) {
        EXPECT_THAT(errors({"--listen", address}), HasSubstr("add --open and --keys DIR")) << address;
    }
}

TEST(ReceiverOptions, MetricsAreForThisHost) {
    EXPECT_TRUE(parse({}).server.metrics.empty());
    EXPECT_EQ(parse({"--metrics", "9100"}).server.metrics.size(), 2U);
    EXPECT_THAT(errors({"--metrics", "10.0.0.2:9100"}), HasSubstr("--metrics 10.0.0.2:9100 can be reached"));
}

TEST(ReceiverOptions, TheSpoolHasAPlaceAndALimit) {
    const ReceiverOptions options = parse({"--spool-dir", "kept", "--spool-limit", "1MiB"});
    EXPECT_EQ(options.server.spool, "kept");
    EXPECT_EQ(options.server.shipping.spool_bytes, 1U << 20U);
    EXPECT_THAT(errors({"--spool-limit", "1000"}), HasSubstr("64KiB"));
}

TEST(ReceiverOptions, OneHostHasTheUsualShareOfTheSessionsUnlessToldOtherwise) {
    EXPECT_EQ(parse({}).server.max_per_host, std::nullopt);
    EXPECT_EQ(parse({"--max-per-host", "9"}).server.max_per_host, 9U);
    EXPECT_THAT(errors({"--max-per-host", "0"}), HasSubstr("--max-per-host"));
}

TEST(ReceiverOptions, ATimeoutStretchesAllWaitsForPeers) {
    const ReceiverServerOptions server = parse({"--timeout", "2min"}).server;
    EXPECT_EQ(server.times.silence, std::chrono::minutes(2));
    EXPECT_EQ(server.shipping.times.patience, std::chrono::minutes(5));
    EXPECT_THAT(errors({"--timeout", "1s"}), HasSubstr("--timeout: '1s' is out of range: use a time from 2s to 1h"));
}

TEST(ReceiverOptions, CoalescingOfPacketsIsAutomaticUnlessToldOtherwise) {
    EXPECT_EQ(parse({}).server.gro, GroMode::automatic);
    EXPECT_EQ(parse({"--gro", "on"}).server.gro, GroMode::on);
    EXPECT_EQ(parse({"--gro=off"}).server.gro, GroMode::off);
    EXPECT_THAT(errors({"--gro", "maybe"}), HasSubstr("'maybe' is not one of auto, on, off"));
}

TEST(ReceiverOptions, ReadEveryValue) {
    const ReceiverOptions options =
        parse({"--port=0", "--port-file", "p", "--log-dir", "logs", "--replace-logs", "--max-sessions", "3",
               "--max-flows", "5", "--threads", "2", "--log-block", "7", "--live=500ms"});
    EXPECT_EQ(options.server.listen.at(0).port(), 0);
    EXPECT_EQ(options.port_file, "p");
    EXPECT_EQ(options.server.log_dir, "logs");
    EXPECT_TRUE(options.server.replace_logs);
    EXPECT_FALSE(parse({}).server.replace_logs);
    EXPECT_EQ(options.server.max_sessions, 3U);
    EXPECT_EQ(options.server.max_flows, 5U);
    EXPECT_EQ(options.server.threads.count, 2U);
    EXPECT_EQ(options.server.block_records, 7U);
    EXPECT_EQ(options.server.live, std::chrono::milliseconds(500));
}

TEST(ReceiverOptions, PrintALineASecondWhenLiveHasNoTime) {
    EXPECT_EQ(parse({"--live"}).server.live, std::chrono::seconds(1));
    EXPECT_EQ(parse({}).server.live, std::nullopt);
}

TEST(ReceiverOptions, RefuseWhatCannotBeAndSayWhatCould) {
    struct Case {
        std::vector<std::string> arguments;
        std::string says;
    };
    const std::vector<Case> cases{
        {{"--port", "65536"}, "from 0 to 65535"},
        {{"--port", "http"}, "from 0 to 65535"},
        {{"--port"}, "--port needs a value"},
        {{"--max-sessions", "0"}, "from 1 to 10000"},
        {{"--max-flows", "-1"}, "from 1 to 100000"},
        {{"--threads", "1.5"}, "from 1 to 256"},
        {{"--live=1"}, "--live: "},
        {{"--live=1ms"}, "between 100ms and 24h"},
        {{"--listen", "somewhere"}, "is not an address"},
        {{"--opne"}, "--open"},
        {{"extra"}, "extra"},
    };
    for (const Case& one : cases) {
        EXPECT_THAT(errors(one.arguments), HasSubstr(one.says)) << one.arguments.front();
    }
}

TEST(ReceiverOptions, ThreadsHaveCoresAndUrgency) {
    EXPECT_EQ(parse({}).server.threads.count, 0U);
    EXPECT_EQ(parse({"--threads", "auto"}).server.threads.count, 0U);
    const ReceiveThreads threads = parse({"--pin", "0,2-3", "--realtime", "on"}).server.threads;
    EXPECT_EQ(threads.pin, (std::vector<unsigned>{0, 2, 3}));
    EXPECT_EQ(threads.realtime, Realtime::on);
    EXPECT_THAT(errors({"--pin", "first"}), HasSubstr("--pin: 'first' is not a list of cores"));
}

TEST(ReceiverOptions, TellAllErrorsTogether) {
    const std::string text = errors({"--port", "x", "--threads", "y", "--listen", "10.0.0.1"});
    EXPECT_THAT(text, HasSubstr("--port"));
    EXPECT_THAT(text, HasSubstr("--threads"));
    EXPECT_THAT(text, HasSubstr("--open"));
}

TEST(ReceiverOptions, SayWhereAReceiverListensAndHowToOpenIt) {
    const std::vector<SocketAddress> loopback{SocketAddress::from_literal("127.0.0.1", 9000),
                                              SocketAddress::from_literal("::1", 9000)};
    EXPECT_EQ(listening_line(loopback),
              "groma-recv " GROMA_VERSION
              ": listening on 127.0.0.1:9000, [::1]:9000 (loopback only; --open with --keys for every address)");
    const std::vector<SocketAddress> open{SocketAddress::from_literal("0.0.0.0", 9000)};
    EXPECT_EQ(listening_line(open), "groma-recv " GROMA_VERSION ": listening on 0.0.0.0:9000");
}

TEST(ReceiverOptions, DialInsteadOfListening) {
    const ReceiverOptions options = parse({"--dial", "[fd99::1]:9555", "--as", "beta", "--once", "--keepalive", "2s"});
    ASSERT_TRUE(options.server.dial.has_value());
    EXPECT_EQ(options.server.dial->host, "fd99::1");
    EXPECT_EQ(options.server.dial->port, 9555);
    EXPECT_EQ(options.server.dial->name, "beta");
    EXPECT_TRUE(options.server.dial->once);
    EXPECT_EQ(options.server.dial->keepalive_interval, std::chrono::seconds(2));
    EXPECT_TRUE(options.server.listen.empty());
    EXPECT_THAT(dialling_line(*options.server.dial), HasSubstr("dialling [fd99::1]:9555 as beta"));
}

TEST(ReceiverOptions, ShipForOtherHostsOnlyToNamedLogServers) {
    const LogServerAddress server{"logs"};
    EXPECT_NO_THROW(parse({}).server.log_servers.require(server));
    EXPECT_THROW(parse({"--open-to-anyone"}).server.log_servers.require(server), UsageError);
    EXPECT_THROW(parse({"--dial", "alpha"}).server.log_servers.require(server), UsageError);
    EXPECT_NO_THROW(parse({"--open-to-anyone", "--log-servers", "a,logs"}).server.log_servers.require(server));
    EXPECT_THROW(parse({"--log-servers", "a"}).server.log_servers.require(server), UsageError);
    EXPECT_THAT(errors({"--log-servers", "a,,b"}), HasSubstr("there is no host in it"));
    EXPECT_THAT(errors({"--log-servers", "a/b"}), HasSubstr("neither a host's name nor an address"));
}

TEST(ReceiverOptions, DialPort9002UnlessToldOtherwise) {
    EXPECT_EQ(parse({"--dial", "alpha"}).server.dial->port, 9002);
}

TEST(ReceiverOptions, RefuseToDialAndListen) {
    for (const char* option :
         {"--open", "--open-to-anyone", "--port=1", "--listen=127.0.0.1", "--port-file=x", "--keys=x"}) {
        EXPECT_THAT(errors({"--dial", "alpha", option}), HasSubstr("cannot be given with --dial")) << option;
    }
    for (const char* option : {"--once", "--as=beta", "--keepalive=1s"}) {
        EXPECT_THAT(errors({option}), HasSubstr("requires --dial")) << option;
    }
    EXPECT_EQ(parse({"--key", "lab.key"}).key_file, "lab.key");
    EXPECT_THAT(errors({"--dial", "alpha", "--as", "\x1b[2J"}), HasSubstr("is not a name"));
    EXPECT_THAT(errors({"--dial", "alpha", "--keepalive", "1us"}), HasSubstr("not between 100ms and 1h"));
}

}  // namespace
}  // namespace groma
