#include "common/sqlite/figure_rows.hpp"

#include <type_traits>
#include <variant>

namespace groma {

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

std::string insert_statement(std::string_view table, const std::vector<std::string_view>& columns) {
    std::string names;
    std::string places;
    for (const std::string_view column : columns) {
        names.append(names.empty() ? "" : ", ").append(column);
        places.append(places.empty() ? "?" : ", ?");
    }
    return std::string("INSERT INTO ").append(table) + '(' + names + ") VALUES (" + places + ')';
}

}  // namespace groma
