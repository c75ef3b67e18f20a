#include "common/http/metrics_server.hpp"

#include <boost/asio/post.hpp>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/metrics/process_metrics.hpp"
#include "common/os/process.hpp"
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

/// Calls functions on the thread of an io_context for another thread, which waits.
class CallsThere {
public:
    explicit CallsThere(boost::asio::io_context& there) : there_(there) {}

    /// Throws: what `what` throws; RunError: end() was called.
    void call(std::function<void()> what) {
        const auto call = std::make_shared<Call>(Call{.what = std::move(what)});
        boost::asio::post(there_, [state = state_, call] {
            const std::lock_guard lock(state->mutex);
            if (not state->ended) {
                try {
                    call->what();
                } catch (...) {
                    call->error = std::current_exception();
                }
                call->done = true;
                state->changed.notify_all();
            }
        });
        std::unique_lock lock(state_->mutex);
        state_->changed.wait(lock, [&] { return call->done or state_->ended; });
        if (not call->done) {
            throw RunError("the program ends");
        }
        if (call->error) {
            std::rethrow_exception(call->error);
        }
    }

    /// No function is called any more, and nobody waits. Thread: any.
    void end() {
        const std::lock_guard lock(state_->mutex);
        state_->ended = true;
        state_->changed.notify_all();
    }

private:
    struct Call {
        std::function<void()> what;
        bool done = false;
        std::exception_ptr error{};
    };
    struct State {
        std::mutex mutex;  ///< for what follows, and for calls
        std::condition_variable changed;
        bool ended = false;
    };

    boost::asio::io_context& there_;
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

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

/// The same page, asked from another thread.
MetricsPage asked_there(MetricsPage page, CallsThere& calls) {
    page.give = [give = page.give, &calls](Exposition& to) { calls.call([&] { give(to); }); };
    return page;
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

struct MetricsServer::OwnThread {
    explicit OwnThread(boost::asio::io_context& there) : calls(there) {}

    CallsThere calls;
    boost::asio::io_context io{1};
    std::thread thread{};
};

MetricsServer::MetricsServer(boost::asio::io_context& io, MetricsPage page, Clock& clock)
    : own_(page.access != nullptr and is_beyond_this_host(page.listen) ? std::make_unique<OwnThread>(io) : nullptr),
      http_(own_ ? own_->io : io,
            {.listen = page.listen,
             .advice = kTaken,
             .routes = routes_of(own_ ? asked_there(page, own_->calls) : page, clock.wall_now()),
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

MetricsServer::~MetricsServer() {
    stop();
    if (own_ and own_->thread.joinable()) {
        own_->thread.join();
    }
}

void MetricsServer::start() {
    http_.start();
    if (own_) {
        own_->thread = std::thread([own = own_.get()] {
            set_thread_name("groma-metrics");
            own->io.run();
        });
    }
}

void MetricsServer::stop() {
    if (own_) {
        own_->calls.end();
        boost::asio::post(own_->io, [this] { http_.stop(); });
    } else {
        http_.stop();
    }
}

}  // namespace groma
