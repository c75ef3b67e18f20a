#include "common/sqlite/figure_rows.hpp"

#include <type_traits>
#include <variant>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// `INSERT INTO table("column", ...) VALUES (?, ...)`.
std::string insert_statement(std::string_view table, const std::vector<std::string_view>& columns) {
    std::string names;
    std::string places;
    for (const std::string_view column : columns) {
        names.append(names.empty() ? "\"" : ", \"").append(column).append("\"");
        places.append(places.empty() ? "?" : ", ?");
    }
    return std::string("INSERT INTO ").append(table) + '(' + names + ") VALUES (" + places + ')';
}

}  // namespace

std::string_view sqlite_type(FigureType type) {
    switch (type) {
        case FigureType::integer:
        case FigureType::flag:
            return "INTEGER";
        case FigureType::real:
            return "REAL";
        case FigureType::text:
            break;
    }
    return "TEXT";
}

void bind_figure(SQLite::Statement& statement, int index, const FigureValue& value) {
    std::visit(
        [&](const auto& known) {
            using Known = std::decay_t<decltype(known)>;
            if constexpr (std::is_integral_v<Known>) {
                statement.bind(index, static_cast<std::int64_t>(known));
            } else if constexpr (not std::is_same_v<Known, std::monostate>) {
                statement.bind(index, known);
            }
        },
        value);
}

TableRows::TableRows(SQLite::Database& database, std::string_view table, const std::vector<std::string_view>& columns)
    : columns_(static_cast<int>(columns.size())), statement_(database, insert_statement(table, columns)) {}

void TableRows::end_row() {
    check(bound_ == columns_, "a row has a value for each of its columns");
    statement_.exec();
    statement_.reset();
    statement_.clearBindings();
    bound_ = 0;
}

}  // namespace groma
