#include "logserver/log_options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

LogOptions parse(const std::vector<std::string>& arguments) {
    return parse_log_options(arguments);
}

TEST(LogOptions, ServeThisHostOnlyWhenNothingIsSaid) {
    const LogOptions options = parse({});
    EXPECT_EQ(options.command, LogCommand::serve);
    EXPECT_EQ(options.server.listen.port, 9001);
    for (const SocketAddress& address : addresses_to_listen_on(options.server.listen)) {
        EXPECT_TRUE(address.is_loopback()) << address.to_string();
    }
}

TEST(LogOptions, AreReadTogether) {
    const LogOptions options = parse({"--listen", "127.0.0.1", "--port=0", "--dir", "x", "--max-bytes", "2G",
                                      "--max-sessions", "3", "--port-file", "p"});
    EXPECT_EQ(options.server.listen.port, 0);
    EXPECT_EQ(options.server.directory, "x");
    EXPECT_EQ(options.server.max_log_bytes, 2ULL << 30U);
    EXPECT_EQ(options.server.max_sessions, 3U);
    EXPECT_EQ(parse({"--max-per-host", "2"}).server.max_per_host, 2U);
    EXPECT_EQ(options.port_file, "p");
}

TEST(LogOptions, NameEveryErrorAtOnce) {
    try {
        (void)parse({"--port", "70000", "--max-bytes", "many", "--max-sessions", "0", "--dri", "x"});
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        const std::string text = error.what();
        for (const char* part : {"--port '70000'", "--max-bytes 'many'", "--max-sessions '0'", "--dri"}) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        }
    }
}

TEST(LogOptions, MetricsAreForThisHost) {
    EXPECT_TRUE(parse({}).server.metrics.empty());
    EXPECT_EQ(parse({"--metrics", "127.0.0.1:9101"}).server.metrics.front().to_string(), "127.0.0.1:9101");
    EXPECT_THROW((void)parse({"--metrics", "0.0.0.0:9101"}), UsageError);
}

TEST(LogOptions, ATimeoutStretchesAllWaitsForPeers) {
    EXPECT_EQ(parse({"--timeout", "8s"}).server.times.silence, std::chrono::minutes(10));
    EXPECT_THROW((void)parse({"--timeout", "soon"}), UsageError);
}

TEST(LogOptions, RefuseSizesThatOverflow) {
    EXPECT_THROW((void)parse({"--max-bytes", "99999999T"}), UsageError);
    EXPECT_THROW((void)parse({"--max-bytes", ""}), UsageError);
    EXPECT_THROW((void)parse({"--max-bytes", "-1"}), UsageError);
}

TEST(LogOptions, ListADirectory) {
    EXPECT_EQ(parse({"list", "/srv/logs"}).request.directory, "/srv/logs");
    EXPECT_EQ(parse({"list"}).request.directory, "groma-logs");
    EXPECT_EQ(parse({"list", "--dir", "x", "--json"}).request.directory, "x");
    EXPECT_EQ(parse({"list"}).command, LogCommand::list);
}

TEST(LogOptions, TellADirectoryFromAnExperiment) {
    const StoredLogsRequest both = parse({"show", "./logs", "voip-1a2b3c4d"}).request;
    EXPECT_EQ(both.directory, "./logs");
    EXPECT_EQ(both.experiments, std::vector<std::string>{"voip-1a2b3c4d"});
    const StoredLogsRequest one = parse({"prune", "voip-1a2b3c4d", "games"}).request;
    EXPECT_EQ(one.directory, "groma-logs");
    EXPECT_EQ(one.experiments.size(), 2U);
}

TEST(LogOptions, PruneByAge) {
    EXPECT_EQ(parse({"prune", "--older-than", "30d"}).request.older_than, std::chrono::hours(720));
    EXPECT_EQ(parse({"prune", "--older-than", "90s"}).request.older_than, std::chrono::seconds(90));
    EXPECT_THROW((void)parse({"prune", "--older-than", "soon"}), UsageError);
    EXPECT_THROW((void)parse({"prune"}), UsageError);
}

TEST(LogOptions, BelongToTheirCommands) {
    EXPECT_THROW((void)parse({"list", "--dry-run"}), UsageError);
    EXPECT_THROW((void)parse({"--older-than", "1h"}), UsageError);
    EXPECT_THROW((void)parse({"export", "games"}), UsageError);
    EXPECT_THROW((void)parse({"show"}), UsageError);
    EXPECT_THROW((void)parse({"serve"}), UsageError);
}

TEST(LogOptions, SayWhenLogsAreSafe) {
    EXPECT_EQ(parse({}).server.sync, SyncPolicy::interval);
    const LogServerSettings server = parse({"--sync", "block", "--sync-interval", "50ms"}).server;
    EXPECT_EQ(server.sync, SyncPolicy::block);
    EXPECT_EQ(server.limits.durable_every, std::chrono::milliseconds(50));
    EXPECT_THROW((void)parse({"--sync", "never"}), UsageError);
    EXPECT_THROW((void)parse({"--sync-interval", "0s"}), UsageError);
}

TEST(LogOptions, LimitWhatTheServerTakes) {
    const LogServerSettings server =
        parse({"--max-disk", "1G", "--reserve", "0", "--max-rate", "2M", "--max-logs", "7"}).server;
    EXPECT_EQ(server.max_disk, 1ULL << 30U);
    EXPECT_EQ(server.reserve, 0U);
    EXPECT_EQ(server.max_rate, 2ULL << 20U);
    EXPECT_EQ(server.max_logs, 7U);
}

TEST(LogOptions, SayWhoMayCome) {
    EXPECT_THROW(static_cast<void>(parse({"--open"})), UsageError);
    EXPECT_THROW(static_cast<void>(parse({"--open-to-anyone", "--keys", "keys"})), UsageError);
    EXPECT_EQ(parse({"--open", "--keys", "keys"}).server.keys.folder, "keys");
    EXPECT_TRUE(parse({"--open-to-anyone"}).server.listen.reach.to_anyone);
}

TEST(ListenOptions, DoNotOpenTheDiskToOtherHostsUnasked) {
    ListenOptions options;
    options.address = "10.0.0.1";
    EXPECT_THROW((void)addresses_to_listen_on(options), UsageError);
    options.reach.to_anyone = true;
    EXPECT_EQ(addresses_to_listen_on(options).front().to_string(), "10.0.0.1:9001");
}

}  // namespace
}  // namespace groma
