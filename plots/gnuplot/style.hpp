// How pictures look: gnuplot statements, the same for all of them (plots/gnuplot/style.gnuplot).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace groma {

/// Defines svg_terminal, png_terminal, pdf_terminal and the line types: 1 to 35 of curves, 101 of what was asked for,
/// 201 of extremes, 301 of areas.
[[nodiscard]] std::string_view built_in_style();

/// The built-in style, followed by a file of the user's. Throws: SystemError when it cannot be read.
[[nodiscard]] std::string style_with(const std::filesystem::path& file);

}  // namespace groma
