#include "common/model/flow/record_room.hpp"

#include <algorithm>
#include <limits>

namespace groma {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kFew = 4096;

}  // namespace

void RecordRoom::add(const StopRule& flow) noexcept {
    packets_ += std::min(flow.packets.value_or(kUnknown), kUnknown - packets_);
}

std::size_t RecordRoom::records(std::size_t most) const noexcept {
    return packets_ > most / 2 ? most : std::min<std::size_t>(most, std::max(2 * packets_, kFew));
}

}  // namespace groma
