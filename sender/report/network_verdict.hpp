// Judges what the network and the receivers made of a run: one line for people, one word for programs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sender/report/run_report.hpp"

namespace groma {

/// By what receivers told; copies do not make up for lost packets.
enum class NetworkResult : std::uint8_t {
    unknown,  ///< nothing was sent, or a receiver told nothing and no packet is known to be lost
    all,      ///< every packet
    lossy,    ///< some packets were lost
    nothing   ///< no packet of any flow; or, where all flows await responses, not one
};

/// "unknown", "all", "lossy", "nothing".
[[nodiscard]] std::string_view to_string(NetworkResult arrival);

struct NetworkVerdict {
    NetworkResult result = NetworkResult::unknown;
    std::string text;  ///< "all arrived", "lost 12 of 10000 (0.12 %)", "NOTHING ARRIVED (does a firewall ...?)"
};

[[nodiscard]] NetworkVerdict judge_network(const SendReport& report);

}  // namespace groma
