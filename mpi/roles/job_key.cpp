#include "mpi/roles/job_key.hpp"

#include <string>

#include "common/access/random_secret.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

constexpr const char* kKeyName = "job";

}  // namespace

SharedKey new_job_key() {
    return {.id = token_from_hex(random_id()), .secret = random_secret()};
}

KeySource asked_of_ranks(const SharedKey& key) {
    KnownKey known{.grant = {.name = kKeyName, .roles = {Role::receive, Role::ship}}, .hosts = {}};
    known.hosts.push_back({.host = "", .key = key});
    KeySource source;
    source.given.add(known, "");
    return source;
}

OfferKey offered_to_ranks(const SharedKey& key) {
    return [key](std::string_view host, const SocketAddress& /*address*/) {
        return OfferedKey{.name = kKeyName, .host = host_label(host), .key = key};
    };
}

}  // namespace groma
