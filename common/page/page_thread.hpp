// The live page of a program's runs (docs/guide/page.md), served on a thread of its own: what a browser does there
// keeps neither sessions nor packets waiting.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/http/http_server.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"

namespace groma {

inline constexpr std::string_view kWebHelp =
    "show runs at http://localhost:PORT/ in a browser while they go on: rates, delays, loss; an ADDRESS that other "
    "hosts "
    "reach needs --web-cert, --web-key and tokens (default: 127.0.0.1 and ::1)";
inline constexpr std::string_view kWebMore =
    "With a PORT of 0 the kernel chooses, and the choice is printed. docs/guide/page.md describes the page. Over "
    "loopback "
    "it goes in clear to any program of this host. Other hosts ask for https://HOST:PORT/, and prove a token. Charts "
    "need "
    "the package libjs-dygraphs on this host.";

struct PageOptions {
    std::vector<SocketAddress> listen;
    std::string_view program;     ///< "groma-recv"
    WebAccess* access = nullptr;  ///< as HttpServerOptions have it
    /// More than the page's own, such as files that a BoardFile names.
    HttpRoutes routes{};
    /// Takes a line for the operator. Thread: the page's, and the one that makes it.
    std::function<void(const std::string&)> say = [](const std::string&) {};
};

class PageThread {
public:
    /// Says where the page is, and serves at once. Board and clock outlive it. Throws: SystemError.
    PageThread(PageOptions options, const RunBoard& board, Clock& clock);
    PageThread(const PageThread&) = delete;
    PageThread& operator=(const PageThread&) = delete;
    ~PageThread();

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return server_.addresses(); }

private:
    boost::asio::io_context io_{1};
    HttpServer server_;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace groma
