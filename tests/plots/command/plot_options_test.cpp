#include "plots/command/plot_options.hpp"

#include <gtest/gtest.h>

#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(PlotOptions, AreInTheHelpAndInTheManPage) {
    expect_documented(plot_option_table(), GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
