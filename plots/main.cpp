// groma-plot: pictures of results.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "common/cli/run_main.hpp"
#include "plots/command/kind_list.hpp"
#include "plots/command/plot_options.hpp"
#include "plots/command/plot_results.hpp"
#include "plots/gnuplot/style.hpp"

namespace {

int program_body(const std::vector<std::string>& arguments) {
    const groma::PlotOptions options = groma::parse_plot_options(arguments);
    switch (options.command) {
        case groma::PlotCommand::help:
            std::fputs(groma::help_text(groma::plot_option_table()).c_str(), stdout);
            return groma::kExitOk;
        case groma::PlotCommand::version:
            std::puts("groma-plot " GROMA_VERSION);
            return groma::kExitOk;
        case groma::PlotCommand::list:
            std::fputs(groma::kind_list().c_str(), stdout);
            return groma::kExitOk;
        case groma::PlotCommand::style:
            std::fputs(std::string(groma::built_in_style()).c_str(), stdout);
            return groma::kExitOk;
        case groma::PlotCommand::draw:
            break;
    }
    groma::plot_results(options, std::cout, std::cerr);
    return groma::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-plot", argc, argv, program_body);
}
