#include "plots/command/picture_writer.hpp"

#include <ostream>

#include "common/base/errors.hpp"
#include "plots/gnuplot/draw.hpp"
#include "plots/gnuplot/style.hpp"

namespace groma {

PictureWriter::PictureWriter(const PlotOptions& options, std::ostream& out)
    : options_(options), out_(out), style_(options.style ? style_with(*options.style) : built_in_style()) {
    std::error_code error;
    std::filesystem::create_directories(options.directory, error);
    if (error) {
        throw SystemError("make the directory " + options.directory.string(), error.value());
    }
}

void PictureWriter::write(const Picture& picture) {
    for (const PictureFormat format : options_.formats) {
        out_ << draw(picture, format, options_.directory, style_).string() << '\n' << std::flush;
        ++written_;
    }
}

}  // namespace groma
