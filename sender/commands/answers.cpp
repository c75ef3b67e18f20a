#include "sender/commands/sender_commands.hpp"

#include <span>
#include <string>

#include "common/cli/table.hpp"
#include "common/cli/wrapped_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "sender/named_tests/named_tests.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

namespace {

/// All application profiles with their processes; those of one source together.
std::string profile_list() {
    constexpr std::size_t kColumn = 24;
    std::string out;
    const auto add = [&](const std::string& head, const std::string& text) {
        out += head + std::string(kColumn - 1 - head.size(), ' ');
        append_wrapped(out, kColumn - 1, kColumn, text);
    };
    const std::span<const Profile> all = profiles();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Profile& one = all[i];
        add(one.name, one.summary);
        add("", "--transport " + std::string(to_string(one.transport)) + " --idt " + idt_to_string(one.idt) +
                    " --size " + size_to_string(one.size));
        if (i + 1 == all.size() or all[i + 1].source != one.source) {
            add("  source", one.source);
            out += i + 1 == all.size() ? "" : "\n";
        }
    }
    return out;
}

std::string said(const std::string& error) {
    return error.empty() ? "yes" : "no";
}

/// The transports that this host supports, and why it lacks the others.
std::string transport_list() {
    Table table({{"transport", Align::left}, {"IPv4: send"}, {"receive"}, {"IPv6: send"}, {"receive"}});
    std::string reasons;
    const SocketAddress v4 = SocketAddress::from_literal("127.0.0.1", 0);
    const SocketAddress v6 = SocketAddress::from_literal("::1", 0);
    for (const TransportTraits& each : kTransports) {
        const std::string send4 = sending_error(each.transport, v4);
        const std::string receive4 = receiving_error(each.transport, v4);
        const std::string send6 = sending_error(each.transport, v6);
        const std::string receive6 = receiving_error(each.transport, v6);
        table.add_row({std::string(each.name), said(send4), said(receive4), said(send6), said(receive6)});
        for (const std::string& error : {send4, receive4, send6, receive6}) {
            if (not error.empty()) {
                reasons += std::string(each.name) + ": " + error + "\n";
                break;
            }
        }
    }
    return table.to_string() + (reasons.empty() ? "" : "\n" + reasons);
}

}  // namespace

std::optional<std::string> answer(SenderOptions::Action action) {
    switch (action) {
        case SenderOptions::Action::help:
            return help_text(sender_option_table());
        case SenderOptions::Action::version:
            return "groma-send " GROMA_VERSION "\n";
        case SenderOptions::Action::list_profiles:
            return profile_list();
        case SenderOptions::Action::list_tests:
            return list_of_named_tests();
        case SenderOptions::Action::list_transports:
            return transport_list();
        default:
            return std::nullopt;
    }
}

}  // namespace groma
