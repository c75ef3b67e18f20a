#include "mpi/roles/job_key.hpp"

#include "common/access/drawn_key.hpp"

namespace groma {

namespace {

constexpr const char* kKeyName = "job";

}  // namespace

KeySource asked_of_ranks(const SharedKey& key) {
    return asked_of_holders(key, {.name = kKeyName, .roles = {Role::receive, Role::ship}});
}

OfferKey offered_to_ranks(const SharedKey& key) {
    return [key](std::string_view host, const SocketAddress& /*address*/) {
        return OfferedKey{.name = kKeyName, .host = host_label(host), .key = key};
    };
}

}  // namespace groma
