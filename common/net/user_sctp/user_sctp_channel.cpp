// The sending half of common/net/user_sctp/user_sctp.hpp.
#ifdef GROMA_USRSCTP

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/net/channel/message_batch.hpp"
#include "common/net/channel/multicast.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/net/user_sctp/user_sctp.hpp"
#include "common/net/user_sctp/user_sctp_options.hpp"

namespace groma {

namespace {

constexpr std::size_t kLargestMessage = 65536;
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

class UserSctpChannel final : public Channel {
public:
    UserSctpChannel(const ChannelSpec& spec, Clock& clock)
        : to_(spec.to),
          label_(user_sctp_label(spec.options)),
          warnings_(user_sctp_warnings(spec.options)),
          buffer_(std::make_unique<std::byte[]>(kLargestMessage)),
          socket_(UserSctpStack::start(user_sctp_encapsulation(spec.options) == 0 ? std::optional(std::uint16_t{0})
                                                                                  : std::nullopt),
                  to_.family(), [this] { gate_.open(); }) {
        const std::uint32_t asked = spec.options.streams.value_or(1);
        socket_.ask_for_streams(asked);
        if (user_sctp_encapsulation(spec.options) != 0) {
            socket_.reach_over_udp(user_sctp_encapsulation(spec.options));
        }
        bind(spec.options);
        connect(spec.limit, clock);
        streams_ = std::min(asked, socket_.streams());
        if (streams_ < asked) {
            warnings_.push_back("of " + counted(asked, "stream") + " the receiver allowed " + std::to_string(streams_));
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

    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
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

    void connect(Nanos limit, Clock& clock) {
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
    std::vector<std::string> warnings_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the library takes a message in one piece
    WritableGate gate_;
    UserSctpSocket socket_;  ///< behind the gate, which its events open
    std::uint32_t streams_ = 1;
    std::uint32_t next_stream_ = 0;
};

}  // namespace

std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec, Clock& clock) {
    return std::make_unique<UserSctpChannel>(spec, clock);
}

}  // namespace groma

#endif
