#include "decoder/extension/packet_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "decoder/extension/sqlite_glue.hpp"

namespace groma {

namespace {

/// A log is taken to be of so many packets: SQLite plans a query before anybody looks into the file.
constexpr double kRows = 1e7;
constexpr double kNoFile = 1e15;

/// A comparison as two letters of what xBestIndex tells xFilter: the column, and the operator as in "3 > seq": 'e' =,
/// 'l' <, 'L' <=, 'g' >, 'G' >=.
char operator_letter(int op) {
    switch (op) {
        case SQLITE_INDEX_CONSTRAINT_EQ:
            return 'e';
        case SQLITE_INDEX_CONSTRAINT_LT:
            return 'l';
        case SQLITE_INDEX_CONSTRAINT_LE:
            return 'L';
        case SQLITE_INDEX_CONSTRAINT_GT:
            return 'g';
        case SQLITE_INDEX_CONSTRAINT_GE:
            return 'G';
        default:
            return 0;
    }
}

char column_letter(int column) {
    switch (static_cast<PacketColumn>(column)) {
        case PacketColumn::flow:
            return 'f';
        case PacketColumn::kind:
            return 'k';
        case PacketColumn::seq:
            return 's';
        case PacketColumn::at_ns:
            return 't';
        case PacketColumn::file:
            return 'F';
        case PacketColumn::sender_file:
            return 'S';
        default:
            return 0;
    }
}

/// By how much a comparison is taken to lower the number of rows.
double selectivity(char column, char op) {
    if (column == 'k') {
        return 2;
    }
    if (op != 'e') {
        return 4;
    }
    return column == 'f' ? 50 : 1e5;
}

bool is_file(char column) {
    return column == 'F' or column == 'S';
}

/// A value that a column of whole numbers is compared with; nothing: not one that can be handed down.
std::optional<double> real_value(sqlite3_value* value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const double number = sqlite3_value_double(value);
    return std::abs(number) < kExact ? std::optional(number) : std::nullopt;
}

constexpr PacketRange kNothing{1, 0};

void narrow(PacketRange& range, char op, std::int64_t value) {
    if (op == 'e') {
        range.at_least(value);
        range.at_most(value);
    } else if (op == 'G') {
        range.at_least(value);
    } else if (op == 'L') {
        range.at_most(value);
    } else if (op == 'g' and value < std::numeric_limits<std::int64_t>::max()) {
        range.at_least(value + 1);
    } else if (op == 'l' and value > std::numeric_limits<std::int64_t>::min()) {
        range.at_most(value - 1);
    } else {
        range = kNothing;
    }
}

void narrow(PacketRange& range, char op, double value) {
    const auto below = static_cast<std::int64_t>(std::floor(value));
    const auto above = static_cast<std::int64_t>(std::ceil(value));
    if (below == above) {
        narrow(range, op, below);
    } else if (op == 'e') {
        range = kNothing;
    } else {
        op == 'g' or op == 'G' ? range.at_least(above) : range.at_most(below);
    }
}

void narrow(PacketRange& range, char op, sqlite3_value* value) {
    switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER:
            narrow(range, op, std::int64_t{sqlite3_value_int64(value)});
            return;
        case SQLITE_FLOAT:
            if (const auto number = real_value(value)) {
                narrow(range, op, *number);
            }
            return;
        case SQLITE_NULL:
            range = kNothing;  // no comparison with NULL is true
            return;
        default:
            return;  // SQLite compares itself
    }
}

void choose_kind(PacketQuery& query, sqlite3_value* value) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        return;
    }
    const std::string wanted = path_of(value);
    for (const BlockType kind : {BlockType::sent, BlockType::received, BlockType::round_trip, BlockType::transmitted}) {
        if (wanted == kind_text(kind)) {
            query.kind = kind;
            return;
        }
    }
    query.flow = kNothing;
}

void offer_plan(sqlite3_index_info& info, const std::string& chosen, double rows) {
    info.idxStr = sqlite3_mprintf("%s", chosen.c_str());
    if (info.idxStr == nullptr) {
        throw std::bad_alloc();
    }
    info.needToFreeIdxStr = 1;
    const bool by_flow = info.nOrderBy == 1 and info.aOrderBy[0].desc == 0 and
                         info.aOrderBy[0].iColumn == static_cast<int>(PacketColumn::flow);
    info.orderByConsumed = info.idxNum = by_flow ? 1 : 0;
    info.estimatedCost = rows;
    info.estimatedRows = static_cast<sqlite3_int64>(rows);
}

}  // namespace

const char* kind_text(BlockType kind) noexcept {
    switch (kind) {
        case BlockType::sent:
            return "sent";
        case BlockType::received:
            return "received";
        case BlockType::round_trip:
            return "returned";
        default:
            return "transmitted";
    }
}

int choose_constraints(sqlite3_index_info& info) {
    const std::span constraints(info.aConstraint, static_cast<std::size_t>(info.nConstraint));
    const std::span usage(info.aConstraintUsage, static_cast<std::size_t>(info.nConstraint));
    std::string chosen;
    double rows = kRows;
    int arguments = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const char column = column_letter(constraints[i].iColumn);
        const char op = operator_letter(constraints[i].op);
        if (column == 0 or op == 0 or ((is_file(column) or column == 'k') and op != 'e')) {
            continue;
        }
        if (constraints[i].usable == 0) {
            if (is_file(column)) {
                return SQLITE_CONSTRAINT;  // the file's name comes from a table that must be read before
            }
            continue;
        }
        chosen += column;
        chosen += op;
        usage[i].argvIndex = ++arguments;
        usage[i].omit = is_file(column) ? 1 : 0;
        rows = is_file(column) ? rows : std::max(1.0, rows / selectivity(column, op));
    }
    if (chosen.find('F') == std::string::npos) {
        // Also asked for the parts of an OR, when the file is named beside it: the worst of all plans, and an error if
        // there is no other.
        rows = kNoFile;
    }
    offer_plan(info, chosen, rows);
    return SQLITE_OK;
}

PacketArguments read_constraints(const PacketPlan& plan, int count, sqlite3_value** values) {
    PacketArguments found;
    found.query.by_flow = plan.by_flow != 0;
    const std::string_view letters(plan.chosen);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) and 2 * i + 1 < letters.size(); ++i) {
        const char op = letters[2 * i + 1];
        switch (letters[2 * i]) {
            case 'F':
                found.file = path_of(values[i]);
                break;
            case 'S':
                found.sender_file = path_of(values[i]);
                break;
            case 'k':
                choose_kind(found.query, values[i]);
                break;
            case 'f':
                narrow(found.query.flow, op, values[i]);
                break;
            case 's':
                narrow(found.query.seq, op, values[i]);
                break;
            default:
                narrow(found.query.at, op, values[i]);
        }
    }
    return found;
}

}  // namespace groma
