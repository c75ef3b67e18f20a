#include "joint/agent_process.hpp"

#include <gmock/gmock.h>

#include "common/access/drawn_key.hpp"
#include "common/base/errors.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PortOfAgent, IsInTheLineThatSaysThatItTakesRuns) {
    EXPECT_EQ(port_of_agent("groma-send 0.1.0: takes runs on 0.0.0.0:40123, [::]:40123\n"), 40123);
    EXPECT_EQ(port_of_agent("a warning\ngroma-send: takes runs on [::]:7\n"), 7);
    for (const char* const none : {"", "takes runs on ", "takes runs on 0.0.0.0:40", "takes runs on x, ",
                                   "takes runs on 0.0.0.0:0, ", "takes runs on 0.0.0.0:70000, "}) {
        EXPECT_EQ(port_of_agent(none), 0) << none;
    }
}

/// What a command says in place of ssh, with its arguments: the host and the agent's command.
class StartedAgent {
public:
    explicit StartedAgent(const char* script, const std::vector<std::string>& options = {})
        : process_({"sh", "-c", script}, {.host = "10.0.0.9", .control_port = 0}, key_, options) {}

    std::uint16_t port(Nanos patience = std::chrono::minutes(10), bool gave_up = false) {
        return process_.await_port(kernel_clock(), patience,
                                   {.gave_up = [gave_up] { return gave_up; }, .still_waits = [] {}});
    }
    std::string error(Nanos patience = std::chrono::minutes(10), bool gave_up = false) {
        try {
            return std::to_string(port(patience, gave_up));
        } catch (const RunError& error) {
            return error.what();
        }
    }

private:
    SharedKey key_ = draw_key();
    AgentProcess process_;
};

TEST(AgentProcess, IsToldItsKeyAndSaysItsPort) {
    StartedAgent agent(
        "read id secret; test ${#id} = 32 -a ${#secret} = 44 && echo 'takes runs on 0.0.0.0:41, x'; cat");
    EXPECT_EQ(agent.port(), 41);
}

TEST(AgentProcess, IsStartedOnItsHostWithItsOptions) {
    StartedAgent agent("printf '%s\\r\\nsecond\\n' \"$0 $*\"; exit 255", {"--log-servers", "logs"});
    EXPECT_THAT(
        agent.error(),
        AllOf(HasSubstr("no agent could be started: 'sh -c"), HasSubstr("10.0.0.9 groma-send' ended"),
              HasSubstr(
                  "it said: 10.0.0.9 groma-send --agent=0 --open --keys - --quiet --log-servers logs; second (does")));
}

TEST(AgentProcess, ThatCannotBeginIsReportedWithWhatToDo) {
    for (const auto& [said, advice] : std::initializer_list<std::pair<const char*, const char*>>{
             {"bash: line 1: groma-send: command not found", "install Groma there"},
             {"user@beta: Permission denied (publickey,password).", "log in without a question"},
             {"Warning: Identity file lab not accessible: No such file or directory.; beta: Permission denied "
              "(publickey).",
              "log in without a question"},
             {"Host key verification failed.", "log in once by hand"},
             {"ssh: Could not resolve hostname beta: Name or service not known", "correct its 'address'"},
             {"groma-send: unknown option --agent=0", "another release is there"}}) {
        const std::string script = "echo '" + std::string(said) + "'; exit 1";
        EXPECT_THAT(StartedAgent(script.c_str()).error(), AllOf(HasSubstr(said), HasSubstr(advice)));
    }
}

TEST(AgentProcess, ThatSaysNothingIsNotAwaitedForEver) {
    EXPECT_THAT(StartedAgent("cat").error(Nanos{0}), HasSubstr("in time; it said nothing"));
    EXPECT_THAT(StartedAgent("cat").error(std::chrono::minutes(10), true), HasSubstr("interrupted"));
}

TEST(AgentProcess, OnWhatIsNoHostIsNotStarted) {
    EXPECT_THROW(AgentProcess({"true"}, {.host = "-oProxyCommand=x", .control_port = 0}, draw_key()), UsageError);
}

}  // namespace
}  // namespace groma
