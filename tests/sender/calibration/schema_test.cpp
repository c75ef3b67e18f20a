#include "sender/calibration/schema.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/figure_pages.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

constexpr std::string_view kHead = R"(# Figures of a calibration

Names, types and meanings of the columns of `points` in the database of a
[calibration](../guide/calibration.md). Figures of the sender's report have the names that they have
there ([report-figures.md](report-figures.md)). This page is made of the tables of figures in the
sources: `calibration_tests` fails where it differs, and writes it if `GROMA_WRITE_DOCS` is set. What
is unknown is NULL, never zero.
)";

TEST(PointColumns, AreWhatTheirPageSays) {
    std::string page(kHead);
    describe_table(page, "A point", point_columns());
    expect_written(std::string(GROMA_TEST_DATA) + "/../docs/reference/calibration-figures.md", page);
}

TEST(PointColumns, HaveEachNameOnce) {
    std::set<std::string> names{"id"};
    for (const FigureHead& head : point_columns()) {
        EXPECT_TRUE(names.insert(head.name).second) << head.name;
    }
}

}  // namespace
}  // namespace groma
