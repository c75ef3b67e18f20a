#include "common/shipping/tcp_log_sink.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/log_name.hpp"
#include "common/os/host.hpp"
#include "common/shipping/log_shipper.hpp"

namespace groma {

namespace {

class TcpLogSink final : public LogSink {
public:
    TcpLogSink(Consignment consignment, LogLink link)
        : description_(consignment.peer),
          queue_(consignment.limits.window_bytes),
          shipper_(std::move(consignment), std::move(link), queue_),
          thread_([this] { shipper_.run(); }) {}

    /// Without close(), what is not shipped yet is given up; the server calls the log incomplete.
    ~TcpLogSink() override {
        queue_.abandon();
        thread_.join();
    }

    void append(std::span<const std::byte> piece) override {
        while (not piece.empty()) {
            const auto part = piece.first(std::min(piece.size(), kMaxPieceBytes));
            queue_.push(part);
            piece = piece.subspan(part.size());
        }
    }

    void close() override { queue_.close(); }

    [[nodiscard]] std::string describe() const override { return description_; }

private:
    std::string description_;
    ShipmentQueue queue_;
    LogShipper shipper_;
    std::thread thread_;
};

LogToken fresh_token() {
    const std::string digits = random_id();
    LogToken token{};
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::uint8_t value = 0;
        std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value, 16);
        token[i] = static_cast<std::byte>(value);
    }
    return token;
}

[[noreturn]] void refuse_address(std::string_view text, const std::string& why) {
    throw UsageError("log server '" + std::string(text) + "': " + why + "; write HOST, HOST:PORT or [IPV6]:PORT");
}

void require_name(std::string_view kind, const std::string& name) {
    if (const std::string fault = log_name_fault(name); not fault.empty()) {
        throw UsageError(std::string(kind) + " '" + name + "' cannot be a name on a log server: it " + fault);
    }
}

std::uint16_t parse_port(std::string_view text, std::string_view digits) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} or end != digits.data() + digits.size() or port == 0) {
        refuse_address(text, "'" + std::string(digits) + "' is not a port (1 to 65535)");
    }
    return port;
}

}  // namespace

LogServerAddress parse_log_server(std::string_view text) {
    LogServerAddress server;
    std::string_view host = text;
    std::string_view rest;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) {
            refuse_address(text, "']' is missing");
        }
        host = text.substr(1, end - 1);
        rest = text.substr(end + 1);
    } else if (std::ranges::count(text, ':') == 1) {
        host = text.substr(0, text.find(':'));
        rest = text.substr(host.size());
    }
    if (host.empty()) {
        refuse_address(text, "there is no host in it");
    }
    if (not rest.empty()) {
        if (rest.front() != ':') {
            refuse_address(text, "'" + std::string(rest) + "' is not a port");
        }
        server.port = parse_port(text, rest.substr(1));
    }
    server.host = host;
    return server;
}

std::unique_ptr<LogSink> open_tcp_log_sink(const LogServerAddress& server, const std::string& experiment,
                                           const std::string& name, const ShippingLimits& limits) {
    require_name("the experiment", experiment);
    require_name("the log", name);
    const SocketAddress address = resolve(server.host, server.port);
    Consignment consignment{address, "log server " + address.to_string(), OpenLog{0, fresh_token(), experiment, name},
                            limits};
    try {
        LogLink link = LogLink::open(address, consignment.peer, consignment.log, limits.connect);
        return std::make_unique<TcpLogSink>(std::move(consignment), std::move(link));
    } catch (const LogServerBusy& busy) {
        throw ProtocolError(consignment.peer, busy.what());
    }
}

}  // namespace groma
