// Opens the inboxes of a session's flows: on the address that the sender reached, on ports that the receiver gives
// away, for packets of the host that they are to come from. Thread: the control thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/signal_line.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// Where a session's flows come in.
struct DataPlace {
    SocketAddress bind_to;                  ///< its port does not matter
    SocketAddress peer;                     ///< the host that the session comes from
    std::optional<PortRange> data_ports{};  ///< that flows may have; nothing: any
    SignalLine* signal_line = nullptr;      ///< raised for each packet; outlives the inboxes
    GroMode gro = GroMode::off;
};

class FlowInboxes {
public:
    /// The clock outlives the inboxes.
    FlowInboxes(const DataPlace& place, Clock& clock) : place_(place), clock_(clock) {}

    /// `seal`: of a sealed flow. Throws: UsageError for what a flow may not have; SystemError for what the kernel does
    /// not give.
    [[nodiscard]] std::unique_ptr<Inbox> open(const FlowSpec& spec, const std::optional<MacKey>& seal = std::nullopt);

    /// The same for a flow whose sender awaits it at `port` of its host: the port that the flow asks for is not this
    /// host's. Throws: as open().
    [[nodiscard]] std::unique_ptr<Inbox> dial(const FlowSpec& spec, std::uint16_t port,
                                              const std::optional<MacKey>& seal = std::nullopt);
    [[nodiscard]] SocketAddress listener(std::uint16_t port) const { return place_.peer.with_port(port); }

    /// The host that a flow's packets come from: the session's, or another address of it that the sender names. Nobody
    /// can tell whether that address is the sender's own, so what is sent back goes to the session's host only.
    /// Throws: UsageError.
    [[nodiscard]] SocketAddress source_of(const FlowSpec& spec) const;

    /// Why a flow is refused, in words for its sender.
    [[nodiscard]] std::string reason(const FlowSpec& spec, const SystemError& error) const;

private:
    [[nodiscard]] InboxSpec inbox_of(const FlowSpec& spec, const std::optional<MacKey>& seal) const;
    [[nodiscard]] std::unique_ptr<Inbox> opened(InboxSpec inbox);
    [[nodiscard]] std::unique_ptr<Inbox> open_in_range(InboxSpec inbox);

    /// The range in which a port is to be looked for here, not by the kernel; nothing: the kernel finds one.
    [[nodiscard]] std::optional<PortRange> range_to_search(const InboxSpec& inbox);

    DataPlace place_;
    Clock& clock_;
    PortSearch search_;
    std::size_t found_by_kernel_ = 0;  ///< ports of listening sockets
};

}  // namespace groma
