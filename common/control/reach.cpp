#include "common/control/reach.hpp"

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr const char* kHowToMakeKeys =
    "groma-key new NAME > NAME.key for the user, groma-key host NAME.key HOST > DIR/NAME.key for this host";

}  // namespace

std::string Reach::in_words() const {
    if (to_anyone) {
        return std::string(kServesAnyone);
    }
    return keys ? "who proves a key" : "programs of this host";
}

std::string reach_error(const Reach& reach, std::string_view opening) {
    if (reach.to_anyone and reach.keys) {
        return "--open-to-anyone asks for no key, and --keys does: leave one of them out";
    }
    if (reach.end_with_key and not reach.keys) {
        return "--end-with-key says what ends with a key, and no key is asked for: add --keys DIR";
    }
    if (reach.open and not reach.to_anyone and not reach.keys) {
        return std::string(opening) + " does not say who may come: add --keys DIR for those who prove a key (" +
               kHowToMakeKeys + "), or " + (opening == "--open" ? "give" : "add") +
               " --open-to-anyone for whoever reaches the port";
    }
    return {};
}

std::vector<SocketAddress> usual_addresses(const Reach& reach, std::uint16_t port) {
    std::vector<SocketAddress> addresses;
    for (const char* usual :
         {reach.beyond_this_host() ? "0.0.0.0" : "127.0.0.1", reach.beyond_this_host() ? "::" : "::1"}) {
        addresses.push_back(SocketAddress::from_literal(usual, port));
    }
    return addresses;
}

SocketAddress address_to_listen_on(std::string_view text, const Reach& reach, std::uint16_t port,
                                   std::string_view could) {
    const SocketAddress address = SocketAddress::from_literal(text == "localhost" ? "127.0.0.1" : text, port);
    if (not reach.beyond_this_host() and not address.is_loopback()) {
        throw UsageError("'" + std::string(text) + "' can be reached from other hosts, which could " +
                         std::string(could) + ": add --open and --keys DIR for those who prove a key (" +
                         kHowToMakeKeys + "), or --open-to-anyone for whoever reaches the port");
    }
    return address;
}

std::string reach_warning(const Reach& reach, std::string_view could) {
    return reach.to_anyone ? "--open-to-anyone: whoever reaches the port can " + std::string(could) : std::string();
}

}  // namespace groma
