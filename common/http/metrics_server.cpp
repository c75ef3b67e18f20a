#include "common/http/metrics_server.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/metrics/process_metrics.hpp"
#include "common/os/usage.hpp"

namespace groma {

namespace {

constexpr std::string_view kPath = "/metrics";
constexpr std::string_view kTaken = "--metrics PORT takes another port";

std::optional<std::uint16_t> port_of(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() and end == text.data() + text.size() ? std::optional(port) : std::nullopt;
}

HttpRoutes routes_of(const MetricsPage& page, WallTime started) {
    HttpRoutes routes;
    routes.add("/", [program = page.program](const HttpRequest&) {
        return HttpResponse{.body = std::string(program) + " " GROMA_VERSION ": its metrics are at " +
                                    std::string(kPath) + "\n"};
    });
    routes.add(std::string(kPath), [program = page.program, give = page.give, started](const HttpRequest& request) {
        const ExpositionFormat format = accepted_format(request.accept);
        const CpuUsage usage = process_usage();
        Exposition exposition(format);
        exposition.add(process_metrics(),
                       {.program = program, .started = started, .user = usage.user, .system = usage.system});
        give(exposition);
        return HttpResponse{.content_type = std::string(content_type(format)), .body = exposition.take()};
    });
    return routes;
}

}  // namespace

std::vector<SocketAddress> parse_metrics_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    const std::string_view host = text.substr(0, colon == std::string_view::npos ? 0 : colon);
    const std::optional<std::uint16_t> port = port_of(text.substr(colon == std::string_view::npos ? 0 : colon + 1));
    const std::string given = '\'' + plain_text(text) + '\'';
    if (not port or colon == 0) {
        throw UsageError(given +
                         " is no place to listen: give a port, such as 9100, or an address and a port, such as "
                         "127.0.0.1:9100 or [::1]:9100");
    }
    if (host.empty()) {
        return {SocketAddress::from_literal("127.0.0.1", *port), SocketAddress::from_literal("::1", *port)};
    }
    return {SocketAddress::from_literal(host == "localhost" ? "127.0.0.1" : host, *port)};
}

MetricsServer::MetricsServer(boost::asio::io_context& io, MetricsPage page, Clock& clock)
    : http_(io,
            {.listen = page.listen,
             .advice = kTaken,
             .routes = routes_of(page, clock.wall_now()),
             .access = page.access,
             .say = [say = page.say](const std::string& line) { say("metrics: " + line); }},
            clock) {
    const std::string scheme = is_beyond_this_host(page.listen) ? "https://" : "http://";
    std::string places;
    for (const SocketAddress& address : addresses()) {
        places += (places.empty() ? "" : ", ") + scheme + address.to_string() + std::string(kPath);
    }
    page.say("metrics are at " + places);
}

}  // namespace groma
