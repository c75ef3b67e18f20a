#include "tests/world/stranger.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "common/os/system_clock.hpp"
#include "common/shipping/links/link_openers.hpp"
#include "tests/awkward_names.hpp"
#include "tests/control_frames.hpp"
#include "tests/world/keys.hpp"

namespace groma::world {

namespace {

constexpr std::array kNames{"catalogue.sqlite",
                            "catalogue.sqlite-journal",
                            "catalogue.sqlite-wal",
                            "catalogue.sqlite-shm",
                            "catalogue.sqlite-room",
                            "first.glog",
                            "first.glog.part",
                            "first",
                            "sender",
                            "receiver",
                            ".",
                            "..",
                            "spool"};

/// Of those that Stranger::message() has: where keys are asked for, and elsewhere.
constexpr std::uint64_t kMessages = 11;
constexpr std::uint64_t kMessagesInClear = 6;

sockaddr_in as_socket_address(const Address& to) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(to.host);
    in.sin_port = htons(to.port);
    return in;
}

SocketAddress as_library_address(const Address& to) {
    const sockaddr_in in = as_socket_address(to);
    return {reinterpret_cast<const sockaddr*>(&in), sizeof in};
}

}  // namespace

void Stranger::run() {
    while (true) {
        rest(400);
        some(5) == 0 ? throw_datagrams() : talk();
        if (open_.size() > 20 or (not open_.empty() and some(4) == 0)) {
            close(open_.front().fd);
            open_.erase(open_.begin());
        }
    }
}

void Stranger::rest(std::uint64_t most_ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(some(most_ms)));
}

std::string Stranger::some_name() {
    return some(2) == 0 ? kNames[some(kNames.size())] : kAwkwardNames[some(kAwkwardNames.size())];
}

std::string Stranger::some_bytes() {
    std::string bytes(some(some(2) == 0 ? 16 : 3000), 0);
    std::ranges::generate(bytes, [this] { return static_cast<char>(some(256)); });
    return bytes;
}

Message Stranger::hello() {
    return Hello{.program = "stranger", .run_id = std::string(32, 'a'), .experiment = some_name(), .host = "delta"};
}

