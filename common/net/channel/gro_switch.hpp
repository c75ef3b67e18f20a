// Switches GRO on for a flow's socket (gro.hpp): at once where the flow asks for it, or when its reader falls behind;
// never where each packet's own time of arrival or header is recorded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/net/channel/gro.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"

namespace groma {

class GroSwitch {
public:
    /// Socket and clock outlive it.
    GroSwitch(int socket, Clock& clock) noexcept : socket_(socket), clock_(clock) {}

    /// Does what the flow asks for. `warnings` get a sentence where GRO is asked for and cannot be.
    void prepare(const InboxSpec& spec, std::vector<std::string>& warnings);

    /// Whether the reader falls behind, compared with the last check. Returns: whether GRO begins now. Packet path.
    [[nodiscard]] bool check(const SocketMemory& memory) noexcept;

    /// Whether check() may start it.
    [[nodiscard]] bool watches() const noexcept { return watches_; }
    [[nodiscard]] const std::optional<GroStart>& started() const noexcept { return started_; }

private:
    void start(GroReason why) noexcept;

    int socket_;
    Clock& clock_;
    bool watches_ = false;
    SocketMemory last_{};  ///< at the last check
    std::optional<GroStart> started_;
};

}  // namespace groma
