#include "logserver/options.hpp"

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
    EXPECT_EQ(options.port_file, "p");
}

TEST(LogOptions, NameEveryMistakeAtOnce) {
    try {
        (void)parse({"--port", "70000", "--max-bytes", "many", "--max-sessions", "0", "serve", "--dri", "x"});
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        const std::string text = error.what();
        for (const char* part : {"--port '70000'", "--max-bytes 'many'", "--max-sessions '0'", "'serve'", "--dri"}) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        }
    }
}

TEST(LogOptions, RefuseSizesThatOverflow) {
    EXPECT_THROW((void)parse({"--max-bytes", "99999999T"}), UsageError);
    EXPECT_THROW((void)parse({"--max-bytes", ""}), UsageError);
    EXPECT_THROW((void)parse({"--max-bytes", "-1"}), UsageError);
}

TEST(LogOptions, ListADirectory) {
    EXPECT_EQ(parse({"list", "/srv/logs"}).listed, "/srv/logs");
    EXPECT_EQ(parse({"list"}).listed, "groma-logs");
    EXPECT_EQ(parse({"list"}).command, LogCommand::list);
}

TEST(ListenOptions, DoNotOpenTheDiskToOtherHostsUnasked) {
    ListenOptions options;
    options.address = "10.0.0.1";
    EXPECT_THROW((void)addresses_to_listen_on(options), UsageError);
    options.open = true;
    EXPECT_EQ(addresses_to_listen_on(options).front().to_string(), "10.0.0.1:9001");
}

}  // namespace
}  // namespace groma
