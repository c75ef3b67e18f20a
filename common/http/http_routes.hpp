// What an HTTP server answers: a function from request to response. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace groma {

struct HttpRequest {
    std::string method;
    std::string target;    ///< "/metrics?x=1"
    std::string host;      ///< the field Host, if there is exactly one; otherwise empty
    std::string accept{};  ///< the field Accept; several are joined with commas
};

struct HttpResponse {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body;
    std::string allow{};  ///< the field Allow; empty: none
};

/// A refusal, with a line for people.
[[nodiscard]] HttpResponse http_refusal(unsigned status, const std::string& sentence);

/// Whether the field Host names this host: localhost, or an address of loopback, with or without a port. A page of the
/// web that had its own name resolve to this host (DNS rebinding) has its name there.
[[nodiscard]] bool names_this_host(std::string_view host);

class HttpRoutes {
public:
    using Handler = std::function<HttpResponse(const HttpRequest&)>;

    /// GET and HEAD of this path; the part of a target behind '?' is not part of it.
    void add(std::string path, Handler handler) { handlers_[std::move(path)] = std::move(handler); }

    /// Of HEAD with the body that GET would have. Throws: as handlers.
    [[nodiscard]] HttpResponse answer(const HttpRequest& request) const;

private:
    std::map<std::string, Handler, std::less<>> handlers_;
};

}  // namespace groma
