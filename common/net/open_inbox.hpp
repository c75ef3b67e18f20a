// The inbox of a flow, whatever its transport.
#pragma once

#include <memory>

#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// The only switch over protocols on the receiving side. The clock outlives the inbox. Throws: SystemError
/// ("bind 10.0.0.1:8999", EADDRINUSE, ...).
[[nodiscard]] std::unique_ptr<Inbox> open_inbox(const InboxSpec& spec, Clock& clock);

}  // namespace groma
