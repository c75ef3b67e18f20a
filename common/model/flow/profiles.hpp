// Application profiles: named flow specs with the parameters of published models, as data.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

struct Profile {
    std::string name;     ///< as users write it: "voip-g711.1-rtp", "telnet", "quake3", ...
    std::string summary;  ///< one line for people
    std::string source;   ///< the paper or program that the parameters come from
    Transport transport = Transport::udp;
    Distribution idt;   ///< nanoseconds
    Distribution size;  ///< bytes
};

[[nodiscard]] std::span<const Profile> profiles();

/// Throws: UsageError with the nearest names if there is no such profile.
[[nodiscard]] const Profile& profile(std::string_view name);

/// Sets the spec's processes and transport from the profile.
void apply(const Profile& profile, FlowSpec& spec);

}  // namespace groma
