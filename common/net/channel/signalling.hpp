// Channels and inboxes that raise a serial line for each packet that they send or receive, around any others.
#pragma once

#include <memory>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/os/signal_line.hpp"

namespace groma {

/// The same channel, whose packets raise `line` right after the call that sent them. The line outlives it.
[[nodiscard]] std::unique_ptr<Channel> signalling(std::unique_ptr<Channel> channel, SignalLine& line);

/// The same inbox, whose packets raise `line` when they were read. The line outlives it.
[[nodiscard]] std::unique_ptr<Inbox> signalling(std::unique_ptr<Inbox> inbox, SignalLine& line);

}  // namespace groma
