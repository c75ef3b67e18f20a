#include "sender/commands/profile_list.hpp"

#include "common/cli/table.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"

namespace groma {

std::string profile_list() {
    Table table({{"profile", Align::left},
                 {"transport", Align::left},
                 {"--idt", Align::left},
                 {"--size", Align::left},
                 {"what it is", Align::left},
                 {"source", Align::left}});
    for (const Profile& profile : profiles()) {
        table.add_row({profile.name, std::string(to_string(profile.transport)), idt_to_string(profile.idt),
                       size_to_string(profile.size), profile.summary, profile.source});
    }
    return table.to_string();
}

}  // namespace groma
