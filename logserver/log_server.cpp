#include "logserver/log_server.hpp"

#include <netinet/in.h>

#include <boost/asio/post.hpp>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/supervision.hpp"
#include "common/control/timer.hpp"
#include "common/http/metrics_server.hpp"
#include "logserver/background_thread.hpp"
#include "logserver/log_server_core.hpp"
#include "logserver/log_server_metrics.hpp"
#include "logserver/tcp_carrier.hpp"
#include "logserver/udp_carrier.hpp"

namespace groma {

namespace asio = boost::asio;

namespace {

constexpr EntranceWords kEntranceWords{.daemon = "this log server", .clients = "senders and receivers"};

constexpr int kPortAttempts = 20;
/// Connections beyond the sessions that are told why they are refused; more are just closed.
constexpr std::size_t kRefusedAtOnce = 64;

}  // namespace

class LogServer::Impl {
public:
    Impl(LogServerSettings settings, Clock& clock)
        : clock_(clock),
          max_connections_(settings.max_sessions + kRefusedAtOnce),
          core_(settings, clock, std::make_unique<BackgroundThread>(io_.get_executor())),
          entrance_(io_, settings.keys, kEntranceWords, clock, [this](const auto& line) { core_.report(line); }),
          tcp_(settings.listen, entrance_, surroundings()) {
        entrance_.report_to(settings.audit);
        core_.take_grants_of([this](const Grant& proved) { return entrance_.grant_for_logs(proved); });
        if (settings.listen.udp) {
            UdpCarrierSettings udp;
            udp.needs_key = [this](const SocketAddress& local, const SocketAddress& peer) {
                return entrance_.needs_key(local, peer, IPPROTO_UDP);
            };
            udp.secret_of = [this](const Token& id) { return entrance_.valid_secret(id); };
            udp.grant_of = [this](const Token& id) { return entrance_.grant_of(id); };
            udp.turned_away = [this](const SocketAddress& peer, const std::string& why) {
                core_.counters().count(Counted::refused_key);
                entrance_.turn_away(peer, why);
            };
            udp.end_with_key = [this](KeyedPeers::Peer peer) { entrance_.end_with_key(std::move(peer)); };
            udp.stranger = [this] { core_.counters().count(Counted::refused_strangers); };
            udp_.emplace(open_udp_sockets(tcp_.addresses()), surroundings(), udp);
        }
        if (not settings.web.certificate.empty()) {
            web_.emplace(
                settings.web, clock, [this](const auto& line) { core_.report(line); }, settings.audit);
        }
        if (not settings.metrics.empty()) {
            metrics_.emplace(io_,
                             MetricsPage{.listen = settings.metrics,
                                         .program = "groma-log",
                                         .access = access(),
                                         .give = [this](Exposition& to) { give_metrics(to); },
                                         .say = [this](const auto& line) { core_.report(line); }},
                             clock);
            metrics_->start();
        }
        tick_soon();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        // What still waits on the io_context refers to the other members.
        end_all();
        io_.restart();
        io_.run();
    }

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return tcp_.addresses(); }
    [[nodiscard]] asio::io_context& io() { return io_; }
    [[nodiscard]] ConversationHost& host() { return core_; }
    [[nodiscard]] WebAccess* access() { return web_ ? &*web_ : nullptr; }
    void add_carrier(std::function<void()> stop) { other_carriers_.push_back(std::move(stop)); }

    void stop_on_signals() {
        entrance_.read_again_on_hangup();
        if (web_) {
            web_->read_again_on_hangup(io_);
        }
        supervision_.begin([this] { end_all(); });
    }

    void run() { io_.run(); }
    void stop() {
        asio::post(io_, [this] { end_all(); });
    }

private:
    [[nodiscard]] CarrierSurroundings surroundings() {
        return {io_, core_, clock_, core_.times(), max_connections_, [this](const auto& line) { core_.report(line); }};
    }

    void give_metrics(Exposition& to) {
        WatchedLogServer watched = core_.watched(clock_.now());
        if (udp_) {
            watched.udp = udp_->counts();
        }
        to.add(log_server_metrics(), watched);
    }

    void tick_soon() {
        ticking_.call_after(core_.tick_period(), [this] {
            // A timer that has expired already cannot be cancelled.
            if (not stopped_) {
                core_.tick(clock_.now());
                tick_soon();
            }
        });
    }

    void end_all() {
        if (std::exchange(ending_, true)) {
            return;
        }
        supervision_.end();
        entrance_.stop();
        if (web_) {
            web_->end();
        }
        if (metrics_) {
            metrics_->stop();
        }
        core_.stop([this] {
            stopped_ = true;
            ticking_.cancel();
        });
        tcp_.stop();
        if (udp_) {
            udp_->stop();
        }
        for (const auto& stop : other_carriers_) {
            stop();
        }
    }

    Clock& clock_;
    asio::io_context io_{1};
    std::size_t max_connections_;
    LogServerCore core_;
    Entrance entrance_;
    TcpCarrier tcp_;
    std::optional<UdpCarrier> udp_;
    std::vector<std::function<void()>> other_carriers_;
    std::optional<WebAccess> web_;
    std::optional<MetricsServer> metrics_;
    Timer ticking_{io_.get_executor(), clock_};
    Supervision supervision_{io_, clock_};
    bool ending_ = false;
    bool stopped_ = false;  ///< everything is durable
};

LogServer::LogServer(LogServerSettings settings, Clock& clock) {
    // A port that the kernel chose for TCP may be taken for UDP.
    for (int attempt = 1; not impl_; ++attempt) {
        try {
            impl_ = std::make_unique<Impl>(settings, clock);
        } catch (const SystemError& error) {
            if (settings.listen.port != 0 or error.errno_value() != EADDRINUSE or attempt == kPortAttempts) {
                throw;
            }
        }
    }
}
LogServer::~LogServer() = default;

const std::vector<SocketAddress>& LogServer::addresses() const {
    return impl_->addresses();
}
asio::io_context& LogServer::io() {
    return impl_->io();
}
ConversationHost& LogServer::host() {
    return impl_->host();
}
WebAccess* LogServer::access() {
    return impl_->access();
}
void LogServer::add_carrier(std::function<void()> stop) {
    impl_->add_carrier(std::move(stop));
}
void LogServer::stop_on_signals() {
    impl_->stop_on_signals();
}
void LogServer::run() {
    impl_->run();
}
void LogServer::stop() {
    impl_->stop();
}

}  // namespace groma
