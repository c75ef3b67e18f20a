#include "keys/made_keys.hpp"

#include <utility>

#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"

namespace groma {

AccessKey new_access_key(Grant grant) {
    return {.grant = std::move(grant), .secret = random_secret()};
}

Grant new_grant(const KeyOptions& options) {
    return {.name = options.name,
            .roles = options.roles.value_or(kUsualRoles),
            .last_day = options.last_day,
            .experiments = options.experiments.value_or(Prefixes()),
            .limits = options.limits.value_or(Limits())};
}

KnownKey part_of_host(const AccessKey& key, const KeyOptions& options, WallTime now) {
    KnownKey part = known_by_host(key, options.hosts);
    part.grant.roles = options.roles.value_or(key.grant.roles);
    if (options.experiments) {
        part.grant.experiments = *options.experiments;
    }
    if (options.limits) {
        part.grant.limits = *options.limits;
    }
    if (options.last_day) {
        part.grant.last_day = options.last_day;
    }
    if (part.grant.expired(now)) {
        throw UsageError("the key '" + key.grant.name + "' has expired, its last day was " +
                         to_string(*part.grant.last_day) +
                         ": give this part another one (--expires), or make a new key (groma-key new)");
    }
    return part;
}

MadeToken new_token(const KeyOptions& options) {
    MadeToken made{.digits = digits_of_token(random_secret()), .known = {}};
    made.known = {.name = options.name,
                  .scopes = options.scopes,
                  .last_day = options.last_day,
                  .hash = hash_of_token(made.digits)};
    return made;
}

}  // namespace groma
