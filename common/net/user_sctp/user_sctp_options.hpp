// What a flow's options are to SCTP in user space.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/model/transport/transport_options.hpp"
#include "common/net/user_sctp/user_sctp_socket.hpp"

namespace groma {

/// What goes with each message of the flow; its stream is not set.
[[nodiscard]] UserSctpSocket::Label user_sctp_label(const TransportOptions& options);

/// A sentence for each option that cannot be kept: the stack has no sockets of the kernel's that it could be given to.
[[nodiscard]] std::vector<std::string> user_sctp_warnings(const TransportOptions& options);

/// The receiver's UDP port that carries the packets; 0: IP does.
[[nodiscard]] std::uint16_t user_sctp_encapsulation(const TransportOptions& options);

}  // namespace groma
