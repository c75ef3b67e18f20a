// Lets gnuplot draw pictures into files: in all formats that were asked for, in one style, each path printed. A picture
// has its name only when it is whole.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "plots/gnuplot/gnuplot_script.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

class PictureWriter {
public:
    /// Makes the directory. `style`: gnuplot statements (style.hpp). `out` outlives it. Throws: SystemError.
    PictureWriter(std::filesystem::path directory, std::vector<PictureFormat> formats, std::string style,
                  std::ostream& out);

    /// Draws into DIRECTORY/STEM.EXTENSION, which is replaced; of more points than anybody can see, a choice
    /// (reduction.hpp). Throws: SystemError when the file cannot be made, RunError when gnuplot is missing or fails,
    /// with what it said.
    void write(const Picture& picture);

private:
    std::filesystem::path directory_;
    std::vector<PictureFormat> formats_;
    std::string style_;
    std::ostream& out_;
};

}  // namespace groma
