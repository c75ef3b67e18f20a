#include "plots/gnuplot_script.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "common/base/plain_text.hpp"

namespace groma {

namespace {

// Okabe and Ito 2008: told apart by all common kinds of colour vision; in an order of falling contrast to white.
constexpr std::array kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
// Numbers of colours, dashes and points have no common divisor where it matters: 35 curves differ without colour.
constexpr std::array kDashes = {1, 2, 4, 5, 3};
constexpr std::array kPoints = {7, 4, 8, 2, 12, 6, 1};
constexpr int kMarks = 10;
constexpr std::size_t kMostKeysBelow = 5;
constexpr std::size_t kMaxNameBytes = 48;
constexpr std::size_t kMaxTitleBytes = 110;

constexpr std::string_view kStyle = R"(set encoding utf8
set border 3 lc rgb '#444444'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lt 1 lw 0.7
set style fill solid 0.25 noborder
)";

std::string_view terminal(PictureFormat format) {
    return format == PictureFormat::svg
               ? "set terminal svg size 960,540 dynamic background rgb 'white' font 'sans-serif,13' noenhanced\n"
               : "set terminal pngcairo size 1280,720 font 'sans,13' noenhanced\n";
}

/// Bytes that do not form UTF-8 would make an SVG that no viewer reads.
bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80                     ? 1
                                   : lead >= 0xc2 and lead <= 0xdf ? 2
                                   : lead >= 0xe0 and lead <= 0xef ? 3
                                   : lead >= 0xf0 and lead <= 0xf4 ? 4
                                                                   : 0;
        if (length == 0 or at + length > text.size()) {
            return false;
        }
        for (std::size_t i = 1; i < length; ++i) {
            if ((static_cast<unsigned char>(text[at + i]) & 0xc0U) != 0x80U) {
                return false;
            }
        }
        at += length;
    }
    return true;
}

using Output = std::back_insert_iterator<std::string>;

void append_data(std::string& script, const Picture& picture) {
    std::size_t block = 0;
    for (const Band& band : picture.bands) {
        fmt::format_to(Output(script), "$d{} << EOD\n", block++);
        for (const auto& piece : band.pieces) {
            for (const BandPoint& point : piece) {
                fmt::format_to(Output(script), "{} {} {}\n", point.x, point.low, point.high);
            }
            script += '\n';
        }
        script += "EOD\n";
    }
    for (const Curve& curve : picture.curves) {
        fmt::format_to(Output(script), "$d{} << EOD\n", block++);
        for (const auto& piece : curve.pieces) {
            for (const PicturePoint& point : piece) {
                fmt::format_to(Output(script), "{} {}\n", point.x, point.y);
            }
            script += '\n';
        }
        script += "EOD\n";
    }
    for (const Curve& curve : picture.curves) {
        if (curve.bars.empty()) {
            continue;
        }
        fmt::format_to(Output(script), "$d{} << EOD\n", block++);
        for (const BandPoint& bar : curve.bars) {
            fmt::format_to(Output(script), "{} {} {}\n", bar.x, bar.low, bar.high);
        }
        script += "EOD\n";
    }
}

void append_ticks(std::string& script, std::string_view axis, const std::vector<AxisTick>& ticks) {
    if (ticks.empty()) {
        return;
    }
    fmt::format_to(Output(script), "set {}tics (", axis);
    for (const AxisTick& tick : ticks) {
        fmt::format_to(Output(script), "{}{} {}", &tick == ticks.data() ? "" : ", ",
                       gnuplot_string(tick.label, kMaxNameBytes), tick.at);
    }
    script += ")\n";
}

