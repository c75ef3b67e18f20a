// A bad path for UDP, between shippers and a log server: a relay that loses, doubles and delays datagrams, so that some
// overtake others, by a seed. One thread: the caller of run().
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"
#include "common/os/system_clock.hpp"

namespace groma {

struct RelayFaults {
    double loss = 0;  ///< share of the datagrams of each direction
    double doubled = 0;
    double late = 0;  ///< share that is held back for `delay`
    Nanos delay = std::chrono::milliseconds(3);
    std::uint64_t seed = 1;
};

class LossyRelay {
public:
    LossyRelay(const SocketAddress& listen, const SocketAddress& server, const RelayFaults& faults)
        : server_(server), faults_(faults), random_(faults.seed), front_(open_socket(listen, SOCK_DGRAM)) {
        bind_socket(front_, listen, listen);
        ask_for_buffer(front_, SO_RCVBUF, 4 << 20);
    }
    [[nodiscard]] std::uint16_t port() const { return local_address_of(front_.get()).port(); }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

    /// Thread: any.
    void stop() { stopped_ = true; }

    /// Until stop().
    void run() {
        while (not stopped_) {
            wait();
            take_from_shippers();
            for (auto& [address, shipper] : shippers_) {
                take_from_server(*shipper);
            }
            send_those_due();
        }
    }

private:
    struct Shipper {
        SocketAddress address;
        FileDescriptor back;  ///< connected to the server
    };
    struct Held {
        Shipper* shipper;
        bool to_server;
        std::vector<std::byte> datagram;
    };

    void wait() {
        std::vector<pollfd> entries{{.fd = front_.get(), .events = POLLIN, .revents = 0}};
        for (const auto& [address, shipper] : shippers_) {
            entries.push_back({.fd = shipper->back.get(), .events = POLLIN, .revents = 0});
        }
        // Short while something is held back, and to see stop().
        ::poll(entries.data(), entries.size(), held_.empty() ? 50 : 1);
    }

    void take_from_shippers() {
        for (;;) {
            sockaddr_storage source{};
            socklen_t size = sizeof source;
            const ssize_t got = ::recvfrom(front_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT,
                                           reinterpret_cast<sockaddr*>(&source), &size);
            if (got < 0) {
                return;
            }
            pass(shipper_at({reinterpret_cast<sockaddr*>(&source), size}), true, static_cast<std::size_t>(got));
        }
    }

    void take_from_server(Shipper& shipper) {
        for (;;) {
            const ssize_t got = ::recv(shipper.back.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
            if (got < 0) {
                return;
            }
            pass(shipper, false, static_cast<std::size_t>(got));
        }
    }

    Shipper& shipper_at(const SocketAddress& address) {
        auto& shipper = shippers_[address.to_string()];
        if (not shipper) {
            shipper = std::make_unique<Shipper>(Shipper{address, open_socket(server_, SOCK_DGRAM)});
            checked("connect to the server", ::connect(shipper->back.get(), server_.data(), server_.size()));
        }
        return *shipper;
    }

    bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }

    void pass(Shipper& shipper, bool to_server, std::size_t bytes) {
        if (chance(faults_.loss)) {
            ++lost_;
            return;
        }
        const std::span datagram = std::span(buffer_).first(bytes);
        for (int copies = chance(faults_.doubled) ? 2 : 1; copies > 0; --copies) {
            if (chance(faults_.late)) {
                held_.emplace(SystemClock().now() + faults_.delay,
                              Held{&shipper, to_server, {datagram.begin(), datagram.end()}});
            } else {
                send(shipper, to_server, datagram);
            }
        }
    }

    void send(const Shipper& shipper, bool to_server, std::span<const std::byte> datagram) {
        if (to_server) {
            ::send(shipper.back.get(), datagram.data(), datagram.size(), MSG_DONTWAIT);
        } else {
            ::sendto(front_.get(), datagram.data(), datagram.size(), MSG_DONTWAIT, shipper.address.data(),
                     shipper.address.size());
        }
    }

    void send_those_due() {
        while (not held_.empty() and held_.begin()->first <= SystemClock().now()) {
            const Held& held = held_.begin()->second;
            send(*held.shipper, held.to_server, held.datagram);
            held_.erase(held_.begin());
        }
    }

    SocketAddress server_;
    RelayFaults faults_;
    std::mt19937_64 random_;
    FileDescriptor front_;
    std::map<std::string, std::unique_ptr<Shipper>> shippers_;
    std::multimap<MonoTime, Held> held_;
    std::array<std::byte, 65536> buffer_{};
    std::atomic<std::uint64_t> lost_{0};
    std::atomic<bool> stopped_{false};
};

}  // namespace groma
