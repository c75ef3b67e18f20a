#include "common/http/http_routes.hpp"

#include <algorithm>
#include <optional>

#include "common/net/socket/socket_address.hpp"

namespace groma {

namespace {

constexpr std::string_view kLocalhost = "localhost";
constexpr std::size_t kLongestPort = 5;
constexpr unsigned kMisdirected = 421;
constexpr unsigned kBadRequest = 400;
constexpr unsigned kNotFound = 404;
constexpr unsigned kMethodNotAllowed = 405;

/// Nothing: what stands behind the host is no port.
std::optional<std::string_view> without_port(std::string_view host) {
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    const std::size_t colon = bracket == std::string_view::npos ? bracket : host.find(':', bracket);
    if (colon == std::string_view::npos) {
        return host;
    }
    const std::string_view port = host.substr(colon + 1);
    const bool is_port = port.size() <= kLongestPort and port.find_first_not_of("0123456789") == std::string_view::npos;
    return is_port ? std::optional(host.substr(0, colon)) : std::nullopt;
}

bool is_localhost(std::string_view name) {
    return std::ranges::equal(name, kLocalhost, [](char c, char wanted) {
        return c == wanted or (c >= 'A' and c <= 'Z' and c - 'A' + 'a' == wanted);
    });
}

}  // namespace

HttpResponse http_refusal(unsigned status, const std::string& sentence) {
    return {.status = status, .body = sentence + '\n'};
}

bool names_this_host(std::string_view host) {
    const std::optional<std::string_view> name = without_port(host);
    if (not name) {
        return false;
    }
    const bool bracketed = name->starts_with('[') and name->ends_with(']');
    const std::optional<SocketAddress> address = SocketAddress::parse_literal(*name);
    return is_localhost(*name) or (address and address->is_loopback() and bracketed == not address->is_ipv4());
}

HttpResponse HttpRoutes::answer(const HttpRequest& request) const {
    if (request.host.empty()) {
        return http_refusal(kBadRequest, "the request has no Host, or several: name one, such as localhost");
    }
    if (not names_this_host(request.host)) {
        return http_refusal(kMisdirected, "this is for programs of this host: ask for localhost or 127.0.0.1");
    }
    const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
    const auto handler = handlers_.find(path);
    if (handler == handlers_.end()) {
        return http_refusal(kNotFound, "there is no such page here");
    }
    if (request.method != "GET" and request.method != "HEAD") {
        HttpResponse refusal = http_refusal(kMethodNotAllowed, "this page can only be read: use GET or HEAD");
        refusal.allow = "GET, HEAD";
        return refusal;
    }
    return handler->second(request);
}

}  // namespace groma
