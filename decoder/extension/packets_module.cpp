// groma_packets('LOG' [, 'SENDERS LOG']): a row for each record of a packet.
#include <string>

#include "common/base/errors.hpp"
#include "decoder/extension/packet_constraints.hpp"
#include "decoder/extension/packet_rows.hpp"
#include "decoder/extension/table_module.hpp"

namespace groma {

namespace {

void give(sqlite3_context* context, const std::optional<std::int64_t>& value) {
    value ? sqlite3_result_int64(context, *value) : sqlite3_result_null(context);
}

void give_us(sqlite3_context* context, const std::optional<std::int64_t>& ns) {
    constexpr double kNanosPerMicro = 1000;
    ns ? sqlite3_result_double(context, static_cast<double>(*ns) / kNanosPerMicro) : sqlite3_result_null(context);
}

/// SQLite copies it. Empty: NULL.
void give(sqlite3_context* context, const std::string& text) {
    text.empty() ? sqlite3_result_null(context)
                 : sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

class PacketCursor {
public:
    static constexpr const char* kColumns = kPacketColumns;

    static int best_index(sqlite3_index_info& info) { return choose_constraints(info); }

    void filter(LogShelf& shelf, const IndexPlan& plan, std::span<sqlite3_value*> values) {
        const PacketArguments arguments =
            read_constraints({plan.number, plan.text}, static_cast<int>(values.size()), values.data());
        open_logs(shelf, arguments);
        rows_.start(file_, clock_, arguments.query);
    }

    void next() { rows_.next(); }
    [[nodiscard]] bool at_end() const { return rows_.at_end(); }
    [[nodiscard]] sqlite3_int64 row_id() const { return rows_.row().id; }

    void column(sqlite3_context* context, int number) {
        const PacketRow& row = rows_.row();
        switch (static_cast<PacketColumn>(number)) {
            case PacketColumn::flow:
                return sqlite3_result_int64(context, row.flow.value);
            case PacketColumn::name:
                return give(context, file_->name_of(row.flow));
            case PacketColumn::kind:
                return sqlite3_result_text(context, kind_text(row.kind), -1, SQLITE_STATIC);
            case PacketColumn::seq:
                return give(context, row.seq);
            case PacketColumn::at_ns:
                return sqlite3_result_int64(context, row.at);
            case PacketColumn::sent_at_ns:
                return give(context, row.sent_at);
            case PacketColumn::size:
                return give(context, row.size);
            case PacketColumn::delay_us:
                return give_us(context, row.delay);
            case PacketColumn::delay_ns:
                return give(context, row.delay);
            case PacketColumn::rtt_us:
                return give_us(context, row.rtt);
            case PacketColumn::lateness_us:
                return give_us(context, row.lateness);
            case PacketColumn::batch:
                return give(context, row.batch);
            case PacketColumn::ttl:
                return give(context, row.ttl);
            case PacketColumn::ds_byte:
                return give(context, row.ds_byte);
            case PacketColumn::reflected_at_ns:
                return give(context, row.reflected_at);
            case PacketColumn::replied_at_ns:
                return give(context, row.replied_at);
            case PacketColumn::file:
                return give(context, path_);
            case PacketColumn::sender_file:
                return give(context, sender_path_);
        }
    }

private:
    /// A join asks for the same log again and again: it is looked for once.
    void open_logs(LogShelf& shelf, const PacketArguments& arguments) {
        if (file_ != nullptr and path_ == arguments.file and sender_path_ == arguments.sender_file) {
            return;
        }
        if (arguments.file.empty()) {
            throw UsageError(
                "which log? Its name is missing, empty or NULL: say groma_packets('recv.glog'), or "
                "groma_packets('recv.glog', 'send.glog')");
        }
        clock_.reset();
        file_ = shelf.open(arguments.file);
        if (not arguments.sender_file.empty()) {
            clock_ = std::make_shared<const ClockState>(relate(*file_, *shelf.open(arguments.sender_file)));
        }
        path_ = arguments.file;
        sender_path_ = arguments.sender_file;
    }

    PacketRows rows_;
    std::string path_;
    std::string sender_path_;
    std::shared_ptr<PacketFile> file_;
    std::shared_ptr<const ClockState> clock_;
};

}  // namespace

const sqlite3_module& packets_module() noexcept {
    return TableModule<PacketCursor>::module();
}

}  // namespace groma
