#include "common/model/flow/start_spread.hpp"

#include <cstdint>

namespace groma {

void spread_starts(std::vector<FlowSpec>& flows, Nanos span) {
    const auto count = static_cast<std::int64_t>(flows.size());
    std::int64_t place = 0;
    for (FlowSpec& flow : flows) {
        // Quotients and remainders separately: their products cannot overflow.
        flow.start_delay += Nanos{span.count() / count * place + span.count() % count * place / count};
        ++place;
    }
}

}  // namespace groma
