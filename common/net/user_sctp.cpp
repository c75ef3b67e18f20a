#include "common/net/user_sctp.hpp"

#include <cerrno>

#include "common/base/errors.hpp"

#ifdef GROMA_USRSCTP

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "common/net/message_batch.hpp"
#include "common/net/multicast.hpp"
#include "common/net/socket_options.hpp"
#include "common/net/user_sctp_socket.hpp"
#include "common/os/system_clock.hpp"
#include "common/os/wakeup.hpp"

namespace groma {

namespace {

constexpr std::size_t kLargestMessage = 65536;
constexpr std::size_t kReadBuffer = std::size_t{128} << 10U;
constexpr std::uint16_t kGivenUpAfterTime = 1;   ///< SCTP_PR_SCTP_TTL of the library
constexpr std::uint16_t kGivenUpAfterTries = 3;  ///< SCTP_PR_SCTP_RTX
constexpr auto kBetweenLooks = std::chrono::milliseconds(1);

/// A descriptor that can be written to as long as it is open: what a worker polls that waits for room in a socket which
/// has no descriptor of its own.
class WritableGate {
public:
    WritableGate() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        if (not fd_.valid()) {
            throw SystemError("open an eventfd", errno, "raise the limit of open files: ulimit -n");
        }
    }
    void close() noexcept {
        constexpr std::uint64_t kFull = ~std::uint64_t{0} - 1;  // no more can be added (eventfd(2))
        (void)(::write(fd_.get(), &kFull, sizeof kFull) < 0);
    }
    void open() noexcept {
        std::uint64_t count = 0;
        (void)(::read(fd_.get(), &count, sizeof count) < 0);
    }
    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    FileDescriptor fd_;
};

UserSctpSocket::Label label_of(const TransportOptions& options) {
    UserSctpSocket::Label label;
    label.unordered = not options.ordered.value_or(true);
    if (options.lifetime) {
        label.policy = kGivenUpAfterTime;
        label.policy_value = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(*options.lifetime).count());
    } else if (options.retransmissions) {
        label.policy = kGivenUpAfterTries;
        label.policy_value = *options.retransmissions;
    }
    return label;
}

/// The stack has no sockets of the kernel's that these could be given to.
std::vector<std::string> remarks_of(const TransportOptions& options) {
    std::vector<std::string> remarks;
    const auto note = [&remarks](bool asked, const char* what) {
        if (asked) {
            remarks.push_back(std::string(what) + " is not kept by SCTP in user space");
        }
    };
    note(options.ttl.has_value(), "ttl");
    note(options.ds_byte.has_value(), "ds_byte");
    note(options.flow_label.has_value(), "flow_label");
    note(options.dont_fragment.has_value(), "dont_fragment");
    note(options.priority.has_value(), "priority");
    note(options.send_buffer.has_value() or options.receive_buffer.has_value(), "the size of a buffer");
    note(not options.device.empty(), "device");
    return remarks;
}

std::uint16_t encapsulation_of(const TransportOptions& options) {
    return static_cast<std::uint16_t>(options.encapsulation.value_or(kSctpOverUdpPort));
}

class UserSctpChannel final : public Channel {
public:
    explicit UserSctpChannel(const ChannelSpec& spec)
        : to_(spec.to),
          label_(label_of(spec.options)),
          remarks_(remarks_of(spec.options)),
          buffer_(std::make_unique<std::byte[]>(kLargestMessage)),
          socket_(UserSctpStack::start(encapsulation_of(spec.options) == 0 ? std::optional(std::uint16_t{0})
                                                                           : std::nullopt),
                  to_.family(), [this] { gate_.open(); }) {
        const std::uint32_t asked = spec.options.streams.value_or(1);
        socket_.ask_for_streams(asked);
        if (encapsulation_of(spec.options) != 0) {
            socket_.reach_over_udp(encapsulation_of(spec.options));
        }
        bind(spec.options);
        connect(spec.limit);
        streams_ = std::min(asked, socket_.streams());
        if (streams_ < asked) {
            remarks_.push_back("of " + std::to_string(asked) + " streams the receiver allowed " +
                               std::to_string(streams_));
        }
    }

    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override {
        SendOutcome outcome;
        while (outcome.sent < frames.size()) {
            const int error = send_one(frames[outcome.sent]);
            if (error != 0) {
                outcome.status = status_of_send(error);
                outcome.errno_value = error;
                break;
            }
            ++outcome.sent;
        }
        if (outcome.status == SendStatus::would_block) {
            gate_.close();
            if (socket_.writable()) {  // room was made before the gate was closed, and nobody will say so again
                gate_.open();
            }
        }
        return outcome;
    }

    /// The library's threads deliver what it has taken, while the run waits for the receiver's results.
    [[nodiscard]] bool finish(Nanos) noexcept override {
        socket_.end_sending();
        return true;
    }

    [[nodiscard]] std::vector<std::string> remarks() const override { return remarks_; }
    [[nodiscard]] int fd() const noexcept override { return gate_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override {
        return address_towards(to_).with_port(socket_.port());
    }
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }

private:
    void bind(const TransportOptions& options) {
        if (not options.source.empty() or options.source_port or options.source_ports) {
            const auto port = static_cast<std::uint16_t>(options.source_port.value_or(0));
            socket_.bind(source_address(options, to_, port), options.source_ports);
        }
    }

    void connect(Nanos limit) {
        SystemClock clock;
        const MonoTime deadline = clock.now() + limit;
        int error = socket_.connect(to_);
        error = error == EINPROGRESS ? 0 : error;
        while (error == 0 and not socket_.established(error) and clock.now() < deadline) {
            clock.sleep_until(clock.now() + Nanos(kBetweenLooks));
        }
        if (error == 0 and socket_.streams() == 0) {
            error = ETIMEDOUT;
        }
        if (error != 0) {
            throw SystemError("connect to " + to_.to_string() + " over SCTP in user space", error,
                              "is the receiver's UDP port of --encapsulation open in firewalls?");
        }
    }

