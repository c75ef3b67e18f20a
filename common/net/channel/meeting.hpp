// The socket of a channel: a new one that has to reach the receiver, or the one on which a receiver that dials has
// shown itself (common/net/nat/flow_listener.hpp).
#pragma once

#include "common/net/channel/channel.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// Throws: SystemError, as open_flow_socket().
[[nodiscard]] FileDescriptor channel_socket(const ChannelSpec& spec);

/// Binds to the source that was asked for, unless the receiver was met: then the socket is bound. Throws: as
/// bind_to_source().
void bind_source(const FileDescriptor& socket, const ChannelSpec& spec);

/// The same, and connects, unless the receiver was met. Throws: SystemError, as connect_before().
void reach(const FileDescriptor& socket, const ChannelSpec& spec, Clock& clock);

}  // namespace groma
