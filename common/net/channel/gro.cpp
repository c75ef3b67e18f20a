#include "common/net/channel/gro.hpp"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

GroMode parse_gro_mode(std::string_view text) {
    if (text == "auto") {
        return GroMode::automatic;
    }
    if (text == "on") {
        return GroMode::on;
    }
    if (text == "off") {
        return GroMode::off;
    }
    throw UsageError("'" + std::string(text) + "' is not one of auto, on, off");
}

std::string_view in_words(GroReason reason) noexcept {
    switch (reason) {
        case GroReason::half_full:
            return "the socket's buffer was more than half full";
        case GroReason::drops:
            return "the kernel dropped packets because the socket's buffer was full";
        case GroReason::asked_for:
            break;
    }
    return "it was asked for";
}

std::optional<SocketMemory> memory_of(int socket) noexcept {
    std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, SOL_SOCKET, SO_MEMINFO, info.data(), &size) < 0 or
        size <= SK_MEMINFO_DROPS * sizeof(std::uint32_t)) {
        return std::nullopt;
    }
    return SocketMemory{
        .used = info[SK_MEMINFO_RMEM_ALLOC], .limit = info[SK_MEMINFO_RCVBUF], .drops = info[SK_MEMINFO_DROPS]};
}

std::optional<GroReason> falls_behind(const SocketMemory& before, const SocketMemory& now) noexcept {
    if (static_cast<std::int32_t>(now.drops - before.drops) > 0) {
        return GroReason::drops;
    }
    return now.used > now.limit / 2 ? std::optional(GroReason::half_full) : std::nullopt;
}

bool switch_gro_on(int socket) noexcept {
    const int on = 1;
    return ::setsockopt(socket, SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
}

}  // namespace groma
