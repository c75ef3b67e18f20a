// The state of a connection as the kernel tells it: TCP_INFO (of MPTCP: of its first subflow), SCTP_STATUS with
// SCTP_GET_ASSOC_STATS, and what DCCP has. What a kernel does not tell is absent; `at` is not filled in. Thread: any.
#pragma once

#include <algorithm>
#include <optional>

#include "common/wire/records.hpp"

namespace groma {

/// What limited a TCP connection while it had something to send (TCP_INFO, Linux 4.10). The rest of the time it was the
/// network: the congestion window, or pacing.
struct SendLimits {
    Nanos busy{0};               ///< data were sent and not acknowledged, or waited
    Nanos by_receive_window{0};  ///< of that, the receiver's window was full
    Nanos by_send_buffer{0};     ///< the socket's buffer was too small, or the program too slow to fill it again

    [[nodiscard]] Nanos by_network() const noexcept {
        return std::max(busy - by_receive_window - by_send_buffer, Nanos{0});
    }
    SendLimits& operator+=(const SendLimits& more) noexcept;
    bool operator==(const SendLimits&) const = default;
};

[[nodiscard]] std::optional<ConnectionSample> tcp_state(int fd) noexcept;
/// Empty: the kernel does not tell, or it was busy for less than a tick of the kernel's clock.
[[nodiscard]] std::optional<SendLimits> tcp_limits(int fd) noexcept;
[[nodiscard]] std::optional<ConnectionSample> sctp_state(int fd) noexcept;
[[nodiscard]] std::optional<ConnectionSample> dccp_state(int fd) noexcept;

}  // namespace groma
