// groma-plot: pictures of results.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "common/cli/run_main.hpp"
#include "plots/options.hpp"
#include "plots/plot_results.hpp"

namespace {

int program_body(const std::vector<std::string>& arguments) {
    const groma::PlotOptions options = groma::parse_plot_options(arguments);
    switch (options.command) {
        case groma::PlotCommand::help:
            std::fputs(groma::plot_help().c_str(), stdout);
            return groma::kExitOk;
        case groma::PlotCommand::version:
            std::puts("groma-plot " GROMA_VERSION);
            return groma::kExitOk;
        case groma::PlotCommand::draw:
            break;
    }
    groma::plot_results(options, std::cout, std::cerr);
    return groma::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-plot", [&] { return program_body({argv + 1, argv + argc}); });
}
