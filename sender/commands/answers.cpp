#include "sender/commands/answers.hpp"

#include "sender/commands/profile_list.hpp"
#include "sender/commands/transport_list.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

std::optional<std::string> answer(SenderOptions::Action action) {
    switch (action) {
        case SenderOptions::Action::help:
            return help_text(sender_option_table());
        case SenderOptions::Action::version:
            return "groma-send " GROMA_VERSION "\n";
        case SenderOptions::Action::list_profiles:
            return profile_list();
        case SenderOptions::Action::list_transports:
            return transport_list();
        default:
            return std::nullopt;
    }
}

}  // namespace groma
