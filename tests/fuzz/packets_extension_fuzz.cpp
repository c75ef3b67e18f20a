// Reads any bytes as a log through SQLite: groma_packets.so must find the records of a sequential reader, and refuse
// what that one refuses.
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/base/errors.hpp"
#include "common/log/log_reader.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace groma;  // a program of one file

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Database open_database() {
    sqlite3* opened = nullptr;
    check(sqlite3_open(":memory:", &opened) == SQLITE_OK, "there is memory");
    Database database(opened, sqlite3_close);
    sqlite3_enable_load_extension(opened, 1);
    check(sqlite3_load_extension(opened, GROMA_PACKETS_MODULE, nullptr, nullptr) == SQLITE_OK,
          "the extension is there");
    return database;
}

std::string sql_text(const std::string& text) {
    std::string quoted = "'";
    quoted += text;
    quoted += "'";
    return quoted;
}

/// The number that a query gives; empty if it fails.
std::optional<std::int64_t> number(sqlite3* database, const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(database, sql.c_str(), -1, &prepared, nullptr) == SQLITE_OK, "the query is right");
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared, sqlite3_finalize);
    return sqlite3_step(prepared) == SQLITE_ROW ? std::optional<std::int64_t>(sqlite3_column_int64(prepared, 0))
                                                : std::nullopt;
}

class Counter final : public LogVisitor {
public:
    void on_sent(FlowId /*flow*/, std::span<const SentRecord> found) override { add(found.size()); }
    void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> found) override { add(found.size()); }
    void on_returned(FlowId /*flow*/, std::span<const RoundTripRecord> found) override { add(found.size()); }
    void on_transmitted(FlowId /*flow*/, std::span<const TransmitRecord> found) override { add(found.size()); }
    void on_gap(const LogGap& /*gap*/) override { ++gaps; }

    std::int64_t records = 0;
    std::int64_t gaps = 0;

private:
    void add(std::size_t count) { records += static_cast<std::int64_t>(count); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Database database = open_database();
    const auto input = std::as_bytes(std::span(data, size));
    const MemoryFile file(input);
    const std::string path = sql_text(file.path());
    const auto ask = [&](const std::string& what, const std::string& rest = {}) {
        return number(database.get(), "SELECT " + what + "(" + path + ")" + rest);
    };
    Counter expected;
    try {
        read_log(input, "input", expected);
    } catch (const ParseError&) {
        check(not ask("count(*) FROM groma_packets"), "what is no log is refused");
        return 0;
    }
    check(ask("count(*) FROM groma_packets") == expected.records, "every record is a row");
    check(ask("count(*) FROM groma_packets", " WHERE flow >= 0 AND at_ns IS NOT NULL") == expected.records, "again");
    check(ask("count(*) FROM groma_gaps", " WHERE reason != 'log cut short: totals missing'") == expected.gaps,
          "and every gap");
    (void)ask("total(delay_us) + total(rtt_us) + total(size) + total(length(name)) FROM groma_packets",
              " WHERE seq BETWEEN 10 AND 300 AND at_ns > 1700000000000000000");
    check(not number(database.get(), "SELECT count(*) FROM groma_packets(" + path + ", " + path + ")"),
          "a log is no other side of itself");
    return 0;
}
