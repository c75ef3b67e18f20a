#include "common/model/flow/drawn_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/model/flow/draws.hpp"

namespace groma {

namespace {

/// From 0 to 2^62, rounded.
std::int64_t draw_whole(const Distribution& law, const FlowSpec& spec, Process process) {
    DrawCounts counts;
    return static_cast<std::int64_t>(std::round(GapProcess(law, seed_of(spec, process)).draw(counts)));
}

}  // namespace

bool is_drawn(std::string_view text) {
    return text.find(':') != std::string_view::npos;
}

void draw_values(const DrawnValues& laws, FlowSpec& spec) {
    if (laws.start) {
        spec.start_delay = Nanos{draw_whole(*laws.start, spec, Process::start)};
    }
    if (laws.volume) {
        const std::int64_t bytes = draw_whole(*laws.volume, spec, Process::volume);
        spec.stop.bytes = Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1))};
    }
}

}  // namespace groma
