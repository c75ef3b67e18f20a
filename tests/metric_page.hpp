// docs/reference/openmetrics.md, of which each program's table of metrics makes a part. With GROMA_WRITE_DOCS in the
// environment the part is written.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "common/metrics/exposition.hpp"
#include "tests/files.hpp"

namespace groma {

inline std::string metric_type_name(MetricType type) {
    return type == MetricType::counter     ? "counter"
           : type == MetricType::histogram ? "histogram"
           : type == MetricType::info      ? "info"
                                           : "gauge";
}

template <typename Record>
std::string metric_table(std::span<const MetricRow<Record>> rows) {
    std::string text = "| metric | type | labels | meaning |\n|---|---|---|---|\n";
    for (const MetricRow<Record>& row : rows) {
        std::string labels;
        for (const std::string_view label : row.head.labels) {
            labels += label.empty() ? "" : (labels.empty() ? "`" : ", `") + std::string(label) + "`";
        }
        text += "| `" + sample_name(row.head) + "` | " + metric_type_name(row.head.type) + " | " + labels + " | " +
                std::string(row.head.help) + " |\n";
    }
    return text;
}

/// The rules of names that scrapers and `promtool check metrics` go by.
inline void expect_well_named(const MetricHead& head) {
    const std::string name(head.name);
    EXPECT_TRUE(name.starts_with("groma_"));
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
    EXPECT_TRUE(head.unit.empty() or head.unit == "seconds" or head.unit == "bytes") << name;
    EXPECT_TRUE(head.unit.empty() or name.ends_with("_" + std::string(head.unit))) << name;
    for (const char* const taken : {"_total", "_info", "_count", "_sum", "_bucket", "_created"}) {
        EXPECT_FALSE(name.ends_with(taken)) << name;
    }
    EXPECT_TRUE(head.help.ends_with('.')) << name;
    EXPECT_EQ(head.help.find_first_of("|\n\"\\"), std::string_view::npos) << name;
}

/// The page's part between `## title` and the next heading is the table of these rows. `test_data`: GROMA_TEST_DATA.
template <typename Record>
void expect_on_page(std::string_view title, std::span<const MetricRow<Record>> rows, const std::string& test_data) {
    std::set<std::string_view> names;
    for (const MetricRow<Record>& row : rows) {
        EXPECT_TRUE(names.insert(row.head.name).second) << row.head.name << " has two rows";
        expect_well_named(row.head);
    }
    const std::string file = test_data + "/../docs/reference/openmetrics.md";
    std::string page = content_of(file);
    const std::size_t heading = page.find("\n## " + std::string(title) + "\n");
    ASSERT_NE(heading, std::string::npos) << file << " has no part '" << title << "'";
    const std::size_t begin = page.find("\n| metric", heading) + 1;
    const std::size_t end = std::min(page.find("\n\n", begin) + 1, page.size());
    ASSERT_NE(begin, 0U) << title;
    page.replace(begin, (end == 0 ? page.size() : end) - begin, metric_table(rows));
    expect_written(file, page);
}

}  // namespace groma
