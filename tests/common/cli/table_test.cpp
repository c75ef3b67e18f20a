#include "common/cli/table.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(Table, AlignsNumbersToTheRightAndNamesToTheLeft) {
    Table table({{"flow", Align::left}, {"sent [pps]"}});
    table.add_row({"voice", "50"});
    table.add_row({"a longer name", "12500"});
    EXPECT_EQ(table.to_string(2),
              "  flow           sent [pps]\n"
              "  voice                  50\n"
              "  a longer name       12500\n");
}

TEST(Table, CountsCharactersAndNotBytes) {
    Table table({{"flow", Align::left}, {"n"}});
    table.add_row({"été", "1"});
    table.add_row({"ete", "2"});
    EXPECT_EQ(table.to_string(),
              "flow  n\n"
              "été   1\n"
              "ete   2\n");
}

TEST(Table, ShowsControlCharactersFromAPeerInsteadOfObeyingThem) {
    Table table({{"state", Align::left}});
    table.add_row({"\x1b[2J"});
    EXPECT_EQ(table.to_string(), "state\n\\x1b[2J\n");
}

TEST(Table, LeavesNoTrailingSpaces) {
    Table table({{"flow", Align::left}, {"warning", Align::left}});
    table.add_row({"a", ""});
    EXPECT_EQ(table.to_string(), "flow  warning\na\n");
}

}  // namespace
}  // namespace groma
