// groma_gaps('LOG'): a row for each piece of a log that cannot be read, and one when it was cut short.
#include <filesystem>
#include <vector>

#include "common/base/errors.hpp"
#include "decoder/extension/table_module.hpp"

namespace groma {

namespace {

constexpr int kFile = 4;

template <typename Record>
bool holds(IndexedLog& log, const RecordBlock& block) {
    std::vector<Record> records;
    return log.read(block, records);
}

bool is_readable(IndexedLog& log, const RecordBlock& block) {
    switch (block.type) {
        case BlockType::sent:
            return holds<SentRecord>(log, block);
        case BlockType::received:
            return holds<ReceivedRecord>(log, block);
        case BlockType::round_trip:
            return holds<RoundTripRecord>(log, block);
        case BlockType::transmitted:
            return holds<TransmitRecord>(log, block);
        default:
            return holds<ConnectionSample>(log, block);
    }
}

/// The gaps between blocks, and every block that does not hold what its header announces.
std::vector<LogGap> all_gaps(IndexedLog& log) {
    std::vector<LogGap> gaps = log.gaps();
    for (const RecordBlock& block : log.blocks()) {
        if (not is_readable(log, block)) {
            gaps.push_back({.offset = block.offset,
                            .bytes = kBlockHeaderSize + block.stored_length,
                            .reason = "a block does not hold the records that its header announces"});
        }
    }
    if (not log.totals()) {
        std::error_code unknown;
        const auto size = std::filesystem::file_size(log.name(), unknown);
        gaps.push_back({.offset = unknown ? 0 : size, .bytes = 0, .reason = "log cut short: totals missing"});
    }
    return gaps;
}

class GapCursor {
public:
    static constexpr const char* kColumns =
        "CREATE TABLE groma_gaps(\"offset\" INTEGER, bytes INTEGER, reason TEXT, torn_tail INTEGER, file TEXT HIDDEN)";

    static int best_index(sqlite3_index_info& info) {
        for (int i = 0; i < info.nConstraint; ++i) {
            const auto& constraint = info.aConstraint[i];
            if (constraint.iColumn != kFile or constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) {
                continue;
            }
            if (constraint.usable == 0) {
                return SQLITE_CONSTRAINT;
            }
            info.aConstraintUsage[i].argvIndex = 1;
            info.aConstraintUsage[i].omit = 1;
            info.estimatedCost = 1e5;
            return SQLITE_OK;
        }
        info.estimatedCost = 1e15;  // without another plan, filter() reports that a name is missing
        return SQLITE_OK;
    }

    void filter(LogShelf& shelf, const IndexPlan& /*plan*/, std::span<sqlite3_value*> values) {
        path_ = values.empty() ? std::string() : path_of(values[0]);
        if (path_.empty()) {
            throw UsageError("which log? Its name is missing, empty or NULL: say groma_gaps('recv.glog')");
        }
        gaps_ = all_gaps(shelf.open(path_)->log());
        gap_ = 0;
    }

    void next() { ++gap_; }
    [[nodiscard]] bool at_end() const { return gap_ >= gaps_.size(); }
    [[nodiscard]] sqlite3_int64 row_id() const { return static_cast<sqlite3_int64>(gap_); }

    void column(sqlite3_context* context, int number) const {
        const LogGap& gap = gaps_[gap_];
        const auto text = [context](const std::string& what) {
            sqlite3_result_text(context, what.data(), static_cast<int>(what.size()), SQLITE_TRANSIENT);
        };
        switch (number) {
            case 0:
                return sqlite3_result_int64(context, static_cast<sqlite3_int64>(gap.offset));
            case 1:
                return sqlite3_result_int64(context, static_cast<sqlite3_int64>(gap.bytes));
            case 2:
                return text(gap.reason);
            case 3:
                return sqlite3_result_int(context, gap.torn_tail ? 1 : 0);
            default:
                return text(path_);
        }
    }

private:
    std::string path_;
    std::vector<LogGap> gaps_;
    std::size_t gap_ = 0;
};

}  // namespace

const sqlite3_module& gaps_module() noexcept {
    return TableModule<GapCursor>::module();
}

}  // namespace groma
