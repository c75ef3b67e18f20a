// All sets of roles, and all messages of a protocol, for tests of what a key lets its holder do. What is added to the
// roles or to a protocol is in them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/access/access_key.hpp"

namespace groma {

/// From none to all.
inline std::vector<Grant> grants_of_every_set_of_roles() {
    std::vector<Grant> grants{{.name = "lab"}};
    for (const Role role : kRoles) {
        for (std::size_t i = 0, others = grants.size(); i < others; ++i) {
            grants.push_back({.name = "lab", .roles = grants[i].roles.with(role)});
        }
    }
    return grants;
}

/// How a refusal for the lack of a role names it.
inline std::string taking(Role role) {
    return "this takes the role " + std::string(to_string(role)) + ":";
}

/// A default one of each alternative.
template <typename Message>
std::vector<Message> one_of_every_message() {
    std::vector<Message> all;
    [&all]<std::size_t... index>(std::index_sequence<index...>) {
        (all.emplace_back(std::in_place_index<index>), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Message>>());
    return all;
}

}  // namespace groma
