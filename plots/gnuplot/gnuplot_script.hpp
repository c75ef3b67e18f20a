// Pictures in gnuplot's language. Names and titles come from files and peers: they are quoted so that gnuplot neither
// runs nor formats them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "plots/gnuplot/picture.hpp"

namespace groma {

enum class PictureFormat : std::uint8_t { svg, png, pdf };

[[nodiscard]] std::string_view extension(PictureFormat format);  ///< "svg", "png", "pdf"

/// The script that draws `picture` into `file`. `style`: gnuplot statements (style.hpp).
[[nodiscard]] std::string gnuplot_script(const Picture& picture, PictureFormat format,
                                         const std::filesystem::path& file, std::string_view style);

/// `text` as a gnuplot string of the same characters: plain_text(), in quotes.
[[nodiscard]] std::string gnuplot_string(std::string_view text, std::size_t limit);

}  // namespace groma
