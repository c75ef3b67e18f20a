// The command line of groma-plot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plots/gnuplot_script.hpp"

namespace groma {

enum class PlotCommand : std::uint8_t { draw, help, version };

struct PlotOptions {
    PlotCommand command = PlotCommand::draw;
    std::filesystem::path results;
    std::filesystem::path directory = ".";
    std::vector<PictureFormat> formats = {PictureFormat::svg};
    std::vector<std::int64_t> flows;  ///< empty: all
    std::optional<std::string> title;
};

/// `arguments` without the program's name. Throws: UsageError with all mistakes.
[[nodiscard]] PlotOptions parse_plot_options(std::span<const std::string> arguments);

/// The text of --help.
[[nodiscard]] std::string plot_help();

}  // namespace groma
