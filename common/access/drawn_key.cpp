#include "common/access/drawn_key.hpp"

#include <utility>

#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"
#include "common/os/host.hpp"

namespace groma {

SharedKey draw_key() {
    return {.id = token_from_hex(random_id()), .secret = random_secret()};
}

KeySource asked_of_holders(const SharedKey& key, Grant grant) {
    KnownKey known{.grant = std::move(grant), .hosts = {}};
    known.hosts.push_back({.host = "", .key = key});
    KeySource source;
    source.given.add(known, "");
    return source;
}

std::string to_string(const SharedKey& key) {
    return to_hex(key.id) + ' ' + to_string(key.secret);
}

SharedKey parse_shared_key(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos or not is_token(line.substr(0, space))) {
        throw UsageError("the line is no key");
    }
    return {.id = token_from_hex(line.substr(0, space)), .secret = parse_secret(line.substr(space + 1))};
}

}  // namespace groma
