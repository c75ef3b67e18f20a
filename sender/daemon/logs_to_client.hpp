// The report and the logs of a part of a run on their way to the client that leads it (docs/guide/agents.md).
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sender/daemon/daemon_messages.hpp"
#include "sender/run/log_taker.hpp"

namespace groma {

/// Thread: as LogTaker.
class LogsToClient final : public LogTaker {
public:
    using Send = std::function<void(const DaemonMessage&)>;

    /// `send` returns when the message is on its way, and throws ProtocolError when the client is gone.
    explicit LogsToClient(Send send) : send_(std::move(send)) {}

    void take(const SendReport& report) override;
    void take(std::size_t log, const std::string& name, const LogSection& section) override;
    void lose(std::size_t log, const std::string& why) override;

private:
    Send send_;
};

/// The report as the client merges it with those of other parts.
[[nodiscard]] std::string report_of_part(const SendReport& report);

}  // namespace groma
