// Who may ask for pages from other hosts: over TLS, by a token (docs/guide/monitoring.md#from-other-hosts).
//
// A scraper has its token in each request (RFC 6750). A browser gives it once, in a form, and has a cookie for a
// session then. A token is in no URL and no line.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/access/web_token.hpp"
#include "common/control/audit.hpp"
#include "common/http/http_routes.hpp"
#include "common/http/web_options.hpp"
#include "common/time/clock.hpp"

namespace groma {

inline constexpr std::size_t kLargestForm = 1024;
inline constexpr Nanos kWebSession = std::chrono::hours(12);

struct WebVerdict {
    std::optional<HttpResponse> instead{};  ///< of the page; nothing: it may be answered
    std::string token{};                    ///< the name of the one that was proved
    bool last = false;                      ///< the connection is closed after this answer
};

/// Of one program, for all its pages. Thread: any.
class WebAccess {
public:
    /// `say` takes a line for the operator, `audit` who was let in and who was not. Both are called on the threads that
    /// ask. The clock outlives it. Throws: as read_server_certificate() and read_token_folder().
    WebAccess(WebFiles files, Clock& clock, std::function<void(const std::string&)> say, Audit audit = {});
    WebAccess(const WebAccess&) = delete;
    WebAccess& operator=(const WebAccess&) = delete;
    ~WebAccess();

    /// From now on SIGHUP has the files read again, until end(). Thread: the io_context's, as end().
    void read_again_on_hangup(boost::asio::io_context& io);
    void end();
    /// Says what it has found. What cannot be read stays as it was.
    void read_again();

    /// For a connection that begins.
    [[nodiscard]] std::shared_ptr<boost::asio::ssl::context> tls() const;

    /// The target takes a form with a body of up to kLargestForm.
    [[nodiscard]] static bool takes_form(const HttpRequest& request);

    /// Whether this may be answered, and what to answer if not: that of forms, too.
    [[nodiscard]] WebVerdict judge(const HttpRequest& request, WebScope scope);

    /// The first request of a connection that proves a token.
    void let_in(const SocketAddress& peer, const std::string& token);
    /// A connection that does not get so far.
    void turn_away(const SocketAddress& peer, const std::string& why);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
