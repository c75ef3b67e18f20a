// Who leads a run that this one is a part of, and takes its logs (docs/guide/agents.md).
#pragma once

#include <cstddef>
#include <string>

#include "common/control/messages.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Logs have numbers: 0 is the sender's, the others are those of the receivers in the report, from 1 on. Each call
/// returns when all is on its way. Throws: ProtocolError when the taker is gone. Thread: the run's.
class LogTaker {
public:
    LogTaker() = default;
    LogTaker(const LogTaker&) = delete;
    LogTaker& operator=(const LogTaker&) = delete;
    virtual ~LogTaker() = default;

    /// Before the logs come: so that it is known whatever becomes of them.
    virtual void take(const SendReport& report) = 0;
    /// `name`: what the log is called there.
    virtual void take(std::size_t log, const std::string& name, const LogSection& section) = 0;
    /// It does not come, or not all of it.
    virtual void lose(std::size_t log, const std::string& why) = 0;
};

}  // namespace groma
