#include "decoder/sqlite_rows.hpp"

namespace groma {

void put(Inserter& row, const Spread& spread) {
    if (spread.count == 0) {
        row.skip(8);
        return;
    }
    row << spread.min << spread.mean << spread.deviation << spread.p50 << spread.p90 << spread.p99 << spread.p999
        << spread.max;
}

void MeasuredTimesWriter::write(const FlowResult& flow, std::string_view kind, const Spread& spread) {
    if (spread.count > 0) {
        rows_ << run_ << flow.spec.id.value << flow.receiver_number << kind << spread.count;
        put(rows_, spread);
        rows_.end_row();
    }
}

void HistogramWriter::write(const FlowResult& flow, std::string_view kind, const Spread& spread) {
    for (const auto& bin : spread.bins()) {
        rows_ << run_ << flow.spec.id.value << kind << bin.low << bin.high << bin.count << flow.receiver_number;
        rows_.end_row();
    }
}

}  // namespace groma
