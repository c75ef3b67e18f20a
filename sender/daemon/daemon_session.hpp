// A daemon's session with a client, up to the request for the run: messages in, steps out. Pure: no socket, no clock.
// The caller carries the steps out (sender/daemon/sender_daemon.hpp). docs/guide/daemon.md has the order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/time/instant.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/run_request.hpp"

namespace groma {

class DaemonSession {
public:
    enum class Step : std::uint8_t {
        welcome,  ///< write RunWelcome
        none,     ///< flows accepted
        run       ///< the run was requested: take_flows(), request()
    };

    /// `starting`: the time limit from the greeting to the run. `grant`: what the client's key is good for; nothing: it
    /// needs none. The limits outlive the session.
    explicit DaemonSession(const DaemonLimits& limits, Nanos starting = SessionTimes().starting,
                           std::optional<Grant> grant = std::nullopt)
        : limits_(limits), starting_(starting), grant_(std::move(grant)) {}

    /// Requires: the run was not requested yet. Throws: UsageError, RunError with the reason of a refusal; the session
    /// is then over.
    [[nodiscard]] Step on_message(DaemonMessage message, MonoTime now);

    [[nodiscard]] const RunHello& hello() const { return hello_; }
    [[nodiscard]] const RunRequest& request() const { return request_; }
    [[nodiscard]] std::vector<FlowSpec> take_flows() { return std::move(flows_); }

private:
    [[nodiscard]] Step greet(const DaemonMessage& message, MonoTime now);
    void take(RunFlows& more);

    const DaemonLimits& limits_;
    Nanos starting_;
    std::optional<Grant> grant_;
    bool greeted_ = false;
    MonoTime deadline_{};
    RunHello hello_;
    std::vector<FlowSpec> flows_;
    std::size_t value_bytes_ = 0;  ///< of all its flows
    RunRequest request_;
};

}  // namespace groma
