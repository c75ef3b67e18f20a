// The command line of groma-plot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"

namespace groma {

enum class PlotCommand : std::uint8_t { draw, list, style, help, version };

struct PlotOptions {
    PlotCommand command = PlotCommand::draw;
    std::vector<std::filesystem::path> files;  ///< results; several of decoded logs are compared
    std::filesystem::path directory = ".";
    std::vector<PictureFormat> formats = {PictureFormat::svg};
    std::vector<std::int64_t> flows;  ///< empty: all
    std::vector<std::string> only;    ///< kinds of pictures; empty: all
    bool compare = false;             ///< the runs of one file, in one picture each
    std::optional<std::string> title;
    std::optional<std::filesystem::path> style;

    [[nodiscard]] bool wants(const std::string& kind) const;
};

/// `arguments` without the program's name. Throws: UsageError with all errors.
[[nodiscard]] PlotOptions parse_plot_options(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& plot_option_table();

}  // namespace groma
