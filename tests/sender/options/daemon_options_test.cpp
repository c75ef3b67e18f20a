#include "sender/options/daemon_options.hpp"

#include <gmock/gmock.h>

#include <string>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DaemonOptionsTest : public testing::Test {
protected:
    static SenderOptions understood(const std::vector<std::string>& arguments) {
        return SenderOptions::parse(arguments, 1);
    }
    static std::vector<std::string> listens_on(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "--daemon=9555");
        std::vector<std::string> texts;
        for (const SocketAddress& address : understood(arguments).daemon.listen) {
            texts.push_back(address.to_string());
        }
        return texts;
    }
    static std::string refusal(const std::vector<std::string>& arguments) {
        try {
            (void)understood(arguments);
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    }
};

TEST_F(DaemonOptionsTest, ADaemonAloneListensOnLoopbackAndKeepsNoLogs) {
    const SenderOptions options = understood({"--daemon"});
    EXPECT_EQ(options.action, SenderOptions::Action::daemon);
    EXPECT_THAT(options.daemon.listen, ElementsAre(SocketAddress::from_literal("127.0.0.1", kDaemonPort),
                                                   SocketAddress::from_literal("::1", kDaemonPort)));
    EXPECT_EQ(options.daemon.max_runs, 4U);
    EXPECT_EQ(options.daemon.max_flows, 100'000U);
    EXPECT_EQ(options.daemon.log_dir, "");
}

TEST_F(DaemonOptionsTest, OtherHostsReachItOnlyWhenItIsOpen) {
    EXPECT_THAT(listens_on({"--open", "--keys", "keys"}), ElementsAre("0.0.0.0:9555", "[::]:9555"));
    EXPECT_THAT(listens_on({"--open-to-anyone"}), ElementsAre("0.0.0.0:9555", "[::]:9555"));
    EXPECT_THAT(listens_on({"--open-to-anyone", "--listen", "10.0.0.1"}), ElementsAre("10.0.0.1:9555"));
    EXPECT_THAT(listens_on({"--listen", "127.0.0.5"}), ElementsAre("127.0.0.5:9555"));
    EXPECT_THAT(refusal({"--daemon", "--listen", "10.0.0.1"}),
                HasSubstr("--listen: '10.0.0.1' can be reached from other hosts"));
    EXPECT_THAT(refusal({"--daemon", "--open"}), HasSubstr("--open does not say who may come"));
    EXPECT_THAT(refusal({"--passive", "9002"}), HasSubstr("--passive does not say who may come"));
    EXPECT_THAT(refusal({"--to", "beta", "--open-to-anyone"}), HasSubstr("requires --passive or --daemon"));
    EXPECT_TRUE(understood({"--passive", "127.0.0.1:9002"}).passive);
}

TEST_F(DaemonOptionsTest, ItsPortMayBeTheKernelsChoice) {
    EXPECT_EQ(understood({"--daemon=0"}).daemon.listen.front().port(), 0);
    EXPECT_EQ(understood({"--daemon=65535"}).daemon.listen.front().port(), 65535);
    for (const char* bad : {"65536", "-1", "x", "100000"}) {
        EXPECT_THAT(refusal({std::string("--daemon=") + bad}),
                    HasSubstr(std::string("'") + bad + "' is not a port: use a number from 0 to 65535"));
    }
}

TEST_F(DaemonOptionsTest, ItsLimitsHaveLimits) {
    const SenderOptions options = understood({"--daemon", "--max-runs", "1000", "--max-flows", "1"});
    EXPECT_EQ(options.daemon.max_runs, 1000U);
    EXPECT_EQ(options.daemon.max_flows, 1U);
    for (const char* option : {"--max-runs", "--max-flows"}) {
        EXPECT_THAT(refusal({"--daemon", option, "0"}), HasSubstr(std::string(option) + ": '0'"));
    }
    EXPECT_THAT(refusal({"--daemon", "--max-runs", "1001"}), HasSubstr("--max-runs: '1001'"));
}

TEST_F(DaemonOptionsTest, LogsAreKeptInAFolderThatIsThere) {
    const TemporaryFolder folder;
    EXPECT_EQ(understood({"--daemon", "--log-dir", folder.path()}).daemon.log_dir, folder.path());
    EXPECT_THAT(refusal({"--daemon", "--log-dir", folder.file("none")}), HasSubstr("--log-dir: there is no folder "));
}

TEST_F(DaemonOptionsTest, ADaemonThatOthersReachShipsOnlyToNamedLogServers) {
    const auto ships = [](const std::vector<std::string>& more, const LogServerAddress& server) {
        std::vector<std::string> arguments{"--daemon"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        try {
            understood(arguments).daemon.log_servers.require(server);
            return true;
        } catch (const UsageError&) {
            return false;
        }
    };
    EXPECT_TRUE(ships({}, {.host = "logs"}));
    EXPECT_FALSE(ships({"--open-to-anyone"}, {.host = "logs"}));
    EXPECT_TRUE(ships({"--open-to-anyone", "--log-servers", "a,logs"}, {.host = "logs"}));
    EXPECT_FALSE(ships({"--log-servers", "a,logs"}, {.host = "b"}));
    EXPECT_FALSE(ships({"--log-servers", "a,logs"}, {.host = "logs", .port = 22}));
    EXPECT_THAT(refusal({"--daemon", "--log-servers", "a,"}), HasSubstr("--log-servers: log server ''"));
}

TEST_F(DaemonOptionsTest, ADaemonTakesNoRunAndARunNoDaemonsOptions) {
    EXPECT_THAT(refusal({"--daemon", "--idt", "const:1pps"}),
                HasSubstr("--idt describes a run: give it to groma-send --via, not to the daemon"));
    EXPECT_THAT(refusal({"--daemon", "voip.toml"}),
                HasSubstr("voip.toml is an experiment: give it to groma-send --via, not to the daemon"));
    for (const char* option :
         {"--open", "--listen=127.0.0.1", "--max-runs=2", "--max-flows=2", "--log-dir=.", "--log-servers=a"}) {
        EXPECT_THAT(refusal({"--to", "beta", option}), HasSubstr(" requires --daemon"));
    }
}

TEST_F(DaemonOptionsTest, WhoListensHasKeysAndWhoConnectsHasOne) {
    EXPECT_EQ(understood({"--daemon", "--keys", "keys"}).keys, "keys");
    EXPECT_EQ(understood({"--passive", "9002", "--keys", "keys"}).keys, "keys");
    EXPECT_EQ(understood({"--to", "beta", "--key", "lab.key"}).key_file, "lab.key");
    EXPECT_EQ(understood({"--to", "beta", "--via", "gamma", "--key", "lab.key"}).key_file, "lab.key");
    EXPECT_THAT(refusal({"--to", "beta", "--keys", "keys"}), HasSubstr("--keys requires --passive or --daemon"));
    EXPECT_THAT(refusal({"--daemon", "--key", "lab.key"}), HasSubstr("--key describes a run"));
    EXPECT_THAT(refusal({"--passive", "9002", "--open-to-anyone", "--key", "lab.key"}),
                HasSubstr("--key is for what connects"));
    EXPECT_EQ(understood({"--passive", "9002", "--keys", "keys", "--key", "lab.key", "--log-server", "logs"}).key_file,
              "lab.key");
}

TEST_F(DaemonOptionsTest, ViaNamesADaemonThatIsAskedForWhatItCanDo) {
    EXPECT_EQ(understood({"--to", "beta", "--via", "gamma"}).via, (Target{"gamma", kDaemonPort, {}}));
    EXPECT_EQ(understood({"--to", "beta", "--via", "gamma:9555"}).via, (Target{"gamma", 9555, {}}));
    EXPECT_THAT(refusal({"--to", "beta", "--via", "gamma", "--realtime", "on"}),
                HasSubstr("--realtime cannot be given with --via: it is not done on this host"));
}

TEST_F(DaemonOptionsTest, TheFirstLineSaysWhoCanReachIt) {
    const SocketAddress here = SocketAddress::from_literal("127.0.0.1", 9003);
    const SocketAddress everywhere = SocketAddress::from_literal("::", 9003);
    EXPECT_THAT(daemon_line({here}),
                HasSubstr(": takes runs on 127.0.0.1:9003 (loopback only; --open with --keys for every address)"));
    EXPECT_THAT(daemon_line({here, everywhere}), testing::EndsWith(": takes runs on 127.0.0.1:9003, [::]:9003"));
}

}  // namespace
}  // namespace groma
