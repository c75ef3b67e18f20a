// Makes keys: a new one of a user, and a host's part of one.
#pragma once

#include <string>

#include "common/access/access_key.hpp"
#include "common/access/web_token.hpp"
#include "common/time/instant.hpp"
#include "keys/key_options.hpp"

namespace groma {

/// All but admin.
inline constexpr Roles kUsualRoles{Role::receive, Role::send, Role::ship, Role::view};

/// With a secret of the kernel's random numbers. Throws: SystemError.
[[nodiscard]] AccessKey new_access_key(Grant grant);

/// What the options of `new` grant.
[[nodiscard]] Grant new_grant(const KeyOptions& options);

/// For the hosts of `options`, whose roles and last day replace those of the key. Throws: UsageError if the part would
/// have expired.
[[nodiscard]] KnownKey part_of_host(const AccessKey& key, const KeyOptions& options, WallTime now);

/// A token's digits, which are nowhere else, and what its host knows of it. Throws: SystemError.
struct MadeToken {
    std::string digits;
    WebToken known;
};
[[nodiscard]] MadeToken new_token(const KeyOptions& options);

}  // namespace groma
