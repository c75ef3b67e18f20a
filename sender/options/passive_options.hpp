// The options of groma-send --passive.
#pragma once

#include <chrono>
#include <vector>

#include "common/cli/option_value.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct SenderOptions;

/// Receivers that cannot be reached call in (docs/guide/nat.md).
struct PassiveOptions {
    std::vector<SocketAddress> listen;  ///< all on the first one's port; 0: the kernel chooses it
    Nanos wait = std::chrono::seconds(60);
    bool any_source = false;  ///< punches may come from another host than the receiver's session
};

void read_passive(SenderOptions& options, const OptionValue& value);
void read_passive_wait(SenderOptions& options, const OptionValue& value);
void read_passive_any_source(SenderOptions& options, const OptionValue& value);

/// Adds an error for each flow that cannot go to a receiver that dials, if the sender is passive.
void check_dialled(const SenderOptions& options, UsageErrors& errors);

}  // namespace groma
