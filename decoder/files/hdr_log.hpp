// One-way delays as an interval log of HdrHistogram (version 1.3 of its text): a histogram for each flow and interval,
// in nanoseconds, with the flow's name as its tag, for the tools that read such logs
// (docs/reference/decoder-output.md). Reads the records of the receivers' logs once more, in the order of time. Memory:
// as RecordMerge, and one histogram for each flow.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/ids.hpp"
#include "common/time/instant.hpp"
#include "decoder/logs/indexed_log.hpp"

namespace groma {

struct HdrLogOptions {
    Nanos interval{1'000'000'000};
    std::set<FlowId> flows{};  ///< only these; empty: all
};

/// Delays are those of the report: corrected by the clocks' relation, or less the flow's smallest where there is none;
/// of first copies that carry their time of departure. Returns: what was omitted, a sentence each. Throws: SystemError;
/// what `write` throws.
[[nodiscard]] std::vector<std::string> write_hdr_log(const std::vector<IndexedLog*>& logs, const HdrLogOptions& options,
                                                     const std::function<void(std::string_view)>& write);

}  // namespace groma
