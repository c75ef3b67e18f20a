// A path between two datagram streams in virtual time: loses, doubles, delays, reorders and damages datagrams by a
// seed.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "common/base/errors.hpp"
#include "common/shipping/datagram/datagram_stream.hpp"
#include "tests/common/shipping/datagram_keys.hpp"

namespace groma::test {

struct PathFaults {
    double loss = 0;
    double doubled = 0;
    double damaged = 0;
    Nanos delay = std::chrono::microseconds(500);
    Nanos jitter{0};              ///< up to this much more, so that datagrams overtake each other
    std::size_t mtu = 65535;      ///< larger ones vanish
    double bytes_per_second = 0;  ///< of the bottleneck; 0: none
    std::size_t queue = 64U << 10U;
};

/// One direction.
class Path {
public:
    Path(PathFaults faults, std::uint64_t seed) : faults_(faults), random_(seed) {}

    void send(std::span<const std::byte> datagram, MonoTime now) {
        ++sent;
        longest = std::max(longest, datagram.size());
        if (blackout or datagram.size() > faults_.mtu or chance(faults_.loss)) {
            return;
        }
        Nanos queued{0};
        if (faults_.bytes_per_second > 0) {
            const double backlog = std::max(0.0, to_seconds(free_at_ - now)) * faults_.bytes_per_second;
            if (backlog + static_cast<double>(datagram.size()) > static_cast<double>(faults_.queue)) {
                ++overflows;
                return;
            }
            free_at_ =
                std::max(free_at_, now) +
                Nanos{static_cast<Nanos::rep>(static_cast<double>(datagram.size()) / faults_.bytes_per_second * 1e9)};
            queued = free_at_ - now;
        }
        const int copies = chance(faults_.doubled) ? 2 : 1;
        for (int i = 0; i < copies; ++i) {
            std::vector<std::byte> copy(datagram.begin(), datagram.end());
            if (chance(faults_.damaged)) {
                copy[random_() % copy.size()] ^= static_cast<std::byte>(1U << (random_() % 8));
            }
            const Nanos extra{
                faults_.jitter.count() > 0
                    ? static_cast<Nanos::rep>(random_() % static_cast<std::uint64_t>(faults_.jitter.count()))
                    : 0};
            under_way_.emplace(now + queued + faults_.delay + extra, std::move(copy));
        }
    }
    [[nodiscard]] MonoTime next() const { return under_way_.empty() ? MonoTime::max() : under_way_.begin()->first; }
    void deliver(DatagramStream& to, MonoTime now) {
        while (next() <= now) {
            const auto datagram = std::move(under_way_.begin()->second);
            under_way_.erase(under_way_.begin());
            static_cast<void>(to.on_datagram(datagram, now));
        }
    }

    bool blackout = false;
    std::size_t sent = 0;
    std::size_t longest = 0;
    std::size_t overflows = 0;

private:
    bool chance(double probability) { return std::uniform_real_distribution<>(0, 1)(random_) < probability; }

    PathFaults faults_;
    std::mt19937_64 random_;
    std::multimap<MonoTime, std::vector<std::byte>> under_way_;
    MonoTime free_at_{};
};

/// A shipper and a server with a path each way.
class DatagramNetwork {
public:
    DatagramNetwork(const PathFaults& there, const PathFaults& back, std::uint64_t seed,
                    const DatagramStreamSettings& settings = {})
        : shipper({true, 7, keys_of(1)}, settings, MonoTime{Nanos{1'000'000'000}}),
          server({false, 7, keys_of(1)}, settings, MonoTime{Nanos{1'000'000'000}}),
          up(there, seed),
          down(back, seed + 1) {}

    /// Lets both ends send all they can, then advances to the next event, `until` at most.
    void step(MonoTime until = MonoTime::max()) {
        send(shipper, up);
        send(server, down);
        const MonoTime next =
            std::min({shipper.next_deadline(), server.next_deadline(), up.next(), down.next(), until});
        if (next == MonoTime::max()) {
            return;
        }
        stuck_ = next > now ? 0 : stuck_ + 1;
        check(stuck_ < 1000, "time stands still: a deadline that nothing meets");
        now = std::max(now, next);
        up.deliver(server, now);
        down.deliver(shipper, now);
    }
    void run_for(Nanos span) {
        const MonoTime end = now + span;
        while (now < end) {
            step(end);
        }
    }

    MonoTime now{Nanos{1'000'000'000}};
    DatagramStream shipper;
    DatagramStream server;
    Path up;
    Path down;
    std::function<void(std::span<const std::byte>, MonoTime)> on_sent;  ///< of the shipper's datagrams

private:
    void send(DatagramStream& from, Path& path) {
        while (const std::size_t bytes = from.next_datagram(buffer_, now)) {
            if (&from == &shipper and on_sent) {
                on_sent(std::span(buffer_).first(bytes), now);
            }
            path.send(std::span(buffer_).first(bytes), now);
        }
    }

    std::vector<std::byte> buffer_ = std::vector<std::byte>(kLongestDatagram);
    int stuck_ = 0;
};

/// Bytes that a seed makes, written at one end of a stream and compared at the other.
class StreamCheck {
public:
    explicit StreamCheck(std::size_t bytes, std::uint64_t seed = 1) : total(bytes), writer_(seed), reader_(seed) {}

    void write_some(DatagramStream& stream) {
        while (written < total and stream.room() > 0) {
            if (pending_.empty()) {
                pending_ = make(writer_, std::min<std::size_t>(total - written, 5000));
            }
            const std::size_t taken = stream.write(pending_);
            written += taken;
            pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(taken));
        }
        if (written == total) {
            stream.finish();
        }
    }
    void read_some(DatagramStream& stream) {
        std::vector<std::byte> bytes(4096);
        while (const std::size_t count = stream.read(bytes)) {
            for (std::size_t i = 0; i < count; ++i) {
                if (expected_.empty()) {
                    expected_ = make(reader_, std::min<std::size_t>(total - read, 5000));
                    at_ = 0;
                }
                right = right and read < total and expected_[at_] == bytes[i];
                ++read;
                if (++at_ == expected_.size()) {
                    expected_.clear();
                }
            }
        }
    }
    [[nodiscard]] bool whole() const { return right and read == total; }

    std::size_t total;
    std::size_t written = 0;
    std::size_t read = 0;
    bool right = true;

private:
    static std::vector<std::byte> make(std::mt19937_64& random, std::size_t count) {
        std::vector<std::byte> bytes(count);
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(random());
        }
        return bytes;
    }

    std::mt19937_64 writer_;
    std::mt19937_64 reader_;
    std::vector<std::byte> pending_;
    std::vector<std::byte> expected_;
    std::size_t at_ = 0;
};

/// Ships both ways until both ends have all data, or `limit` of virtual time is over. Returns: whether they have it.
inline bool ship(DatagramNetwork& net, StreamCheck& up, StreamCheck& down, Nanos limit = std::chrono::minutes(10)) {
    const MonoTime end = net.now + limit;
    while (net.now < end and net.shipper.state() == DatagramStream::State::open and
           net.server.state() == DatagramStream::State::open) {
        up.write_some(net.shipper);
        down.write_some(net.server);
        net.step(end);
        up.read_some(net.server);
        down.read_some(net.shipper);
        if (net.server.ended() and net.shipper.ended() and net.shipper.sent_all() and net.server.sent_all()) {
            return up.whole() and down.whole();
        }
    }
    return false;
}

}  // namespace groma::test