    [[nodiscard]] int send_one(const Frame& frame) noexcept {
        if (frame.size() > kLargestMessage) {
            return EMSGSIZE;
        }
        std::copy_n(frame.header.begin(), frame.header_bytes, buffer_.get());
        std::copy(frame.rest.begin(), frame.rest.end(), buffer_.get() + frame.header_bytes);
        UserSctpSocket::Label label = label_;
        label.stream = static_cast<std::uint16_t>(next_stream_);
        const int error = socket_.send(std::span(buffer_.get(), frame.size()), label);
        if (error == 0) {
            next_stream_ = (next_stream_ + 1) % streams_;
        }
        return error;
    }

    SocketAddress to_;
    UserSctpSocket::Label label_;
    std::vector<std::string> remarks_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the library takes a message in one piece
    WritableGate gate_;
    UserSctpSocket socket_;  ///< behind the gate, which its events open
    std::uint32_t streams_ = 1;
    std::uint32_t next_stream_ = 0;
};

class UserSctpInbox final : public Inbox {
public:
    explicit UserSctpInbox(const InboxSpec& spec)
        : flow_(spec.flow),
          header_(spec.header),
          expected_(spec.expected_peer),
          remarks_(remarks_of(spec.options)),
          buffer_(std::make_unique_for_overwrite<std::byte[]>(kReadBuffer)),
          listener_(std::make_unique<UserSctpSocket>(UserSctpStack::start(encapsulation_of(spec.options)),
                                                     spec.bind_to.family(), [this] { events_.notify(); })) {
        listener_->ask_for_streams(1);
        listener_->bind(spec.bind_to, spec.options.ports);
        listener_->listen();
        local_ = spec.bind_to.with_port(listener_->port());
    }

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override {
        (void)events_.clear();  // before the reading: what comes meanwhile is told again
        if (not connected()) {
            return 0;
        }
        SystemClock clock;
        std::size_t count = 0;
        while (count < out.size() and state_ == InboxState::open and read_message()) {
            const std::size_t size = std::exchange(filled_, 0);
            const auto header = parse_packet(std::span(buffer_.get(), std::min(size, kPacketHeaderSize)), header_);
            if (not header or header->flow.value_or(flow_) != flow_) {
                ++counts_.malformed;
                continue;
            }
            out[count] = Arrival{};
            out[count].received_at = clock.wall_now();
            out[count].header = *header;
            out[count].size = static_cast<std::uint32_t>(size);
            out[count++].stream = stream_;
        }
        if (count == out.size()) {
            events_.notify();  // there may be more
        }
        return count;
    }

    [[nodiscard]] InboxState state() const noexcept override { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> remarks() const override { return remarks_; }
    [[nodiscard]] int fd() const noexcept override { return events_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] SocketAddress remote_address() const override { return remote_; }

private:
    [[nodiscard]] bool connected() noexcept {
        constexpr int kMostAccepted = 64;
        for (int i = 0; i < kMostAccepted and not connection_; ++i) {
            SocketAddress peer;
            std::unique_ptr<UserSctpSocket> taken = listener_->accept(peer);
            if (not taken) {
                break;
            }
            if (not peer.same_host(expected_)) {
                ++counts_.foreign;
                continue;
            }
            remote_ = peer;
            connection_ = std::move(taken);
        }
        return connection_ != nullptr;
    }

    [[nodiscard]] bool read_message() noexcept {
        while (true) {
            const auto piece = connection_->receive(std::span(buffer_.get(), kReadBuffer).subspan(filled_));
            if (not piece) {
                if (errno != EAGAIN and errno != EINTR) {
                    state_ = InboxState::broken;
                }
                return false;
            }
            if (piece->bytes == 0) {
                state_ = filled_ > 0 ? InboxState::broken : InboxState::ended;
                return false;
            }
            filled_ += piece->bytes;
            stream_ = piece->stream;
            if (piece->last) {
                return true;
            }
            if (filled_ == kReadBuffer) {
                ++counts_.malformed;
                state_ = InboxState::broken;
                return false;
            }
        }
    }

    FlowId flow_;
    HeaderLevel header_;
    SocketAddress expected_;
    SocketAddress local_;
    SocketAddress remote_;
    std::vector<std::string> remarks_;
    std::unique_ptr<std::byte[]> buffer_;
    std::size_t filled_ = 0;  ///< of a message that came in part
    std::uint16_t stream_ = 0;
    InboxCounts counts_;
    InboxState state_ = InboxState::open;
    Wakeup events_;
    // Behind what their events touch.
    std::unique_ptr<UserSctpSocket> listener_;
    std::unique_ptr<UserSctpSocket> connection_;
};

}  // namespace

std::string user_sctp_fault() {
    return {};
}

std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec) {
    return std::make_unique<UserSctpChannel>(spec);
}

std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec) {
    return std::make_unique<UserSctpInbox>(spec);
}

}  // namespace groma

#else

namespace groma {

namespace {

constexpr const char* kAdvice = "this groma was built without libusrsctp: install libusrsctp-dev and build again";

}  // namespace

std::string user_sctp_fault() {
    return std::string("cannot use SCTP in user space: ") + kAdvice;
}

std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec) {
    throw SystemError("connect to " + spec.to.to_string() + " over SCTP in user space", EPROTONOSUPPORT, kAdvice);
}

std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec) {
    throw SystemError("listen on " + spec.bind_to.to_string() + " over SCTP in user space", EPROTONOSUPPORT, kAdvice);
}

}  // namespace groma

#endif
