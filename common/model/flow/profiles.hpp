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
    std::string source;   ///< the paper or program that the parameters are from
    Transport transport = Transport::udp;
    Distribution idt;   ///< nanoseconds
    Distribution size;  ///< bytes
};

[[nodiscard]] std::span<const Profile> profiles();

/// Throws: UsageError that lists the nearest names when there is no such profile.
[[nodiscard]] const Profile& profile(std::string_view name);

/// Puts the profile's processes and transport into a spec.
void apply(const Profile& profile, FlowSpec& spec);

}  // namespace groma
