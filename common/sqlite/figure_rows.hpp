// Figures as columns of a table in an SQLite file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/figures/figure.hpp"

namespace groma {

/// "INTEGER", "REAL", "TEXT"; flags are 0 and 1.
[[nodiscard]] std::string_view sqlite_type(FigureType type);

/// Binds nothing if the figure is unknown: unbound columns are NULL. Throws: SQLite::Exception.
void bind_figure(SQLite::Statement& statement, int index, const FigureValue& value);

/// `, "name" TYPE` for each.
template <typename Record>
[[nodiscard]] std::string column_definitions(const FigureTable<Record>& table) {
    std::string columns;
    for (const Figure<Record>& figure : table) {
        columns.append(", \"").append(figure.name).append("\" ").append(sqlite_type(figure.type));
    }
    return columns;
}

/// Fills a table row by row. Throws (all functions): SQLite::Exception.
class TableRows {
public:
    TableRows(SQLite::Database& database, std::string_view table, const std::vector<std::string_view>& columns);

    /// Adds a row. Requires: one value per column of the constructor.
    template <typename... Values>
    void add(const Values&... values) {
        (bind(figure_value(values)), ...);
        end_row();
    }

    /// The next column's value.
    void bind(const FigureValue& value) { bind_figure(statement_, ++bound_, value); }
    void end_row();

private:
    int columns_;
    int bound_ = 0;
    SQLite::Statement statement_;
};

/// Fills a table with one row per record: its keys, then its figures. Throws (all functions): SQLite::Exception.
template <typename Record>
class FigureRows {
public:
    /// `figures` outlives this object.
    FigureRows(SQLite::Database& database, std::string_view table, std::vector<std::string_view> keys,
               const FigureTable<Record>& figures)
        : figures_(figures), rows_(database, table, with_figures(std::move(keys), figures)) {}

    /// Requires: one value per key of the constructor.
    template <typename... Keys>
    void add(const Record& record, const Keys&... keys) {
        (rows_.bind(figure_value(keys)), ...);
        for (const Figure<Record>& figure : figures_) {
            rows_.bind(figure.of(record));
        }
        rows_.end_row();
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
    TableRows rows_;
};

}  // namespace groma
