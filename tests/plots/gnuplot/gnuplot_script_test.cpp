#include "plots/gnuplot/gnuplot_script.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/child_process.hpp"
#include "common/os/temporary_folder.hpp"
#include "plots/gnuplot/style.hpp"
#include "tests/awkward_names.hpp"

namespace groma {
namespace {

TEST(GnuplotString, CannotBeLeftByWhatIsInIt) {
    EXPECT_EQ(gnuplot_string("plain", 50), "'plain'");
    EXPECT_EQ(gnuplot_string("it's", 50), R"('it'."'".'s')");
    EXPECT_EQ(gnuplot_string("a\nset output '/x'", 50), R"('a\x0aset output '."'".'/x'."'".'')");
    EXPECT_EQ(gnuplot_string("@a", 50), "'@'.'a'");
    EXPECT_EQ(gnuplot_string("`id` \"x\" \\", 50), "'`id` \"x\" \\'");
}

TEST(GnuplotString, IsUtf8WhateverItIsMadeOf) {
    EXPECT_EQ(gnuplot_string("\xc3\xbc", 50), "'\xc3\xbc'");
    EXPECT_EQ(gnuplot_string("a\xff", 50), "'a\\xff'");
    EXPECT_EQ(gnuplot_string("aaa\xc3\xbc", 4), "'aaa...'");
}

TEST(GnuplotScript, HoldsEveryPointAndNoWordThatIsFormatted) {
    Picture picture;
    picture.title = "{/Bold t}";
    picture.curves = {{"c", 0, Stroke::solid, true, {{{1, 2}, {3, 4}}, {{5, 6}}}}};
    const std::string script = gnuplot_script(picture, PictureFormat::svg, "x'y.svg", {});
    EXPECT_NE(script.find("$d0 << EOD\n1 2\n3 4\n\n5 6\n\nEOD\n"), std::string::npos) << script;
    EXPECT_NE(script.find("set title '{/Bold t}' noenhanced"), std::string::npos);
    EXPECT_NE(script.find(R"(set output 'x'."'".'y.svg')"), std::string::npos);
}

/// The words of `NAME = "..."` in the style.
std::vector<std::string> words_of(const std::string& name) {
    const std::string style(built_in_style());
    const std::size_t start = style.find("\n" + name + " = \"");
    std::istringstream text(
        style.substr(start + name.size() + 5, style.find('"', start + name.size() + 5) - start - name.size() - 5));
    return {std::istream_iterator<std::string>(text), {}};
}

TEST(GnuplotScript, TellsCurvesApartWithoutColour) {
    const auto dashes = words_of("dashes");
    const auto marks = words_of("marks");
    ASSERT_GT(dashes.size(), 1U);
    ASSERT_GT(marks.size(), 1U);
    std::set<std::pair<std::string, std::string>> looks;
    for (std::size_t i = 0; i < 35; ++i) {
        looks.emplace(dashes[i % dashes.size()], marks[i % marks.size()]);
    }
    EXPECT_EQ(looks.size(), 35U);
}

TEST(GnuplotScript, GivesEachCurveALineTypeOfTheStyle) {
    Picture picture;
    for (std::size_t i = 0; i < 20; ++i) {
        picture.curves.push_back({"c", i, Stroke::solid, true, {{{1, 2}}}});
    }
    picture.curves.push_back({"", 2, Stroke::wide, false, {{{1, 2}}}});
    const std::string script = gnuplot_script(picture, PictureFormat::pdf, "x.pdf", "# a style\n");
    EXPECT_EQ(script.find("# a style\neval 'set terminal '.pdf_terminal\n"), 0U);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_NE(script.find("with linespoints linetype " + std::to_string(i + 1) + " "), std::string::npos) << i;
    }
    EXPECT_NE(script.find("with lines linetype 103 notitle"), std::string::npos);
}

/// Everything that a picture can have.
Picture full_picture() {
    Picture picture;
    picture.title = "all";
    picture.x_range = {0, 4};
    picture.y_range = {0, 3};
    picture.slanted_ticks = true;
    picture.x_ticks = {{1, "one {/Bold 1}"}, {2, "two"}};
    picture.bands = {{"band", {{{0, 1, 2}, {1, 1, 2}}}, 0, true}};
    picture.boxes = {{1, 0.5, 0.8, 1, 1.2, 2.5}, {2, 1, 1, 1, 1, 1}};
    picture.curves = {{.name = "bars", .pieces = {{{1, 1}}}, .bars = {{1, 0.5, 2}}},
                      {"dots", 1, Stroke::dots, true, {{{1, 1}}}},
                      {"thin", 2, Stroke::thin, false, {{{1, 1}, {2, 2}}}},
                      {"wide", 3, Stroke::wide, false, {{{1, 1}, {2, 2}}}}};
    return picture;
}

/// gnuplot's messages when it draws the picture and discards it.
std::string words_of_gnuplot(const Picture& picture, PictureFormat format) {
    const ChildResult result =
        run_child({"gnuplot", "-d"}, gnuplot_script(picture, format, "/dev/null", built_in_style()));
    return result.status == 0 ? result.output : "failed: " + result.output;
}

TEST(GnuplotScript, OfEverythingIsDrawnWithoutAWarning) {
    for (const PictureFormat format : {PictureFormat::svg, PictureFormat::png, PictureFormat::pdf}) {
        EXPECT_EQ(words_of_gnuplot(full_picture(), format), "") << extension(format);
    }
}

/// The words in an SVG file.
std::string words_in(const std::filesystem::path& svg) {
    std::ifstream in(svg);
    std::string text(std::istreambuf_iterator<char>(in), {});
    for (const auto& [escaped, character] : {std::pair{"&lt;", "<"},
                                             {"&gt;", ">"},
                                             {"&quot;", "\""},
                                             {"&apos;", "'"},
                                             {"&#39;", "'"},
                                             {"&#160;", " "},
                                             {"\u00a0", " "},
                                             {"&amp;", "&"}}) {
        for (std::size_t at = 0; (at = text.find(escaped, at)) != std::string::npos; ++at) {
            text.replace(at, std::string_view(escaped).size(), character);
        }
    }
    return text;
}

/// The awkward ones, and the corpus of the fuzzer of names.
std::vector<std::string> names_of_all_kinds() {
    std::vector<std::string> names(kAwkwardNames.begin(), kAwkwardNames.end());
    for (const auto& entry : std::filesystem::directory_iterator(GROMA_TEST_DATA "/fuzz/corpus/names")) {
        std::ifstream in(entry.path(), std::ios::binary);
        names.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return names;
}

/// The beginning that is shown of a text of any length.
std::string start_of(const std::string& text) {
    constexpr std::size_t kAlwaysShown = 48;
    std::string start = plain_text(text, kAlwaysShown);
    return text.size() > kAlwaysShown ? start.substr(0, start.find_last_not_of('.') + 1) : start;
}

TEST(GnuplotScript, DrawsWhateverThingsAreCalled) {
    const TemporaryFolder folder("groma-names");
    const auto file = folder.path() / "it's ''a'' picture.svg";
    for (const std::string& name : names_of_all_kinds()) {
        Picture picture = full_picture();
        picture.title = "title" + name;
        picture.x_label = picture.y_label = name;
        picture.x_ticks = {{1, name}, {2, "tick" + name}};
        picture.bands.front().name = picture.curves.front().name = name;
        picture.curves.back().name = "curve" + name;
        const std::string script = gnuplot_script(picture, PictureFormat::svg, file, built_in_style());
        const ChildResult result = run_child({"gnuplot", "-d"}, script);
        ASSERT_EQ(result.output, "") << plain_text(name);
        const std::string words = words_in(file);
        for (const std::string& word : {picture.title, picture.x_ticks.back().label, picture.curves.back().name}) {
            EXPECT_NE(words.find(start_of(word)), std::string::npos) << plain_text(word);
        }
    }
}

TEST(GnuplotScript, NamesSeveralValuesOfAScaleOfColoursBelowADecade) {
    Picture picture;
    picture.cells = {{{0, 1}, {0, 1}, 31, ""}, {{1, 2}, {0, 1}, 460, ""}};
    picture.log_cells = true;
    EXPECT_NE(
        gnuplot_script(picture, PictureFormat::svg, "x.svg", {}).find("set cbtics ('50' 50, '100' 100, '200' 200)"),
        std::string::npos);
}

TEST(GnuplotScript, OfCellsIsDrawnWithoutAWarning) {
    Picture picture;
    picture.cells = {{{0, 1}, {0, 1}, 5, "5 ms"}, {{1, 2}, {0, 1}, 50, "it's"}};
    picture.cell_label = "value";
    picture.x_range = {0, 2};
    EXPECT_EQ(words_of_gnuplot(picture, PictureFormat::png), "");
    picture.log_cells = true;
    EXPECT_EQ(words_of_gnuplot(picture, PictureFormat::png), "");
    picture.cells.pop_back();
    EXPECT_EQ(words_of_gnuplot(picture, PictureFormat::png), "");
    picture.log_cells = false;
    picture.cells.front().value = 0;
    EXPECT_EQ(words_of_gnuplot(picture, PictureFormat::png), "");
}

TEST(Style, OfTheUserStandsBehindTheBuiltInOne) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "style.gp";
    std::ofstream(file) << "set grid linewidth 9";
    const std::string style = style_with(file);
    std::filesystem::remove(file);
    EXPECT_EQ(style.find(built_in_style()), 0U);
    EXPECT_TRUE(style.ends_with("set grid linewidth 9\n"));
    EXPECT_THROW((void)style_with(file), SystemError);
    EXPECT_THROW((void)style_with(file.parent_path()), SystemError);
}

}  // namespace
}  // namespace groma
