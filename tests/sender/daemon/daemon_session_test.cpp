#include "sender/daemon/daemon_session.hpp"

#include <gmock/gmock.h>

#include <exception>
#include <string>

#include "common/access/first_messages.hpp"
#include "tests/every_role.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr MonoTime kGreeting{};

const DaemonLimits& usual_limits() {
    static const DaemonLimits limits;
    return limits;
}

DaemonSession session_with(const Grant& grant) {
    return DaemonSession(usual_limits(), SessionTimes().starting, grant);
}

/// Why the message is refused; empty: it is not.
std::string refusal_of(DaemonSession& session, const DaemonMessage& message) {
    try {
        (void)session.on_message(message, kGreeting);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// What begins a session, or how its refusal must read.
std::string expected_of(const DaemonMessage& message, const Grant& grant) {
    const auto needed = role_to_begin(Server::daemon, type_name(message));
    if (not needed) {
        return "has no place before 'hello'";
    }
    return grant.roles.has(*needed) ? "" : taking(*needed);
}

TEST(DaemonSession, BeginsWithItsGreetingOnlyWhichTakesTheRole) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const DaemonMessage& message : one_of_every_message<DaemonMessage>()) {
            DaemonSession session = session_with(grant);
            const std::string reason = refusal_of(session, message);
            const std::string expected = expected_of(message, grant);
            EXPECT_THAT(reason, HasSubstr(expected)) << type_name(message) << " of " << to_string(grant.roles);
            EXPECT_EQ(reason.empty(), expected.empty()) << type_name(message) << " of " << to_string(grant.roles);
        }
    }
}

TEST(DaemonSession, IsNotRefusedForTheRoleOnceItHasBegun) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const DaemonMessage& message : one_of_every_message<DaemonMessage>()) {
            DaemonSession session = session_with(grant);
            if (refusal_of(session, RunHello{}).empty()) {
                EXPECT_THAT(refusal_of(session, message), Not(HasSubstr("this takes the role"))) << type_name(message);
            }
        }
    }
}

TEST(DaemonSession, IsNotBegunByARefusedGreeting) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        if (expected_of(RunHello{}, grant).empty()) {
            continue;
        }
        for (const DaemonMessage& next : one_of_every_message<DaemonMessage>()) {
            DaemonSession session = session_with(grant);
            (void)refusal_of(session, RunHello{});
            EXPECT_THAT(refusal_of(session, next), HasSubstr(expected_of(next, grant)));
            EXPECT_EQ(session.hello(), RunHello{});
            EXPECT_TRUE(session.take_flows().empty());
        }
    }
}

}  // namespace
}  // namespace groma
