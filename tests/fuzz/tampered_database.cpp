#include "tests/fuzz/tampered_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr int kSampleRows = 6;

// A byte of the input below their number stands for one of these; above, for a small number.
constexpr std::array kValues{"NULL",
                             "''",
                             "-1",
                             "9223372036854775807",
                             "(-9223372036854775807 - 1)",
                             "4294967296",
                             "1e308",
                             "-1e308",
                             "9e999",
                             "-9e999",
                             "5e-324",
                             "0.5",
                             "1e15",
                             "1000000000",
                             "'nan'",
                             "'12 and more'",
                             "x'ff00fe'",
                             "zeroblob(3000)",
                             "printf('%.*c', 3000, 'x')",
                             "char(27) || '[2J' || char(10) || '# a'",
                             "'it''s \"@home\" `id` $x % {/Bold b}_2^3 \\'",
                             "'..'",
                             "'../../elsewhere'",
                             "'/elsewhere'",
                             "'a/b'",
                             "'complete'",
                             "'incomplete'",
                             "'delay'",
                             "'reordering_extent'",
                             "'loss_distance'",
                             "'relative'",
                             "'Größe "
                             "\xe2\x80\xae"
                             "'"};

std::string value_of(Choices& choices) {
    const std::size_t byte = choices.next();
    return byte < kValues.size() ? kValues[byte] : std::to_string(byte - kValues.size());
}

std::vector<std::string> names(const SQLite::Database& database, const std::string& query) {
    std::vector<std::string> all;
    SQLite::Statement row(database, query);
    while (row.executeStep()) {
        all.push_back(fmt::format("\"{}\"", row.getColumn(0).getString()));
    }
    return all;
}

std::vector<std::string> tables_of(const SQLite::Database& database) {
    return names(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
}

std::vector<std::string> columns_of(const SQLite::Database& database, const std::string& table) {
    return names(database, "SELECT name FROM pragma_table_info(" + table + ") ORDER BY cid");
}

std::string row_of_values(std::size_t count, const std::function<std::string(std::size_t)>& value) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text.append(i == 0 ? "" : ", ").append(value(i));
    }
    return text;
}

/// One statement; empty if there is no such table any more.
std::string next_statement(const SQLite::Database& database, Choices& choices) {
    const std::vector<std::string> tables = tables_of(database);
    if (tables.empty()) {
        return {};
    }
    const std::size_t what = choices.below(16);
    const std::string& table = tables[choices.next() % tables.size()];
    const std::vector<std::string> columns = columns_of(database, table);
    const std::string& column = columns[choices.next() % columns.size()];
    switch (what) {
        case 0:
            return "DELETE FROM " + table;
        case 1:
            return "DROP TABLE " + table;
        case 2:
            return "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO other";
        case 3:
            return fmt::format("PRAGMA user_version = {}", choices.next());
        case 4:  // no types, no constraints
            return fmt::format(
                "CREATE TABLE loose AS SELECT * FROM {0}; DROP TABLE {0}; ALTER TABLE loose RENAME TO {0}", table);
        case 5:
            return fmt::format("DELETE FROM {} WHERE rowid = {}", table, choices.below(kSampleRows) + 1);
        case 6:
            return fmt::format(
                "INSERT OR REPLACE INTO {} SELECT {} FROM {} WHERE rowid = {}", table,
                row_of_values(columns.size(),
                              [&](std::size_t i) { return columns[i] == column ? value_of(choices) : columns[i]; }),
                table, choices.below(kSampleRows) + 1);
        case 7:
            return "INSERT OR REPLACE INTO " + table + " VALUES(" +
                   row_of_values(columns.size(), [&](std::size_t) { return value_of(choices); }) + ")";
        default:
            break;
    }
    const std::string set = fmt::format("UPDATE OR REPLACE {} SET {} = {}", table, column, value_of(choices));
    return what % 2 == 0 ? set : fmt::format("{} WHERE rowid = {}", set, choices.below(kSampleRows) + 1);
}

void open_writable(SQLite::Database& database, const DatabaseBytes& base) {
    auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(base.size()));
    check(copy != nullptr, "there is memory");
    std::ranges::transform(base, copy, [](std::byte byte) { return std::to_integer<unsigned char>(byte); });
    const auto size = static_cast<sqlite3_int64>(base.size());
    check(sqlite3_deserialize(database.getHandle(), "main", copy, size, size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK,
          "a sample is a database");
}

DatabaseBytes bytes_of(SQLite::Database& database) {
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(database.getHandle(), "main", &size, 0);
    check(bytes != nullptr, "a database has bytes");
    const auto all = std::as_bytes(std::span(bytes, static_cast<std::size_t>(size)));
    DatabaseBytes copy(all.begin(), all.end());
    sqlite3_free(bytes);
    return copy;
}

}  // namespace

DatabaseBytes sample_database(const std::string& schema, const DatabaseKind& kind, const UsualValue& usual_value) {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(fmt::format("PRAGMA page_size = 1024; PRAGMA application_id = {}; PRAGMA user_version = {};",
                              kind.application_id, kind.version) +
                  schema);
    for (const std::string& table : tables_of(database)) {
        const std::vector<std::string> columns = columns_of(database, table);
        for (int row = 0; row < kSampleRows; ++row) {
            const std::string values = row_of_values(columns.size(), [&](std::size_t i) {
                const std::string usual = usual_value(columns[i].substr(1, columns[i].size() - 2), row);
                return usual.empty() ? std::to_string(row + 1) : usual;
            });
            database.exec("INSERT OR IGNORE INTO " + table + " VALUES(" + values + ")");
        }
    }
    return bytes_of(database);
}

DatabaseBytes base_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto all = std::as_bytes(std::span(bytes));
    DatabaseBytes base(all.begin(), all.end());
    // Without a write-ahead log, so that the database can be changed in memory (SQLite's file format, 1.3.3).
    constexpr std::size_t kWriteVersion = 18;
    base.at(kWriteVersion) = base.at(kWriteVersion + 1) = std::byte{1};
    return base;
}

void tampered(const DatabaseBytes& base, Choices choices, const std::filesystem::path& file) {
    constexpr int kMostStatements = 60;
    const bool of_bytes = choices.below(4) == 0;
    DatabaseBytes bytes = base;
    if (not of_bytes) {
        SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        open_writable(database, base);
        database.exec("PRAGMA ignore_check_constraints = ON");
        for (int i = 0; i < kMostStatements and choices.more(); ++i) {
            database.tryExec(next_statement(database, choices));
        }
        bytes = bytes_of(database);
    }
    while (of_bytes and choices.more()) {
        const std::size_t at = choices.below(256) << 16U | choices.below(256) << 8U | choices.below(256);
        bytes[at % bytes.size()] = static_cast<std::byte>(choices.next());
    }
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace groma
