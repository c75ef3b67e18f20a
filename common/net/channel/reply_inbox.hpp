// The replies of a flow as an inbox, on its sender's own socket (Channel::open_replies()).
#pragma once

#include <memory>
#include <utility>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/datagram_reader.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/message_reader.hpp"
#include "common/net/channel/stream_reader.hpp"

namespace groma {

/// Where the replies come in.
struct ReplyPlace {
    int fd = -1;  ///< the channel's, which outlives the inbox
    SocketAddress local;
    SocketAddress remote;
};

/// Of a connection: StreamReader or MessageReader.
template <typename Reader>
class ConnectedReplies final : public Inbox {
public:
    ConnectedReplies(const ReplyPlace& place, Reader reader) : place_(place), reader_(std::move(reader)) {}

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override { return reader_.drain(place_.fd, out); }
    [[nodiscard]] InboxState state() const noexcept override { return reader_.state(); }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] int fd() const noexcept override { return place_.fd; }
    [[nodiscard]] SocketAddress local_address() const override { return place_.local; }
    [[nodiscard]] SocketAddress remote_address() const override { return place_.remote; }

private:
    ReplyPlace place_;
    Reader reader_;
};

/// Datagrams, with the kernel's stamps.
class DatagramReplies final : public Inbox {
public:
    DatagramReplies(const ReplyPlace& place, std::unique_ptr<DatagramReader> reader)
        : place_(place), reader_(std::move(reader)) {}

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override { return reader_->drain(out); }
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_->counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "kernel software"; }
    [[nodiscard]] int fd() const noexcept override { return place_.fd; }
    [[nodiscard]] SocketAddress local_address() const override { return place_.local; }
    [[nodiscard]] SocketAddress remote_address() const override { return place_.remote; }

private:
    ReplyPlace place_;
    std::unique_ptr<DatagramReader> reader_;
};

/// What the reader of a flow's replies is told.
[[nodiscard]] inline InboxSpec reply_inbox_spec(const ReplySpec& replies, Transport transport,
                                                const SocketAddress& receiver) {
    InboxSpec spec;
    spec.flow = replies.flow;
    spec.transport = transport;
    spec.header = replies.header;
    spec.seal = replies.seal;
    spec.expected_peer = receiver;
    return spec;
}

}  // namespace groma
