// Figures as columns of a table in an SQLite file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/figures/figure.hpp"

namespace groma {

/// "INTEGER", "REAL", "TEXT"; flags are 0 and 1.
[[nodiscard]] std::string_view sqlite_type(FigureType type);

/// Nothing when it is unknown: what is not bound is NULL. Throws: SQLite::Exception.
void bind_figure(SQLite::Statement& statement, int index, const FigureValue& value);

/// ", name TYPE" for each.
template <typename Record>
[[nodiscard]] std::string column_definitions(const FigureTable<Record>& table) {
    std::string columns;
    for (const Figure<Record>& figure : table) {
        columns.append(", ").append(figure.name).append(" ").append(sqlite_type(figure.type));
    }
    return columns;
}

/// "INSERT INTO table(columns) VALUES (?, ...)".
[[nodiscard]] std::string insert_statement(std::string_view table, const std::vector<std::string_view>& columns);

/// Fills a table, a record a row: what says which it is, then its figures. Throws (all functions): SQLite::Exception.
template <typename Record>
class FigureRows {
public:
    /// `figures` outlives it.
    FigureRows(SQLite::Database& database, std::string_view table, std::vector<std::string_view> keys,
               const FigureTable<Record>& figures)
        : figures_(figures),
          keys_(keys.size()),
          statement_(database, insert_statement(table, with_figures(std::move(keys), figures))) {}

    /// Requires: as many keys as the constructor was given.
    void add(std::initializer_list<FigureValue> keys, const Record& record) {
        check(keys.size() == keys_, "a row has a value for each of its keys");
        int index = 0;
        for (const FigureValue& key : keys) {
            bind_figure(statement_, ++index, key);
        }
        for (const Figure<Record>& figure : figures_) {
            bind_figure(statement_, ++index, figure.of(record));
        }
        statement_.exec();
        statement_.reset();
        statement_.clearBindings();
    }

private:
    static std::vector<std::string_view> with_figures(std::vector<std::string_view> columns,
                                                      const FigureTable<Record>& figures) {
        for (const Figure<Record>& figure : figures) {
            columns.push_back(figure.name);
        }
        return columns;
    }

    const FigureTable<Record>& figures_;
    std::size_t keys_;
    SQLite::Statement statement_;
};

}  // namespace groma
