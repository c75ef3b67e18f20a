#include "common/model/flow_spec.hpp"

namespace groma {

SizeLimits size_limits(Transport transport) {
    // UDP over IPv4: 65535 bytes less the IP (20) and UDP (8) headers. A TCP frame has no such limit; a mebibyte keeps
    // the buffers of a flow small.
    constexpr std::uint32_t kLargestDatagram = 65507;
    constexpr std::uint32_t kLargestFrame = 1U << 20U;
    return {1, transport == Transport::udp ? kLargestDatagram : kLargestFrame};
}

}  // namespace groma