Message Stranger::message(std::uint64_t kind) {
    FlowSpec flow;
    flow.id = FlowId(static_cast<std::uint32_t>(some(3)));
    flow.name = some_name();
    flow.transport = some(2) == 0 ? Transport::udp : Transport::tcp;
    flow.target.host = "10.0.0.2";
    flow.stop.packets = some(1000);
    switch (kind) {
        case 0:
            return hello();
        case 1:
            return OpenFlows{.flows = {flow}};
        case 2:
            return ProbeRequest{.number = static_cast<std::uint32_t>(some(1000))};
        case 3:
            return Start{.log_file = some(4) == 0 ? "" : some_name(), .log_server = {}};
        case 4:
            return KeepAlive{};
        case 6:
            return ResumeFetch{};
        case 7:
            return FetchLog{};
        case 8:
            return RemoveLog{};
        case 9:
            return AskReverse{};
        case 10:
            return CallIn{.program = "stranger", .name = some_name()};
        default:
            return Finish{.interrupted = some(2) == 0,
                          .wait = std::chrono::seconds(some(60)),
                          .flows = {{.flow = flow.id, .packets = some(100), .bytes = some(10'000)}}};
    }
}

LogFrame Stranger::frame(std::uint64_t kind, LogNumber log, std::uint64_t piece) {
    switch (kind) {
        case 0:
            return ShipperHello{.node = some_name()};
        case 1: {
            LogToken token{};
            token[0] = static_cast<std::byte>(some(4));
            return OpenLog{.log = log, .token = token, .experiment = some_name(), .name = some_name()};
        }
        case 2:
            piece_ = some_bytes();
            return LogPiece{.log = log, .number = piece, .bytes = std::as_bytes(std::span(piece_))};
        case 3:
            return CloseLog{.log = log, .pieces = some(4), .bytes = piece_.size(), .hash = random_()};
        default:
            return GiveUpLog{.log = log, .pieces = some(4), .reason = some_name()};
    }
}

/// A message of the protocol to a daemon: the one for this point of a conversation, or any. Most conversations begin
/// with a greeting.
std::string Stranger::something(bool is_to_receiver, bool in_order, std::uint64_t number) {
    const bool greets = number == 0 and some(8) != 0;
    std::string bytes;
    if (not in_order and some(8) == 0) {
        bytes = some_bytes();
    } else if (is_to_receiver) {
        constexpr std::array<std::uint64_t, 5> kOrder{0, 1, 3, 4, 5};
        bytes = framed(serialize(greets     ? hello()
                                 : in_order ? message(kOrder[std::min<std::uint64_t>(number, 4)])
                                            : message(some(has_keys_ ? kMessages : kMessagesInClear))));
    } else {
        const std::uint64_t kind = number < 2 ? number : some(4) == 0 ? 3 : 2;
        const std::vector<std::byte> frame =
            serialize(greets     ? ShipperHello{.node = "delta"}
                      : in_order ? this->frame(kind, 1, number - 2)
                                 : this->frame(some(5), static_cast<LogNumber>(some(3)), some(3)));
        bytes.assign(reinterpret_cast<const char*>(frame.data()), frame.size());
    }
    if (in_order) {
        return bytes;
    }
    if (some(16) == 0 and not bytes.empty()) {
        bytes[some(bytes.size())] = static_cast<char>(some(256));
    }
    if (some(16) == 0) {
        bytes.resize(some(bytes.size() + 1));
    }
    return bytes;
}

void Stranger::talk() {
    const bool is_to_receiver = some(2) == 0;
    const bool in_order = some(2) == 0;
    const sockaddr_in to = as_socket_address(is_to_receiver ? receiver_ : log_server_);
    Connection connection{.fd = socket(AF_INET, SOCK_STREAM, 0)};
    const int fd = connection.fd;
    const bool is_connected = fd >= 0 and connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    const auto key = some_key(is_to_receiver ? receiver_ : log_server_);
    const bool talks = is_connected and (not key or prove(connection, *key));
    for (std::uint64_t i = 0, count = some(10); talks and i < count; ++i) {
        const std::string bytes = something(is_to_receiver, in_order, i);
        say(connection, bytes);
        rest(100);
        if (some(4) != 0) {
            hear(connection);
        }
    }
    switch (is_connected ? some(3) : 0) {
        case 0:
            close(fd);
            return;
        case 1:
            shutdown(fd, SHUT_WR);
            [[fallthrough]];
        default:
            open_.push_back(std::move(connection));
    }
}

void Stranger::say(Connection& connection, const std::string& bytes) {
    if (connection.tls) {
        static_cast<void>(connection.tls->send(std::as_bytes(std::span(bytes))));
    } else {
        send(connection.fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}

void Stranger::hear(Connection& connection) {
    std::array<char, 4096> answer{};
    if (connection.tls) {
        static_cast<void>(connection.tls->receive(std::as_writable_bytes(std::span(answer))));
    } else {
        recv(connection.fd, answer.data(), answer.size(), MSG_DONTWAIT);
    }
}

std::optional<OfferedKey> Stranger::some_key(const Address& to) {
    if (not has_keys_ or some(3) == 0) {
        return std::nullopt;
    }
    return (some(3) == 0 ? keys().nobody : keys().stranger).key.offered_to(as_library_address(to).host_to_string());
}

bool Stranger::prove(Connection& connection, const OfferedKey& key) {
    constexpr int kTries = 20;
    fcntl(connection.fd, F_SETFL, O_NONBLOCK);
    connection.tls = std::make_unique<TlsSocket>(connection.fd, key.key);
    for (int i = 0; i < kTries; ++i) {
        if (const auto error = connection.tls->shake_hands()) {
            return not *error;
        }
        rest(20);
    }
    return false;
}

/// The beginning of a conversation with the log server.
void Stranger::ship_over_datagrams(const OfferedKey& key) {
    SystemClock clock;
    try {
        const auto link = udp_link(as_library_address(log_server_), "log server", key, std::nullopt, {})(clock);
        for (std::uint64_t i = 0, count = some(10); i < count; ++i) {
            static_cast<void>(link->send(serialize(frame(std::min<std::uint64_t>(i, 2), 1, i))));
            link->turn();
            rest(100);
        }
    } catch (const std::exception&) {
        return;  // it was refused
    }
}

void Stranger::throw_datagrams() {
    if (const auto key = some_key(log_server_)) {
        return ship_over_datagrams(*key);
    }
    const sockaddr_in to = as_socket_address(log_server_);
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (std::uint64_t i = 0, count = some(10); i < count; ++i) {
        const std::string bytes = some_bytes();
        sendto(fd, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    }
    close(fd);
}

}  // namespace groma::world
