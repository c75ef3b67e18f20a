// Logs whose senders went before they had fetched all of them: each waits for a while for whoever has its token.
// Pure but for the files that it holds open.
#pragma once

#include <list>
#include <memory>

#include "common/base/token.hpp"
#include "common/time/instant.hpp"
#include "receiver/offered_log.hpp"

namespace groma {

/// Thread: the control thread.
class LeftLogs {
public:
    static constexpr std::size_t kMost = 32;  ///< an open file each; the oldest goes first, and stays on the disk

    /// `patience`: how long a log is left.
    explicit LeftLogs(Nanos patience) : patience_(patience) {}

    void leave(const Token& token, std::unique_ptr<OfferedLog> log, MonoTime now);
    /// Returns: null if there is none under this token, or no longer.
    [[nodiscard]] std::unique_ptr<OfferedLog> take(const Token& token, MonoTime now);

private:
    struct LeftLog {
        Token token;
        std::unique_ptr<OfferedLog> log;
        MonoTime end;
    };

    void forget_old(MonoTime now);

    Nanos patience_;
    std::list<LeftLog> logs_;  ///< oldest first
};

}  // namespace groma
