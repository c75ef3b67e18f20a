// What a log has, as those that read it find it.
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
    std::uint64_t packets = 0;  ///< numbers of packets that they have, each counted once
    bool operator==(const FlowRecords&) const = default;
};

struct LogContents {
    std::map<FlowId, FlowRecords> flows;
    std::vector<std::string> gaps;
};

/// Throws: as read_log().
[[nodiscard]] LogContents contents_of(const std::filesystem::path& file);

/// The entry of a log that was shipped; nothing when there is none, or it was not shipped.
[[nodiscard]] std::optional<CatalogueEntry> entry_of(const LogShipment& shipment, const LogCatalogue& catalogue);

}  // namespace groma::world
