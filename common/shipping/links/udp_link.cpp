#include "common/shipping/links/udp_link.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"
#include "common/net/socket/path_mtu.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"
#include "common/shipping/links/link_openers.hpp"

namespace groma {

namespace {

constexpr const char* kUdpAdvice = "is groma-log running there, with UDP, and may this host reach it?";
constexpr const char* kUnprovedAdvice =
    "what answers cannot prove that it is the server that was asked: is another there, or does something on the way "
    "change datagrams?";
constexpr int kSocketBuffer = 2 << 20;
// Batches taken in one turn, so that a flood does not keep it for ever.
constexpr int kMostBatches = 64;

std::uint64_t random_number() {
    std::uint64_t number = 0;
    checked("get random numbers from the kernel", ::getrandom(&number, sizeof number, 0));
    return number;
}

FileDescriptor connect_to(const SocketAddress& server, const std::string& peer) {
    FileDescriptor socket = open_socket(server, SOCK_DGRAM);
    if (server.family() == AF_INET6) {
        set_option(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, "IPV6_MTU_DISCOVER");
    } else {
        set_option(socket, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
    }
    ask_for_buffer(socket, SO_RCVBUF, kSocketBuffer);
    ask_for_buffer(socket, SO_SNDBUF, kSocketBuffer);
    checked("connect to the " + peer, ::connect(socket.get(), server.data(), server.size()), kUdpAdvice);
    return socket;
}

/// What a server did that refused: "takes shippers that ...".
std::string in_words(OpeningRefusal refusal, const std::optional<OfferedKey>& key) {
    if (refusal == OpeningRefusal::key_not_taken and key) {
        return untaken_in_words(*key, "groma-log") + " (--key none then ships without one)";
    }
    return "takes shippers that have a key: give yours with --key FILE (groma-key new makes one, and groma-key host "
           "its host's part of it, for the folder of --keys)";
}

}  // namespace

LinkOpener udp_link(const SocketAddress& server, const std::string& peer, const std::optional<OfferedKey>& key,
                    std::optional<std::uint64_t> bytes_per_second, const ShippingTimes& times) {
    return [=, settings = UdpLinkSettings{key, bytes_per_second, times}](Clock& clock) {
        return std::make_unique<UdpLink>(server, peer, settings, clock);
    };
}

UdpLink::UdpLink(const SocketAddress& server, std::string peer, const UdpLinkSettings& settings, Clock& clock)
    : clock_(clock),
      peer_(std::move(peer)),
      is_ipv4_(server.is_ipv4()),
      socket_(connect_to(server, peer_)),
      frames_(peer_, kMaxOtherFrame) {
    open(settings);
}

UdpLink::~UdpLink() {
    stream_->close();
    try {
        transmit();
    } catch (const SystemError&) {  // nobody is left to tell
    }
}

void UdpLink::open(const UdpLinkSettings& settings) {
    const std::string attempt = "connect to the " + peer_;
    DatagramOpening opening(random_number(), random_secret(),
                            settings.key ? std::optional(settings.key->key) : std::nullopt);
    const MonoTime deadline = clock_.now() + settings.times.connecting;
    while (not stream_) {
        const MonoTime now = clock_.now();
        if (const auto datagram = opening.next_datagram(now)) {
            if (::send(socket_.get(), datagram->data(), datagram->size(), 0) < 0 and errno == ECONNREFUSED) {
                throw SystemError(attempt, ECONNREFUSED, kUdpAdvice);
            }
        }
        sleep_until(std::min(deadline, opening.next_deadline()), -1);
        const std::size_t count = batch_.receive(socket_);
        if (count == 0 and errno == ECONNREFUSED) {
            throw SystemError(attempt, ECONNREFUSED, kUdpAdvice);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (stream_) {  // what the server had to say at once may have come together with its yes
                static_cast<void>(stream_->on_datagram(batch_.received(i), clock_.now()));
                continue;
            }
            opening.on_datagram(batch_.received(i));
            if (const auto& agreed = opening.accepted()) {
                begin(*agreed, settings);
            } else if (const auto refusal = opening.refused()) {
                throw RunError("the " + peer_ + ' ' + in_words(*refusal, settings.key));
            }
        }
        if (not stream_ and now >= deadline) {  // whoever was held up until then has looked once more for the answer
            throw SystemError(attempt, ETIMEDOUT, opening.unproved() ? kUnprovedAdvice : kUdpAdvice);
        }
    }
}

void UdpLink::begin(const AgreedConnection& agreed, const UdpLinkSettings& settings) {
    DatagramStreamSettings about;
    about.datagram = path_datagram();
    about.wire_overhead = is_ipv4_ ? 28 : 48;
    about.silence = settings.times.unanswered;
    about.keep_alive = settings.times.keep_alive;
    if (settings.bytes_per_second) {
        about.bytes_per_second = static_cast<double>(*settings.bytes_per_second);
    }
    stream_.emplace(DatagramIdentity{true, agreed.connection, agreed.keys}, about, clock_.now());
}

std::size_t UdpLink::path_datagram() const {
    const auto path = path_mtu(socket_.get(), is_ipv4_);
    return path ? std::clamp(path->payload, kShortestDatagram, kLongestDatagram) : kSafeDatagram;
}

bool UdpLink::send(std::span<const std::byte> frame) {
    if (stream_->room() < frame.size()) {
        wants_room_ = true;
        wanted_room_ = frame.size();
        return false;
    }
    wants_room_ = false;
    const std::size_t taken = stream_->write(frame);
    check(taken == frame.size(), "a stream took less than it had room for");
    return true;
}

void UdpLink::check_alive() {
    if (is_refused_) {
        throw SystemError("send to the " + peer_, ECONNREFUSED, "nothing listens there any more");
    }
    if (stream_->state() == DatagramStream::State::silent) {
        throw SystemError("hear from the " + peer_, ETIMEDOUT);
    }
    // What came before the end has its turn first.
    const bool is_over = stream_->state() != DatagramStream::State::open or stream_->ended();
    if (is_over and stream_->readable() == 0) {
        throw SystemError("hear from the " + peer_, ECONNRESET, "it closed the connection");
    }
}

void UdpLink::turn() {
    check_alive();
    receive();
    transmit();
}

void UdpLink::receive() {
    for (int batches = 0; batches < kMostBatches; ++batches) {
        const std::size_t count = batch_.receive(socket_);
        if (count == 0) {
            is_refused_ = is_refused_ or errno == ECONNREFUSED;
            return;
        }
        const MonoTime now = clock_.now();
        for (std::size_t i = 0; i < count; ++i) {
            static_cast<void>(stream_->on_datagram(batch_.received(i), now));
        }
        if (count < UdpBatch::kDatagrams) {
            return;
        }
    }
}

void UdpLink::transmit() {
    for (;;) {
        const int error = batch_.send(socket_);
        if (error != 0) {
            if (not send_failed(error)) {
                return;
            }
            continue;
        }
        const MonoTime now = clock_.now();
        while (not batch_.full()) {
            const std::size_t bytes = stream_->next_datagram(batch_.slot(), now);
            if (bytes == 0) {
                break;
            }
            batch_.add(bytes, nullptr);
        }
        if (batch_.waiting() == 0) {
            return;
        }
    }
}

bool UdpLink::send_failed(int error) {
    if (error == EAGAIN) {
        return false;
    }
    if (error == ECONNREFUSED) {
        is_refused_ = true;
    } else if (error == EMSGSIZE) {
        // Where the kernel knows no better, the next smaller size that paths are built for.
        const std::size_t before = stream_->datagram();
        const std::size_t path = path_datagram();
        stream_->limit_datagram(path < before ? path : (before > kSafeDatagram ? kSafeDatagram : before / 2));
    }
    batch_.skip();  // as if the path had lost it
    return true;
}

std::optional<LogFrame> UdpLink::next() {
    for (;;) {
        if (auto frame = frames_.next()) {
            return frame;
        }
        if (stream_->readable() == 0) {
            return std::nullopt;
        }
        frames_.filled(stream_->read(frames_.space()));
    }
}

void UdpLink::wait(int wake_fd, MonoTime until) {
    const bool has_room = wants_room_ and stream_->room() >= wanted_room_;
    if (has_room or is_refused_ or stream_->ended() or stream_->state() != DatagramStream::State::open) {
        return;
    }
    sleep_until(std::min(until, stream_->next_deadline()), wake_fd);
}

void UdpLink::sleep_until(MonoTime until, int wake_fd) const {
    const auto wanted = static_cast<short>(batch_.waiting() > 0 ? POLLIN | POLLOUT : POLLIN);
    std::array<pollfd, 2> entries{pollfd{.fd = socket_.get(), .events = wanted, .revents = 0},
                                  pollfd{.fd = wake_fd, .events = POLLIN, .revents = 0}};
    const Nanos left = std::clamp<Nanos>(until - clock_.now(), Nanos{0}, std::chrono::minutes(1));
    const timespec time{.tv_sec = left / std::chrono::seconds(1), .tv_nsec = (left % std::chrono::seconds(1)).count()};
    ::ppoll(entries.data(), entries.size(), &time, nullptr);
}

}  // namespace groma
