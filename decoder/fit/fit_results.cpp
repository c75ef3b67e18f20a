#include "decoder/fit/fit_results.hpp"

namespace groma {

const std::array<const char*, kNoFlowKinds>& names_of_left_out() {
    static constexpr std::array<const char*, kNoFlowKinds> kNames{
        "not IP",    "fragments of IP datagrams", "cut short of their headers when they were captured",
        "malformed", "of another protocol",       "ICMP messages other than echoes",
    };
    return kNames;
}

}  // namespace groma
