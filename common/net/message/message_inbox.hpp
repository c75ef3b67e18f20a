// A flow's way in over SCTP or DCCP: listens, takes one connection from the expected host, and reads its messages, each
// of which is a packet and, if they are to be sent back, gets a message in reply.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/inbox.hpp"
#include "common/net/channel/message_reader.hpp"
#include "common/net/channel/reply_batch.hpp"
#include "common/net/socket/connecting.hpp"

namespace groma {

class MessageInbox final : public Inbox {
public:
    /// `listener`: bound, with the flow's options. The clock outlives the inbox. Throws: SystemError.
    MessageInbox(const InboxSpec& spec, FileDescriptor listener, std::vector<std::string> warnings, Clock& clock);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return reader_.state(); }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override;
    [[nodiscard]] int fd() const noexcept override { return connection_.fd(); }
    [[nodiscard]] bool cannot_accept() const noexcept override { return connection_.cannot_accept(); }
    [[nodiscard]] SocketAddress local_address() const override { return connection_.local(); }
    [[nodiscard]] SocketAddress remote_address() const override { return connection_.remote(); }

private:
    bool dccp_;
    std::vector<std::string> warnings_;
    OneConnection connection_;
    MessageReader reader_;
    std::unique_ptr<ReplyBatch> replies_;  ///< null: one way only
    bool ended_ = false;                   ///< the connection was shut down
};

}  // namespace groma
