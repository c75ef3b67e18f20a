#include "mpi/roles/rank_order.hpp"

#include "common/json/json_record.hpp"

namespace groma {

template <typename Fields>
void describe(Fields& fields, As<Fields, RankOrder>& order) {
    constexpr UpTo kText{4096};
    constexpr Nanos kLongestTimeout = std::chrono::hours(1);
    fields("run_id", order.run_id, kText);
    fields("folder", order.folder, kText);
    fields("mark", order.mark, kText);
    fields.part("key", order.key, [](auto& one, auto& key) {
        one("id", key.id);
        one.as("secret", key.secret, &parse_secret);
    });
    fields("receives_at", order.receives_at, Most{1000}, kText);
    fields("sends", order.sends);
    fields("log_server_at", order.log_server_at, kText);
    fields("ships_to", order.ships_to);
    fields("block_records", order.block_records, Within<std::size_t>{1, kMaxBlockRecords});
    fields("timeout_ns", order.timeout, Within{Nanos::rep{1}, kLongestTimeout.count()});
}

template void describe(JsonWriter&, const RankOrder&);
template void describe(JsonReader&, RankOrder&);

}  // namespace groma