void append_axes(std::string& script, const Picture& picture) {
    fmt::format_to(Output(script),
                   "set title {} noenhanced\nset xlabel {} noenhanced offset 0,0.4\nset ylabel {} noenhanced\n",
                   gnuplot_string(picture.title, kMaxTitleBytes), gnuplot_string(picture.x_label, kMaxTitleBytes),
                   gnuplot_string(picture.y_label, kMaxTitleBytes));
    if (picture.log_x) {
        script += "set logscale x\n";
    }
    if (picture.log_y) {
        script += "set logscale y\n";
    }
    append_ticks(script, "x", picture.x_ticks);
    append_ticks(script, "y", picture.y_ticks);
    fmt::format_to(Output(script), "set xrange [{}:{}]\nset yrange [{}:{}]\n", picture.x_range.low,
                   picture.x_range.high, picture.y_range.low, picture.y_range.high);
    const std::size_t entries = picture.bands.size() + picture.curves.size();
    script += entries > kMostKeysBelow ? "set key outside right top vertical noenhanced\n"
                                       : "set key outside bottom center horizontal height 0.6 noenhanced\n";
}

std::string look_of(const Curve& curve) {
    const char* colour = kColours[curve.look % kColours.size()];
    const int dash = kDashes[curve.look % kDashes.size()];
    const int point = kPoints[curve.look % kPoints.size()];
    switch (curve.stroke) {
        case Stroke::wide:
            // Half transparent, so that a curve on top of it is seen with and without colour.
            return fmt::format("with lines lw 7 lc rgb '#A0{}'", colour + 1);
        case Stroke::thin:
            return fmt::format("with lines lw 1 dt {} lc rgb '{}'", dash, colour);
        case Stroke::solid:
            break;
    }
    return curve.marked ? fmt::format("with linespoints lw 1.6 dt {} pt {} ps 0.8 pn {} lc rgb '{}'", dash, point,
                                      kMarks, colour)
                        : fmt::format("with lines lw 1.6 dt {} lc rgb '{}'", dash, colour);
}

void append_plot(std::string& script, const Picture& picture) {
    script += "plot ";
    std::size_t block = 0;
    for (const Band& band : picture.bands) {
        fmt::format_to(Output(script), "{}$d{} using 1:2:3 with filledcurves lc rgb '{}' title {}",
                       block > 0 ? ", " : "", block, kColours.front(), gnuplot_string(band.name, kMaxNameBytes));
        ++block;
    }
    for (const Curve& curve : picture.curves) {
        fmt::format_to(Output(script), "{}$d{} using 1:2 {} title {}", block > 0 ? ", " : "", block, look_of(curve),
                       gnuplot_string(curve.name, kMaxNameBytes));
        ++block;
    }
    for (const Curve& curve : picture.curves) {
        if (not curve.bars.empty()) {
            fmt::format_to(
                Output(script),
                ", $d{} using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed lw 1.2 lc rgb '{}' notitle",
                block++, kColours[curve.look % kColours.size()]);
        }
    }
    script += '\n';
}

}  // namespace

std::string_view extension(PictureFormat format) {
    return format == PictureFormat::svg ? "svg" : "png";
}

std::string gnuplot_string(std::string_view text, std::size_t limit) {
    std::string plain = plain_text(text, limit);
    if (not is_utf8(plain)) {
        for (char& byte : plain) {
            byte = static_cast<unsigned char>(byte) < 0x80 ? byte : '?';
        }
    }
    std::string quoted = "'";
    for (const char byte : plain) {
        quoted += byte;
        if (byte == '\'') {
            quoted += '\'';
        }
    }
    return quoted + '\'';
}

std::string gnuplot_script(const Picture& picture, PictureFormat format, const std::filesystem::path& file) {
    std::string script(terminal(format));
    script += kStyle;
    std::string quoted = "'";
    for (const char byte : file.string()) {
        quoted += byte == '\'' ? std::string("''") : std::string(1, byte);
    }
    script += "set output " + quoted + "'\n";
    append_data(script, picture);
    append_axes(script, picture);
    append_plot(script, picture);
    script += "set output\n";
    return script;
}

}  // namespace groma
