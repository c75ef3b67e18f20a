#include "common/http/http_routes.hpp"

#include "common/base/lower_case.hpp"

namespace groma {

namespace {

constexpr std::string_view kLocalhost = "localhost";
constexpr std::size_t kLongestPort = 5;

}  // namespace

HttpResponse http_refusal(unsigned status, const std::string& sentence) {
    return {.status = status, .body = sentence + '\n'};
}

std::optional<std::string_view> host_without_port(std::string_view host) {
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    const std::size_t colon = bracket == std::string_view::npos ? bracket : host.find(':', bracket);
    if (colon == std::string_view::npos) {
        return host;
    }
    const std::string_view port = host.substr(colon + 1);
    const bool is_port = port.size() <= kLongestPort and port.find_first_not_of("0123456789") == std::string_view::npos;
    return is_port ? std::optional(host.substr(0, colon)) : std::nullopt;
}

bool names_this_host(std::string_view host) {
    const std::optional<std::string_view> name = host_without_port(host);
    if (not name) {
        return false;
    }
    const bool bracketed = name->starts_with('[') and name->ends_with(']');
    const std::optional<SocketAddress> address = SocketAddress::parse_literal(*name);
    return in_lower_case(*name) == kLocalhost or
           (address and address->is_loopback() and bracketed == not address->is_ipv4());
}

std::optional<HttpResponse> refusal_of_other_sites(const HttpRequest& request, std::string_view scheme) {
    const std::string own = std::string(scheme) + "://" + request.host;
    const bool is_other = not request.origin.empty() and in_lower_case(request.origin) != in_lower_case(own);
    // Pictures and scripts of other sites are asked for without an Origin. A link to the page is no harm.
    const bool is_for_other = request.fetch_site == "cross-site" or request.fetch_site == "same-site";
    const bool is_link = request.method == "GET" and request.fetch_mode == "navigate" and request.target == "/";
    if (not is_other and (not is_for_other or is_link)) {
        return std::nullopt;
    }
    return http_refusal(http_status::forbidden, "another site asks for this, in a browser: it is for pages of " + own);
}

std::optional<HttpResponse> refusal_beyond_this_host(const HttpRequest& request) {
    if (request.host.empty()) {
        return http_refusal(http_status::bad_request,
                            "the request has no Host, or several: name one, such as localhost");
    }
    if (not names_this_host(request.host)) {
        return http_refusal(http_status::misdirected,
                            "this is for programs of this host: ask for localhost or 127.0.0.1");
    }
    return refusal_of_other_sites(request, "http");
}

const HttpRoutes::Handler* HttpRoutes::find(std::string_view path) const {
    if (const auto found = handlers_.find(path); found != handlers_.end()) {
        return &found->second;
    }
    // A beginning of the path comes before it, and a longer one after a shorter one.
    for (auto below = below_.upper_bound(path); below != below_.begin();) {
        --below;
        if (path.starts_with(below->first)) {
            return &below->second;
        }
    }
    return nullptr;
}

HttpResponse HttpRoutes::answer(const HttpRequest& request) const {
    const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
    const Handler* const handler = find(path);
    if (handler == nullptr) {
        return http_refusal(http_status::not_found, "there is no such page here");
    }
    if (request.method != "GET" and request.method != "HEAD") {
        HttpResponse refusal =
            http_refusal(http_status::method_not_allowed, "this page can only be read: use GET or HEAD");
        refusal.allow = "GET, HEAD";
        return refusal;
    }
    return (*handler)(request);
}

}  // namespace groma
