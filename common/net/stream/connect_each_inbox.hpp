// A flow's way in over TCP whose sender makes a connection for some requests each (connect_each_channel.hpp): listens
// for as long as the flow runs, takes connections of the expected host, and answers on each what comes over it.
//
// So many are open at a time and no more. When one more comes, the one must go that has been silent for longest, those
// first that never brought a packet of the flow: whoever connects and sends nothing, or garbage, holds nobody up.
#pragma once

#include <array>
#include <memory>

#include "common/net/channel/inbox.hpp"
#include "common/net/channel/stream_reader.hpp"
#include "common/net/stream/reply_stream.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/poller.hpp"

namespace groma {

class ConnectEachInbox final : public Inbox {
public:
    static constexpr std::size_t kMostConnections = 4;  ///< a flow has one at a time: the others are late

    /// Requires: spec.meter is round_trip. The clock outlives the inbox. Throws: SystemError "bind 10.0.0.1:8999".
    ConnectEachInbox(const InboxSpec& spec, Clock& clock);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override;
    [[nodiscard]] bool holding() const noexcept override;
    /// The flow ends with its session.
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
    [[nodiscard]] bool cannot_accept() const noexcept override { return cannot_accept_; }
    /// Of a poller, which shows the listener and all connections.
    [[nodiscard]] int fd() const noexcept override { return poller_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] SocketAddress remote_address() const override { return remote_; }  ///< of the last connection

private:
    struct Connection {
        Connection(const InboxSpec& spec, Clock& clock)
            : reader(spec.flow, spec.format(), PacketKind::packet, clock), replies(spec.format(), clock) {}

        FileDescriptor socket;  ///< invalid: free for the next one
        StreamReader reader;
        ReplyStream replies;
        Interest watched = Interest::read;
        bool proven = false;       ///< it brought a packet of the flow
        std::uint64_t heard = 0;   ///< the turn in which it was made, or last brought a packet
        std::size_t arrivals = 0;  ///< of the last drain()
    };

    void accept_all() noexcept;
    void take(FileDescriptor socket) noexcept;
    /// A free one, or that which has to make room; null: there is no memory for the first one.
    [[nodiscard]] Connection* place() noexcept;
    [[nodiscard]] Connection* new_connection() noexcept;
    void close(Connection& connection) noexcept;
    /// Waits for what it wants, or closes it when it is over.
    void settle(Connection& connection) noexcept;
    template <typename Use>
    void for_each_from_first(const Use& use) noexcept;

    InboxSpec spec_;
    Clock& clock_;
    std::vector<std::string> warnings_;
    FileDescriptor listener_;
    Poller poller_;
    std::array<std::unique_ptr<Connection>, kMostConnections> connections_;  ///< made as they are needed; null behind
    std::size_t made_ = 0;
    std::size_t first_ = 0;  ///< that is asked first in this turn, so that none holds up others
    std::uint64_t turn_ = 0;
    bool cannot_accept_ = false;
    InboxCounts counts_;
    SocketAddress local_;
    SocketAddress remote_;
};

}  // namespace groma
