// Untrusted frames of a capture. The first byte chooses the kind of link and whether the frame was cut. The fields
// found of a flow must be possible for headers, and the payload of the same frame within its bytes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/errors.hpp"
#include "common/wire/captured_packet.hpp"
#include "common/wire/flow_packet.hpp"

using namespace groma;

namespace {

constexpr std::array kLinks = {LinkType::ethernet,   LinkType::raw,  LinkType::null, LinkType::linux_sll,
                               LinkType::linux_sll2, LinkType::loop, LinkType::ipv4, LinkType::ipv6};
constexpr std::size_t kMissing = 100;  // bytes that a capture may have cut
constexpr std::uint32_t kLargest = 65'535;

void check_payload(std::span<const std::byte> frame, LinkType link) {
    const auto packet = parse_captured(frame, link);
    if (packet and not packet->payload.empty()) {
        check(packet->payload.data() >= frame.data() and
                  packet->payload.data() + packet->payload.size() <= frame.data() + frame.size(),
              "a payload lies within its frame");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const LinkType link = kLinks[data[0] % kLinks.size()];
    const auto frame = std::as_bytes(std::span(data, size)).subspan(1);
    const bool cut = (data[0] & 0x80U) != 0;
    const FoundFlow found = find_flow(frame, link, frame.size() + (cut ? kMissing : 0));
    if (found.packet) {
        check(found.packet->size <= kLargest, "no packet of IP is longer");
        check(cut or found.packet->size <= frame.size(), "what was not cut is there");
        check(not found.packet->bare or found.packet->size == 0, "an acknowledgement has no payload");
    } else {
        check(static_cast<std::size_t>(found.instead) < kNoFlowKinds, "there is a reason");
        check(cut or found.instead != NoFlow::cut, "only what was cut is cut");
    }
    check_payload(frame, link);
    return 0;
}
