// The contents of a log, as its readers find them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/log/log_shipment.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma::world {

/// Of one flow.
struct FlowRecords {
    std::uint64_t records = 0;
    std::uint64_t packets = 0;  ///< different numbers of packets
    bool operator==(const FlowRecords&) const = default;
};

struct LogContents {
    std::map<FlowId, FlowRecords> flows;
    std::vector<std::string> gaps;
};

/// Throws: as read_log().
[[nodiscard]] LogContents contents_of(const std::filesystem::path& file);

/// The entry of a shipped log; empty if there is none, or the log was not shipped.
[[nodiscard]] std::optional<CatalogueEntry> entry_of(const LogShipment& shipment, const LogCatalogue& catalogue);

}  // namespace groma::world
