#include "plots/gnuplot_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace groma {
namespace {

TEST(GnuplotString, CannotBeLeftByWhatIsInIt) {
    EXPECT_EQ(gnuplot_string("plain", 50), "'plain'");
    EXPECT_EQ(gnuplot_string("it's", 50), "'it''s'");
    EXPECT_EQ(gnuplot_string("a\nset output '/x'", 50), "'a\\x0aset output ''/x'''");
    EXPECT_EQ(gnuplot_string("`id` \"x\" \\", 50), "'`id` \"x\" \\'");
}

TEST(GnuplotString, IsUtf8WhateverItIsMadeOf) {
    EXPECT_EQ(gnuplot_string("\xc3\xbc", 50), "'\xc3\xbc'");
    EXPECT_EQ(gnuplot_string("a\xff", 50), "'a?'");
    EXPECT_EQ(gnuplot_string("aaa\xc3\xbc", 4), "'aaa?...'");
}

TEST(GnuplotScript, HoldsEveryPointAndNoWordThatIsFormatted) {
    Picture picture;
    picture.title = "{/Bold t}";
    picture.curves = {{"c", 0, Stroke::solid, true, {{{1, 2}, {3, 4}}, {{5, 6}}}}};
    const std::string script = gnuplot_script(picture, PictureFormat::svg, "x'y.svg");
    EXPECT_NE(script.find("$d0 << EOD\n1 2\n3 4\n\n5 6\n\nEOD\n"), std::string::npos) << script;
    EXPECT_NE(script.find("set title '{/Bold t}' noenhanced"), std::string::npos);
    EXPECT_NE(script.find("set output 'x''y.svg'"), std::string::npos);
}

TEST(GnuplotScript, TellsCurvesApartWithoutColour) {
    Picture picture;
    for (std::size_t i = 0; i < 20; ++i) {
        picture.curves.push_back({"c", i, Stroke::solid, true, {{{1, 2}}}});
    }
    const std::string script = gnuplot_script(picture, PictureFormat::png, "x.png");
    std::string plot = script.substr(script.find("\nplot "));
    std::vector<std::string> looks;
    for (std::size_t at = 0; (at = plot.find(" dt ", at)) != std::string::npos; ++at) {
        looks.push_back(plot.substr(at, plot.find(" ps ", at) - at));
    }
    ASSERT_EQ(looks.size(), 20U);
    std::ranges::sort(looks);
    EXPECT_EQ(std::ranges::adjacent_find(looks), looks.end());
}

}  // namespace
}  // namespace groma
