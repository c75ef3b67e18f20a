// Pictures on their way to disk: in all formats that were asked for, in one style, each path printed.
#pragma once

#include <iosfwd>
#include <string>

#include "plots/command/plot_options.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

class PictureWriter {
public:
    /// Makes the directory. `options` and `out` outlive it. Throws: SystemError.
    PictureWriter(const PlotOptions& options, std::ostream& out);

    /// Throws: SystemError, RunError.
    void write(const Picture& picture);
    [[nodiscard]] bool wants(const std::string& kind) const { return options_.wants(kind); }
    [[nodiscard]] std::size_t written() const { return written_; }

private:
    const PlotOptions& options_;
    std::ostream& out_;
    std::string style_;
    std::size_t written_ = 0;
};

}  // namespace groma
