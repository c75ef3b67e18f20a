#include "decoder/figures.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace groma {
namespace {

constexpr std::string_view kHead = R"(# Figures: names and meanings

This page has the names, types and meanings of the figures in results files (`groma-dec --sqlite`)
and CSV. JSON has all figures except the first ones under the same names
([decoder-output.md](decoder-output.md)). The page is made from the tables of figures in the
sources: `decoder_tests` fails if it differs, and writes it if `GROMA_WRITE_DOCS` is set.
[metrics.md](metrics.md) has formulas and sources. A name ends with the unit: `_ns`, `_s`, `_bps`
(bits per second), `_pps` (packets per second). An unknown value is `NULL` in SQLite, `null` in
JSON, empty in CSV: never zero.
)";

std::string_view type_name(FigureType type) {
    switch (type) {
        case FigureType::integer:
            return "integer";
        case FigureType::real:
            return "real";
        case FigureType::flag:
            return "flag";
        case FigureType::text:
            break;
    }
    return "text";
}

template <typename Record>
void describe_table(std::string& page, std::string_view title, const FigureTable<Record>& table) {
    page.append("\n## ").append(title).append("\n\n| figure | type | meaning |\n|---|---|---|\n");
    for (const Figure<Record>& figure : table) {
        page.append("| `").append(figure.name).append("` | ").append(type_name(figure.type)).append(" | ");
        for (const char c : figure.meaning) {
            page.append(c == '|' ? "\\|" : std::string(1, c));
        }
        page += " |\n";
    }
}

std::string page() {
    std::string page(kHead);
    describe_table(page, "Flows, groups, and all flows together", flow_figures());
    describe_table(page, "Series: an interval of a flow", series_figures());
    describe_table(page, "Samples of connections", sample_figures());
    describe_table(page, "Steps of clocks", clock_step_figures());
    describe_table(page, "Unreadable pieces of logs", log_gap_figures());
    return page;
}

TEST(FigureTables, AreWhatTheirPageSays) {
    const std::string file = std::string(GROMA_TEST_DATA) + "/../docs/reference/figures.md";
    if (std::getenv("GROMA_WRITE_DOCS") != nullptr) {
        std::ofstream(file) << page();
    }
    std::ostringstream written;
    written << std::ifstream(file).rdbuf();
    EXPECT_EQ(written.str(), page()) << "run decoder_tests with GROMA_WRITE_DOCS=1";
}

TEST(FigureTables, HaveEachNameOnce) {
    std::set<std::string> names;
    for (const Figure<FlowFigures>& figure : flow_figures()) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        EXPECT_FALSE(figure.meaning.empty()) << figure.name;
    }
}

TEST(FigureTables, KnowNothingOfAFlowWithoutLogs) {
    const FlowFigures nothing;
    for (const Figure<FlowFigures>& figure : flow_figures()) {
        if (figure.name != "clock" and figure.name != "loss_pattern_unknown_because") {
            EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.of(nothing))) << figure.name;
        }
    }
}

}  // namespace
}  // namespace groma
