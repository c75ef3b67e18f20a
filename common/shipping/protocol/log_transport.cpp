#include "common/shipping/protocol/log_transport.hpp"

#include <array>

namespace groma {

namespace {

constexpr std::array<std::string_view, 3> kNames{"tcp", "udp", "mpi"};

}  // namespace

std::optional<LogTransport> parse_log_transport(std::string_view text) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == text) {
            return static_cast<LogTransport>(i);
        }
    }
    return std::nullopt;
}

std::string_view to_string(LogTransport transport) {
    return kNames[static_cast<std::size_t>(transport)];
}

}  // namespace groma
