// The channel of a flow, whatever its transport.
#pragma once

#include <memory>

#include "common/net/channel/channel.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// The only switch over protocols on the sending side. The clock outlives the channel. Throws: SystemError with advice.
[[nodiscard]] std::unique_ptr<Channel> open_channel(const ChannelSpec& spec, Clock& clock);

}  // namespace groma
