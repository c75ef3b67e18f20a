#include "decoder/files/octave_report.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

std::string assigned(const char* json) {
    return octave_assignment("x", Json::parse(json));
}

TEST(OctaveReport, HasALiteralForEveryValue) {
    EXPECT_EQ(assigned("1"), "x = 1;\n");
    EXPECT_EQ(assigned("-2.5"), "x = -2.5;\n");
    EXPECT_EQ(assigned("1e300"), "x = 1e+300;\n");
    EXPECT_EQ(assigned("0.1"), "x = 0.1;\n");
    EXPECT_EQ(assigned("null"), "x = NaN;\n");
    EXPECT_EQ(assigned("true"), "x = true;\n");
    EXPECT_EQ(assigned(R"("it's")"), "x = 'it''s';\n");
    EXPECT_EQ(assigned("[1, null, 3]"), "x = [1, NaN, 3];\n");
    EXPECT_EQ(assigned(R"(["a", "b"])"), "x = {'a', 'b'};\n");
    EXPECT_EQ(assigned("[]"), "x = [];\n");
    EXPECT_EQ(assigned("{}"), "x = struct();\n");
    EXPECT_EQ(assigned(R"({"b": {"c": 1}, "a": 2})"), "x.b.c = 1;\nx.a = 2;\n");
}

TEST(OctaveReport, NumbersThatADoubleDoesNotHoldAreTexts) {
    EXPECT_EQ(assigned("9007199254740992"), "x = 9007199254740992;\n");
    EXPECT_EQ(assigned("1700000000000000001"), "x = '1700000000000000001';\n");
    EXPECT_EQ(assigned("18446744073709551615"), "x = '18446744073709551615';\n");
    EXPECT_EQ(assigned("-9223372036854775808"), "x = '-9223372036854775808';\n");
}

TEST(OctaveReport, RowsOfNumbersBecomeColumns) {
    EXPECT_EQ(assigned(R"([{"t": 0, "n": 5}, {"t": 1, "n": null}])"), "x.t = [\n0\n1\n];\nx.n = [\n5\nNaN\n];\n");
    EXPECT_EQ(assigned(R"([{"t": 0, "n": "a"}, {"t": 1}])"), "x(1).t = 0;\nx(1).n = 'a';\nx(2).t = 1;\n");
}

TEST(OctaveReport, NobodyCanPutAStatementIntoIt) {
    EXPECT_EQ(octave_text("');\nsystem('rm -rf /');%"), "'''); system(''rm -rf /'');%'");
    EXPECT_EQ(octave_text(std::string("a\0b\x7f\xff", 5)), "'a b \xef\xbf\xbd'");
    EXPECT_EQ(assigned(R"({"a=1;b": 1, "a_1_b": 2, "": 3, "2": 4, "\u00e9": 5})"),
              "x.a_1_b = 1;\nx.a_1_b_2 = 2;\nx.x = 3;\nx.x2 = 4;\nx.x__ = 5;\n");
    EXPECT_EQ(octave_assignment("x", Json{{std::string(200, 'n'), 1}}).size(), 2 + 52 + 6U);
}

TEST(OctaveReport, HasTheMembersOfTheJsonReport) {
    std::string script;
    write_octave_report(small_pair().analyzed(), [&](std::string_view piece) { script += piece; });
    for (const char* line : {"groma.runs(1).experiment = 'sample';\n", "groma.runs(1).flows(1).received_packets = 3;\n",
                             "groma.runs(1).flows(1).lost = 1;\n", "groma.runs(1).flows(1).series.t_s = [\n0\n];\n",
                             "groma.runs(1).total.received_packets = 3;\n", "groma.complete = true;\n"}) {
        EXPECT_NE(script.find(line), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace groma
