// The receiving half of common/net/user_sctp/user_sctp.hpp.
#ifdef GROMA_USRSCTP

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/net/user_sctp/user_sctp.hpp"
#include "common/net/user_sctp/user_sctp_options.hpp"
#include "common/os/wakeup.hpp"

namespace groma {

namespace {

constexpr std::size_t kReadBuffer = std::size_t{128} << 10U;

class UserSctpInbox final : public Inbox {
public:
    UserSctpInbox(const InboxSpec& spec, Clock& clock)
        : flow_(spec.flow),
          clock_(clock),
          packets_(spec.format()),
          expected_(spec.expected_peer),
          warnings_(user_sctp_warnings(spec.options)),
          buffer_(std::make_unique_for_overwrite<std::byte[]>(kReadBuffer)),
          listener_(std::make_unique<UserSctpSocket>(UserSctpStack::start(user_sctp_encapsulation(spec.options)),
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
        std::size_t count = 0;
        const std::uint64_t before = in_vain(counts_);
        while (count < out.size() and in_vain(counts_) - before < kMostInVainAtOnce and state_ == InboxState::open and
               read_message()) {
            const std::size_t size = std::exchange(filled_, 0);
            const auto [packet, forged] = packets_.read(std::span(buffer_.get(), size), size, PacketKind::packet);
            if (not packet or packet->header.flow.value_or(flow_) != flow_) {
                ++(forged ? counts_.forged : counts_.malformed);
                continue;
            }
            out[count] = Arrival{};
            out[count].received_at = clock_.wall_now();
            out[count].header = packet->header;
            out[count].size = static_cast<std::uint32_t>(size);
            out[count++].stream = stream_;
        }
        if (count == out.size() or in_vain(counts_) - before == kMostInVainAtOnce) {
            events_.notify();  // there may be more
        }
        return count;
    }

    [[nodiscard]] InboxState state() const noexcept override { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
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
    Clock& clock_;
    PacketFormat packets_;
    SocketAddress expected_;
    SocketAddress local_;
    SocketAddress remote_;
    std::vector<std::string> warnings_;
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

std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec, Clock& clock) {
    return std::make_unique<UserSctpInbox>(spec, clock);
}

}  // namespace groma

#endif
