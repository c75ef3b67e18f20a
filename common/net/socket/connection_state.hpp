// The state of a connection as the kernel tells it: TCP_INFO (of MPTCP: of its first subflow), SCTP_STATUS with
// SCTP_GET_ASSOC_STATS, and what DCCP has. What a kernel does not tell is absent; `at` is not filled in. Thread: any.
#pragma once

#include <optional>

#include "common/wire/records.hpp"

namespace groma {

[[nodiscard]] std::optional<ConnectionSample> tcp_state(int fd) noexcept;
[[nodiscard]] std::optional<ConnectionSample> sctp_state(int fd) noexcept;
[[nodiscard]] std::optional<ConnectionSample> dccp_state(int fd) noexcept;

}  // namespace groma
