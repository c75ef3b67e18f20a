#include "common/access/first_messages.hpp"

#include <gmock/gmock.h>

#include <string>

#include "tests/files.hpp"

namespace groma {
namespace {

std::string_view in_words(Server server) {
    switch (server) {
        case Server::receiver:
            return "receiver";
        case Server::passive_sender:
            return "passive sender";
        case Server::daemon:
            return "daemon";
        case Server::log_server:
            return "log server";
    }
    return "";
}

TEST(FirstMessages, AreInTheDocumentationOfTheProtocolWithTheirRoles) {
    std::string table = "\n| server | first message | role |\n|---|---|---|\n";
    for (const auto& [server, type, role] : kFirstMessages) {
        table.append("| ").append(in_words(server)).append(" | `").append(type).append("` | `");
        table.append(to_string(role)).append("` |\n");
    }
    EXPECT_THAT(content_of(GROMA_TEST_DATA "/../docs/reference/protocol.md"), testing::HasSubstr(table + "\n"));
}

TEST(FirstMessages, AreThoseOfTheirServerOnly) {
    static_assert(role_to_begin(Server::receiver, "call_in") == Role::send);
    static_assert(not role_to_begin(Server::daemon, "call_in"));
    static_assert(not role_to_begin(Server::receiver, "keep_alive"));
    for (const FirstMessage& one : kFirstMessages) {
        EXPECT_EQ(role_to_begin(one.server, one.type), one.role);
    }
}

}  // namespace
}  // namespace groma
