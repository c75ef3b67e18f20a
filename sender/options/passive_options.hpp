// The options of groma-send --passive.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "common/cli/option_value.hpp"
#include "common/control/awaited_call.hpp"
#include "common/control/reach.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct SenderOptions;

/// Receivers that cannot be reached call in (docs/guide/nat.md).
struct PassiveOptions {
    std::vector<SocketAddress> listen;  ///< all on the first one's port; 0: the kernel chooses it
    Nanos wait = std::chrono::seconds(60);
    bool any_source = false;              ///< punches may come from another host than the receiver's session
    std::shared_ptr<AwaitedCall> call{};  ///< of the one receiver, in place of `listen`; null: listen
    std::string caller{};                 ///< what that receiver is called
};

void read_passive(SenderOptions& options, const OptionValue& value);
void read_passive_wait(SenderOptions& options, const OptionValue& value);
void read_passive_any_source(SenderOptions& options, const OptionValue& value);

/// Why a flow cannot go to a receiver that has called in, with the option `who`; empty: it can, unless a NAT is on the
/// way that lets the transport not through.
[[nodiscard]] std::string called_in_error(const FlowSpec& flow, std::string_view who);

/// Adds an error for each flow that cannot go to a receiver that dials, if the sender is passive.
void check_dialled(const SenderOptions& options, UsageErrors& errors);

/// Who can call in. Requires: options.passive.
[[nodiscard]] Reach passive_reach(const SenderOptions& options);

}  // namespace groma
