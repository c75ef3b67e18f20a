// What begins a session at each program that asks for keys, and the role that a key takes for it
// (docs/reference/protocol.md). No other message begins one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/access/access_key.hpp"

namespace groma {

/// A program that is connected to.
enum class Server : std::uint8_t { receiver, passive_sender, daemon, log_server };

struct FirstMessage {
    Server server;
    std::string_view type;  ///< its name in the server's protocol
    Role role;
};

inline constexpr std::array kFirstMessages{
    FirstMessage{Server::receiver, "hello", Role::receive},
    FirstMessage{Server::receiver, "resume_fetch", Role::receive},
    FirstMessage{Server::receiver, "ask_reverse", Role::send},
    FirstMessage{Server::receiver, "call_in", Role::send},
    FirstMessage{Server::passive_sender, "call_in", Role::send},
    FirstMessage{Server::daemon, "hello", Role::send},
    FirstMessage{Server::log_server, "hello", Role::ship},
};

/// The role for a session that begins so; nothing: none does.
[[nodiscard]] constexpr std::optional<Role> role_to_begin(Server server, std::string_view type) {
    const auto* const found = std::ranges::find_if(
        kFirstMessages, [&](const FirstMessage& one) { return one.server == server and one.type == type; });
    return found == kFirstMessages.end() ? std::nullopt : std::optional(found->role);
}

}  // namespace groma
