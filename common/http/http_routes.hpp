// What an HTTP server answers: a function from request to response. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Of responses (RFC 9110, 15).
namespace http_status {
inline constexpr unsigned see_other = 303;
inline constexpr unsigned bad_request = 400;
inline constexpr unsigned unauthorized = 401;
inline constexpr unsigned forbidden = 403;
inline constexpr unsigned not_found = 404;
inline constexpr unsigned method_not_allowed = 405;
inline constexpr unsigned body_too_large = 413;
inline constexpr unsigned misdirected = 421;
inline constexpr unsigned header_too_large = 431;
inline constexpr unsigned server_error = 500;
inline constexpr unsigned unavailable = 503;
}  // namespace http_status

struct HttpRequest {
    std::string method;
    std::string target;           ///< "/metrics?x=1"
    std::string host;             ///< the field Host, if there is exactly one; otherwise empty
    std::string accept{};         ///< the field Accept; several are joined with commas
    std::string origin{};         ///< the field Origin, as the next; several are joined
    std::string authorization{};  ///< the field Authorization
    std::string cookie{};         ///< the field Cookie; several are joined with ';'
    std::string fetch_site{};     ///< the field Sec-Fetch-Site, as the next (W3C Fetch Metadata)
    std::string fetch_mode{};     ///< the field Sec-Fetch-Mode
    std::string body{};           ///< of a form; others have none
    SocketAddress peer{};
    SocketAddress local{};  ///< where the request came to
};

struct HttpResponse {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body;
    std::string allow{};  ///< the field Allow; empty: none
    /// More fields, names and values.
    std::vector<std::pair<std::string, std::string>> fields{};
    /// Gives the next piece of a body that is not there at once; "": not yet; nothing: it is over. The connection ends
    /// with it. Empty: `body` is all.
    std::function<std::optional<std::string>()> more{};
    std::string heartbeat{};  ///< a piece without meaning, for times without others; empty: none
};

/// A refusal, with a line for people.
[[nodiscard]] HttpResponse http_refusal(unsigned status, const std::string& sentence);

/// The host of the field Host; nothing: what stands after it is no port.
[[nodiscard]] std::optional<std::string_view> host_without_port(std::string_view host);

/// Whether the field Host names this host: localhost, or an address of loopback, with or without a port. A page of the
/// web that had its own name resolve to this host (DNS rebinding) has its name there.
[[nodiscard]] bool names_this_host(std::string_view host);

/// The refusal of a request that another site's page has a browser make: it has that site in Origin, not this one.
/// `scheme`: "http" or "https". Nothing: it is none.
[[nodiscard]] std::optional<HttpResponse> refusal_of_other_sites(const HttpRequest& request, std::string_view scheme);

/// What is not for programs of this host. Nothing: it is.
[[nodiscard]] std::optional<HttpResponse> refusal_beyond_this_host(const HttpRequest& request);

class HttpRoutes {
public:
    using Handler = std::function<HttpResponse(const HttpRequest&)>;

    /// GET and HEAD of this path; the part of a target behind '?' is not part of it.
    void add(std::string path, Handler handler) { handlers_[std::move(path)] = std::move(handler); }

    /// The same for all paths that begin with this one, and have no handler of their own: the longest beginning counts.
    void add_below(std::string path, Handler handler) { below_[std::move(path)] = std::move(handler); }

    /// Of HEAD with the body that GET would have. Requires: who asks may. Throws: as handlers.
    [[nodiscard]] HttpResponse answer(const HttpRequest& request) const;

private:
    using Handlers = std::map<std::string, Handler, std::less<>>;

    /// Null: none.
    [[nodiscard]] const Handler* find(std::string_view path) const;

    Handlers handlers_;
    Handlers below_;
};

}  // namespace groma
