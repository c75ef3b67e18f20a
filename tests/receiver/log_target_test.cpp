#include "receiver/log_target.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "receiver/log_shippers.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

const Hello kHello{.program = {}, .run_id = "0123456789abcdef0123456789abcdef", .experiment = "first", .host = {}};
const LogPlace kPlace{.folder = "/var/logs", .host = "beta"};
const SocketAddress kReachedAt = SocketAddress::from_literal("10.0.0.2", 9000);

TEST(LogTarget, PutsANameIntoTheReceiversFolder) {
    const LogTarget target = log_target({.log_file = "recv.glog", .log_server = ""}, kHello, kPlace, kReachedAt);
    EXPECT_EQ(target.file, "/var/logs/recv.glog");
    EXPECT_FALSE(target.server);
}

TEST(LogTarget, IsNoneWhenTheSenderAsksForNone) {
    EXPECT_TRUE(log_target({}, kHello, kPlace, kReachedAt).none());
}

TEST(LogTarget, RefusesEveryNameThatIsAPath) {
    const std::vector<std::string> names{"/etc/passwd",
                                         "a/b",
                                         "..",
                                         "../x",
                                         ".",
                                         ".hidden",
                                         "a\x1b[2J.glog",
                                         "a\nb",
                                         "a\x7f",
                                         "a\xc2\x9b.glog",
                                         "a\xe2\x80\xae.glog",
                                         std::string(kLongestLogFileName + 1, 'x'),
                                         std::string("a\0b", 3)};
    for (const std::string& name : names) {
        try {
            (void)log_target({.log_file = name, .log_server = ""}, kHello, kPlace, kReachedAt);
            ADD_FAILURE() << name;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("--log-dir decides where"));
            EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
        }
    }
}

TEST(LogTarget, RefusesNamesThatTheSpoolNeeds) {
    const TemporaryFolder folder;
    std::filesystem::create_directory_symlink(folder.path(), folder.path() / "link");
    LogPlace place{.folder = folder.path(), .host = "beta"};
    const auto refuses = [&](const char* name) {
        try {
            (void)log_target({.log_file = name, .log_server = ""}, kHello, place, kReachedAt);
            return false;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("where the receiver's spool belongs"));
            return true;
        }
    };
    for (const char* spool : {"state", "state/groma/spool", "link/state/spool"}) {
        place.spool = folder.path() / spool;
        EXPECT_TRUE(refuses("state")) << spool;
        EXPECT_FALSE(refuses("stat")) << spool;
        EXPECT_FALSE(refuses("state.glog")) << spool;
    }
    place.spool = folder.path() / "x.part";
    EXPECT_TRUE(refuses("x"));
}

TEST(LogTarget, TakesOrdinaryNames) {
    for (const std::string& name : {std::string("recv.glog"), std::string("a..b"), std::string("run 7 (\xc3\xa4).glog"),
                                    std::string(kLongestLogFileName, 'x')}) {
        EXPECT_EQ(log_file_name_error(name), std::nullopt) << name;
    }
}

TEST(LogTarget, NamesTheLogOnTheServerAfterTheReceiver) {
    const LogTarget target = log_target({.log_file = "", .log_server = "10.0.0.3"}, kHello, kPlace, kReachedAt);
    EXPECT_EQ(target.server, (LogServerAddress{.host = "10.0.0.3", .port = 9001}));
    EXPECT_EQ(target.folder_on_server, "first-01234567");
    EXPECT_EQ(target.name_on_server, "receiver-beta-10.0.0.2");
}

TEST(LogTarget, TellsTwoReceiversOfOneHostApartByTheirPorts) {
    const LogTarget target =
        log_target({.log_file = "", .log_server = "c"}, kHello, kPlace, kReachedAt.with_port(9100));
    EXPECT_EQ(target.name_on_server, "receiver-beta-10.0.0.2-9100");
}

TEST(LogTarget, TellsReceiversOfHostsWithOneNameApartByTheirAddresses) {
    const SocketAddress other = SocketAddress::from_literal("fd99::3", 9000);
    EXPECT_EQ(log_target({.log_file = "", .log_server = "c"}, kHello, kPlace, other).name_on_server,
              "receiver-beta-fd99--3");
}

TEST(LogTarget, MakesANameOfAnyHostName) {
    LogPlace place = kPlace;
    place.host = "../b\xff";
    EXPECT_EQ(log_target({.log_file = "", .log_server = "c"}, kHello, place, kReachedAt).name_on_server,
              "receiver-..-b--10.0.0.2");
}

TEST(LogTarget, RefusesALogServerThatIsNoAddress) {
    EXPECT_THROW((void)log_target({.log_file = "", .log_server = "c:port"}, kHello, kPlace, kReachedAt), UsageError);
}

