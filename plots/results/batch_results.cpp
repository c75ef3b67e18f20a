#include "plots/results/batch_results.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxName = 40;

std::string name_at(const SQLite::Statement& row, int column) {
    return plain_text(text_at(row, column), kMaxName);
}

using Groups = std::map<std::int64_t, BatchGroup>;

Groups read_groups(const SQLite::Database& database) {
    Groups groups;
    SQLite::Statement ids(database, "SELECT id FROM groups");
    while (ids.executeStep()) {
        groups[ids.getColumn(0).getInt64()] = {};
    }
    SQLite::Statement values(database, "SELECT \"group\", key, value, number FROM group_keys");
    while (values.executeStep()) {
        groups[values.getColumn(0).getInt64()].keys[name_at(values, 1)] = {name_at(values, 2), number_at(values, 3)};
    }
    return groups;
}

void read_group_figures(const SQLite::Database& database, Groups& groups) {
    SQLite::Statement figures(database, "SELECT \"group\", figure, mean, mean_low, mean_high FROM group_figures");
    while (figures.executeStep()) {
        if (const auto mean = number_at(figures, 2)) {
            groups[figures.getColumn(0).getInt64()].figures[text_at(figures, 1)] = {
                *mean, number_at(figures, 3), number_at(figures, 4), {}};
        }
    }
    SQLite::Statement single(database, "SELECT \"group\", figure, value FROM group_values");
    while (single.executeStep()) {
        auto& known = groups[single.getColumn(0).getInt64()].figures;
        const auto found = known.find(text_at(single, 1));
        if (const auto value = number_at(single, 2); value and found != known.end()) {
            found->second.values.push_back(*value);
        }
    }
}

BatchResults read_all(const SQLite::Database& database) {
    BatchResults results;
    SQLite::Statement about(database, "SELECT name, confidence FROM about");
    if (about.executeStep()) {
        results.title = name_at(about, 0);
        results.confidence = number_at(about, 1).value_or(results.confidence);
    }
    SQLite::Statement keys(database, "SELECT name FROM keys ORDER BY position");
    while (keys.executeStep()) {
        results.keys.push_back(name_at(keys, 0));
    }
    Groups groups = read_groups(database);
    read_group_figures(database, groups);
    for (auto& [id, group] : groups) {
        results.groups.push_back(std::move(group));
    }
    return results;
}

}  // namespace

std::vector<std::string> BatchResults::varied_keys() const {
    std::vector<std::string> varied;
    for (const std::string& key : keys) {
        const auto value = [&](const BatchGroup& group) {
            const auto found = group.keys.find(key);
            return found == group.keys.end() ? BatchValue() : found->second;
        };
        if (std::ranges::any_of(groups,
                                [&](const BatchGroup& group) { return value(group) != value(groups.front()); })) {
            varied.push_back(key);
        }
    }
    return varied;
}

bool is_batch(const std::filesystem::path& file) noexcept {
    return is_of_kind(file, kRepetitionsDatabase);
}

BatchResults read_batch_results(const std::filesystem::path& file) {
    return read_database(file, kRepetitionsDatabase, read_all);
}

}  // namespace groma
