#include "common/http/web_options.hpp"

#include <algorithm>

namespace groma {

bool is_beyond_this_host(std::span<const SocketAddress> listen) {
    return not std::ranges::all_of(listen, [](const SocketAddress& address) { return address.is_loopback(); });
}

std::string web_error(const WebFiles& files, std::initializer_list<WebPlace> places) {
    const auto* const beyond =
        std::ranges::find_if(places, [](const WebPlace& place) { return is_beyond_this_host(place.listen); });
    if (beyond == places.end()) {
        return files.certificate.empty() and files.key.empty()
                   ? std::string()
                   : "--web-cert and --web-key are for pages that other hosts may ask for: give such an address, as "
                     "in " +
                         std::string(places.begin()->option) + " 0.0.0.0:9100, or leave them out";
    }
    const std::string where = std::string(beyond->option) + ' ' + beyond->listen.front().to_string();
    if (files.certificate.empty() or files.key.empty()) {
        return where +
               " can be reached from other hosts, and they are answered under TLS only: add --web-cert FILE and "
               "--web-key FILE. Or give the port alone, for programs of this host, and come from elsewhere through an "
               "SSH tunnel (ssh -L " +
               std::to_string(beyond->listen.front().port()) +
               ":127.0.0.1:" + std::to_string(beyond->listen.front().port()) + " HOST) or an agent on this host";
    }
    if (files.tokens.empty()) {
        return where +
               " can be reached from other hosts, and they must prove a token: add --web-tokens DIR (groma-key token "
               "NAME --keys DIR makes one)";
    }
    return {};
}

}  // namespace groma
