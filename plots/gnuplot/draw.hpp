// Lets gnuplot draw pictures into files. A picture has its name only when it is whole.
#pragma once

#include <filesystem>
#include <string_view>

#include "plots/gnuplot/gnuplot_script.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Draws into DIRECTORY/STEM.EXTENSION, which is replaced; of more points than anybody can see, a choice
/// (reduction.hpp). `style`: gnuplot statements (style.hpp). Returns: that path. Throws: SystemError when the file
/// cannot be made, RunError when gnuplot is missing or fails, with what it said.
std::filesystem::path draw(const Picture& picture, PictureFormat format, const std::filesystem::path& directory,
                           std::string_view style);

}  // namespace groma
