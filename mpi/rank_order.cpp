#include "mpi/rank_order.hpp"

#include <nlohmann/json.hpp>

#include "common/control/json_fields.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostAddresses = 1000;
constexpr std::uint64_t kLongestTimeoutNs = 3'600'000'000'000;

}  // namespace

nlohmann::json to_json(const RankOrder& order) {
    return {{"run_id", order.run_id},
            {"folder", order.folder},
            {"mark", order.mark},
            {"receives_at", order.receives_at},
            {"sends", order.sends},
            {"log_server_at", order.log_server_at},
            {"ships_to", order.ships_to},
            {"block_records", order.block_records},
            {"timeout_ns", order.timeout.count()}};
}

RankOrder rank_order_from_json(const nlohmann::json& object) {
    const JsonFields fields(object);
    RankOrder order{.run_id = fields.text("run_id", kLongestText),
                    .folder = fields.text("folder", kLongestText),
                    .mark = fields.text("mark", kLongestText),
                    .receives_at = {},
                    .sends = fields.flag("sends"),
                    .log_server_at = fields.text("log_server_at", kLongestText),
                    .ships_to = static_cast<int>(fields.signed_number("ships_to")),
                    .block_records = fields.number("block_records", 1, kMaxBlockRecords),
                    .timeout = Nanos(static_cast<Nanos::rep>(fields.number("timeout_ns", 1, kLongestTimeoutNs)))};
    const nlohmann::json& addresses = fields.array("receives_at", kMostAddresses);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        order.receives_at.push_back(text_at(addresses, i, "receives_at", kLongestText));
    }
    return order;
}

}  // namespace groma
