// Flows over ICMP: echo requests with the flow's identifier, whose payload is the packet. The port of an address is the
// identifier.
#pragma once

#include <memory>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"

namespace groma {

/// Uses a raw socket, or, without the right to one, an unprivileged ping socket where the kernel allows it
/// (net.ipv4.ping_group_range, icmp(7)). The replies of the receiver's kernel are of no interest here and are kept out;
/// those of the round-trip meter are let in when they are wanted. Throws: SystemError.
[[nodiscard]] std::unique_ptr<Channel> open_icmp_channel(const ChannelSpec& spec, Clock& clock);

/// A raw socket that gets the flow's echo requests, beside the receiver's kernel, which answers them whether anybody
/// asked or not. Replies of the round-trip meter go out on it as well. Takes root or CAP_NET_RAW. The clock outlives
/// the inbox. Throws: SystemError.
[[nodiscard]] std::unique_ptr<Inbox> open_icmp_inbox(const InboxSpec& spec, Clock& clock);

}  // namespace groma
