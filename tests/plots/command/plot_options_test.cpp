#include "plots/command/plot_options.hpp"

#include <gtest/gtest.h>

#include <array>

#include "plots/command/kind_list.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(PlotOptions, AreInTheHelpAndInTheManPage) {
    expect_documented(plot_option_table(), GROMA_TEST_DATA);
}

TEST(PlotOptions, CompleteInShells) {
    constexpr std::array kFormats{PictureFormat::svg, PictureFormat::png, PictureFormat::pdf};
    expect_completed({.table = plot_option_table(),
                      .words = {{"--format", named_words(kFormats, extension)}, {"--only", kind_names()}}},
                     GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
