// Logs whose senders went before they had fetched all of them: each waits for a while for whoever has its token and the
// key of the sender.
// Pure but for the files that it holds open.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "common/base/token.hpp"
#include "common/time/instant.hpp"
#include "receiver/offered_log.hpp"

namespace groma {

/// Thread: the control thread.
class LeftLogs {
public:
    static constexpr std::size_t kMost = 32;  ///< an open file each; what goes first stays on the disk

    /// `patience`: how long a log is left.
    explicit LeftLogs(Nanos patience) : patience_(patience) {}

    /// `peer`: the host of the session. When there are too many, the oldest of the host with most goes.
    void leave(const Token& token, std::unique_ptr<OfferedLog> log, const std::string& peer, MonoTime now);
    /// `grant`: of the key that the taker has proved; nothing: none. Returns: null if there is none under this token,
    /// or no longer, or it is not for that key; then it stays.
    [[nodiscard]] std::unique_ptr<OfferedLog> take(const Token& token, const std::optional<Grant>& grant, MonoTime now);
    /// Closes those that have waited long enough.
    void forget_old(MonoTime now);

private:
    struct LeftLog {
        Token token;
        std::unique_ptr<OfferedLog> log;
        std::string peer;
        MonoTime end;
    };

    void make_room();

    Nanos patience_;
    std::list<LeftLog> logs_;  ///< oldest first
};

}  // namespace groma