TEST(LogTarget, GoesOnlyToServersThatTheReceiverNames) {
    LogPlace place = kPlace;
    place.servers = parse_log_servers("logs,10.0.0.3:9100,[fd99::3]:9001,[fe80::1%eth0]:9001");
    const auto taken = [&place](const std::string& server) {
        try {
            static_cast<void>(log_target({.log_file = "", .log_server = server}, kHello, place, kReachedAt));
        } catch (const UsageError& error) {
            EXPECT_EQ(error.what(),
                      "this host ships no logs to " + to_string(parse_log_server(server)) +
                          ", only to the log servers that its own command line names (--log-servers HOST[:PORT],...)");
            return false;
        }
        return true;
    };
    EXPECT_TRUE(taken("logs"));
    EXPECT_TRUE(taken("LOGS.:9001"));
    EXPECT_TRUE(taken("10.0.0.3:9100"));
    EXPECT_TRUE(taken("[fe80::1%eth0]:9001"));
    EXPECT_TRUE(taken("[fd99:0::3]:9001"));
    for (const char* other : {"logs:22", "10.0.0.3", "10.0.0.3:22", "127.0.0.1", "logs.example.org", "[fd99::4]:9001",
                              "[fe80::1%eth1]:9001", "[fe80::1]:9001"}) {
        EXPECT_FALSE(taken(other)) << other;
    }
    place.servers = NamedLogServers(std::vector<LogServerAddress>());
    EXPECT_FALSE(taken("logs"));
}

class OpenLogTarget : public ::testing::Test {
protected:
    [[nodiscard]] LogTarget target(const std::string& name) const {
        return {.file = folder_.path() / name, .server = std::nullopt, .folder_on_server = {}, .name_on_server = {}};
    }

    TemporaryFolder folder_;
    Resolver resolver_{{}, kernel_clock()};
    LogShippers shippers_{{.program = "test", .spool = {}}, nullptr, resolver_, kernel_clock()};
};

TEST_F(OpenLogTarget, DoesNotReplaceAFileThatIsNoLog) {
    std::ofstream(folder_.path() / "precious") << "not a log at all";
    EXPECT_THROW((void)open_log_target(target("precious"), shippers_), UsageError);
    std::filesystem::create_directory(folder_.path() / "folder");
    EXPECT_THROW((void)open_log_target(target("folder"), shippers_), UsageError);
    std::filesystem::create_symlink("/dev/null", folder_.path() / "link");
    EXPECT_THROW((void)open_log_target(target("link"), shippers_), UsageError);
}

TEST_F(OpenLogTarget, DoesNotWriteThroughALinkThatIsCalledAsItsPart) {
    std::ofstream(folder_.path() / "precious") << "not a log at all";
    std::filesystem::create_symlink("precious", folder_.path() / "recv.glog.part");
    EXPECT_THROW((void)open_log_target(target("recv.glog"), shippers_), UsageError);
    EXPECT_EQ(content_of(folder_.path() / "precious"), "not a log at all");
}

TEST_F(OpenLogTarget, IsAsLongAsTheKeyOfThePeerLetsItBecome) {
    LogTarget limited = target("recv.glog");
    limited.key = Grant{.name = "lab", .limits = parse_limits("log-bytes=1kB")};
    limited.key_logs = std::make_shared<KeyLogs>();
    const OpenedLog log = open_log_target(limited, shippers_);
    const std::vector<std::byte> piece(600);
    log.sink->append(piece);
    try {
        log.sink->append(piece);
        FAIL() << "taken";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the key 'lab' allows at most 1 kB of logs (log-bytes=1kB), of which 600 B "
                                            "are used: whoever keeps the folder of keys there"));
    }
    EXPECT_EQ(std::filesystem::file_size(folder_.path() / "recv.glog.part"), 600U);
}

TEST_F(OpenLogTarget, RefusesToShipOverMpiWithoutItsProgram) {
    try {
        (void)open_log_target(
            log_target({.log_file = "", .log_server = "", .log_transport = "mpi"}, kHello, kPlace, kReachedAt),
            shippers_);
        FAIL() << "opened";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("groma-mpi"), std::string::npos) << error.what();
    }
}

TEST_F(OpenLogTarget, FailsBeforeTheRunWhenTheFolderIsNotThere) {
    EXPECT_THROW((void)open_log_target({.file = folder_.path() / "none" / "recv.glog",
                                        .server = std::nullopt,
                                        .folder_on_server = {},
                                        .name_on_server = {}},
                                       shippers_),
                 SystemError);
}

}  // namespace
}  // namespace groma
