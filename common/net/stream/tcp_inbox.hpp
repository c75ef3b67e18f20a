// A flow's way in over TCP: listens, takes one connection from the expected host, and reads frames from its stream
// (common/net/channel/stream_reader.hpp), which it sends back on the same connection if it is to.
#pragma once

#include <memory>

#include "common/net/channel/inbox.hpp"
#include "common/net/channel/stream_reader.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/connection_state.hpp"
#include "common/net/stream/reply_stream.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// The socket of a flow, ready to listen. `warnings`: what the kernel made of its options. Throws: SystemError "bind
/// 10.0.0.1:8999".
[[nodiscard]] FileDescriptor bound_inbox_listener(const InboxSpec& spec, std::vector<std::string>& warnings);

class TcpInbox final : public Inbox {
public:
    /// The clock outlives the inbox. Throws: SystemError "bind 10.0.0.1:8999".
    TcpInbox(const InboxSpec& spec, Clock& clock);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override;
    [[nodiscard]] bool holding() const noexcept override { return replies_ and replies_->holding(); }
    [[nodiscard]] InboxState state() const noexcept override { return reader_.state(); }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override {
        return tcp_state(connection_.sampled_fd());
    }
    [[nodiscard]] int fd() const noexcept override { return connection_.fd(); }
    [[nodiscard]] bool cannot_accept() const noexcept override { return connection_.cannot_accept(); }
    [[nodiscard]] SocketAddress local_address() const override { return connection_.local(); }
    [[nodiscard]] SocketAddress remote_address() const override { return connection_.remote(); }

private:
    std::vector<std::string> warnings_;  // before the connection, which fills it
    OneConnection connection_;
    StreamReader reader_;
    std::unique_ptr<ReplyStream> replies_;  ///< null: one way only
    bool ended_ = false;                    ///< the connection was shut down
};

}  // namespace groma
