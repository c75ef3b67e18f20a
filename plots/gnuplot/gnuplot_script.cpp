#include "plots/gnuplot/gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "common/base/plain_text.hpp"
#include "plots/gnuplot/data_blocks.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"

namespace groma {

namespace {

// Line types of the style: plots/gnuplot/style.gnuplot.
constexpr std::size_t kLooks = 35;
constexpr std::size_t kFirstCurve = 1;
constexpr std::size_t kFirstWide = 101;
constexpr std::size_t kFirstThin = 201;
constexpr std::size_t kFirstArea = 301;
constexpr int kMarks = 10;
constexpr std::size_t kMostKeysBelow = 5;
constexpr std::size_t kMaxNameBytes = 48;
constexpr std::size_t kMaxTitleBytes = 130;

std::string_view terminal(PictureFormat format) {
    switch (format) {
        case PictureFormat::svg:
            return "eval 'set terminal '.svg_terminal\n";
        case PictureFormat::png:
            return "eval 'set terminal '.png_terminal\n";
        case PictureFormat::pdf:
            break;
    }
    return "eval 'set terminal '.pdf_terminal\n";
}

using Output = std::back_insert_iterator<std::string>;

/// Between single quotes gnuplot obeys nothing. A single quote itself stands between double ones: doubled, as gnuplot's
/// manual has it, it is not read at the beginning of a string, nor after another one (5.4). Macros ("@NAME") are
/// expanded before strings are read, also in a string after such a quote: no name follows an '@'.
std::string in_quotes(std::string_view text) {
    std::string all = "'";
    for (const char byte : text) {
        all += byte == '\''  ? std::string_view("'.\"'\".'")
               : byte == '@' ? std::string_view("@'.'")
                             : std::string_view(&byte, 1);
    }
    return all + '\'';
}

/// Labels of ticks are formats of printf.
std::string tick_label(const std::string& label) {
    std::string format;
    for (const char byte : plain_text(label, kMaxNameBytes)) {
        format.append(byte == '%' ? 2 : 1, byte);
    }
    return in_quotes(format);
}

void append_ticks(std::string& script, std::string_view axis, const std::vector<AxisTick>& ticks) {
    if (ticks.empty()) {
        return;
    }
    fmt::format_to(Output(script), "set {}tics (", axis);
    for (const AxisTick& tick : ticks) {
        fmt::format_to(Output(script), "{}{} {}", &tick == ticks.data() ? "" : ", ", tick_label(tick.label), tick.at);
    }
    script += ")\n";
}

AxisRange range_of(const std::vector<Cell>& cells) {
    AxisRange range{cells.front().value, cells.front().value};
    for (const Cell& cell : cells) {
        range = {std::min(range.low, cell.value), std::max(range.high, cell.value)};
    }
    return range;
}

void append_cell_labels(std::string& script, const std::vector<Cell>& cells) {
    const auto [low, high] = range_of(cells);
    for (const Cell& cell : cells) {
        if (not cell.label.empty()) {
            fmt::format_to(Output(script), "set label {} at {},{} center front noenhanced textcolor rgb '{}'\n",
                           gnuplot_string(cell.label, kMaxNameBytes), (cell.x.low + cell.x.high) / 2,
                           (cell.y.low + cell.y.high) / 2, cell.value > (low + high) / 2 ? "#ffffff" : "#000000");
        }
    }
    // Of a single value gnuplot makes no scale of colours.
    if (low >= high) {
        fmt::format_to(Output(script), "set cbrange [{}:{}]\n", low > 0 ? low / 2 : low - 1,
                       low > 0 ? low * 2 : low + 1);
    }
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
    if (picture.slanted_ticks) {
        script += "set xtics rotate by -35 left\n";
    }
    fmt::format_to(Output(script), "set xrange [{}:{}]\nset yrange [{}:{}]\n", picture.x_range.low,
                   picture.x_range.high, picture.y_range.low, picture.y_range.high);
    const std::size_t entries = picture.bands.size() + picture.curves.size();
    script += picture.cells.empty()
                  ? (entries > kMostKeysBelow ? "set key outside right top vertical noenhanced\n"
                                              : "set key outside bottom center horizontal height 0.6 noenhanced\n")
                  : "unset key\n";
    if (not picture.cells.empty()) {
        fmt::format_to(Output(script), "set cblabel {} noenhanced\n",
                       gnuplot_string(picture.cell_label, kMaxTitleBytes));
        if (picture.log_cells) {
            script += "set logscale cb\n";
            append_ticks(script, "cb", logarithmic_ticks(range_of(picture.cells), number_label));
        }
        append_cell_labels(script, picture.cells);
    }
}

std::string style_of(const Curve& curve) {
    const std::size_t look = curve.look % kLooks;
    switch (curve.stroke) {
        case Stroke::wide:
            return fmt::format("with lines linetype {}", kFirstWide + look);
        case Stroke::thin:
            return fmt::format("with lines linetype {}", kFirstThin + look);
        case Stroke::dots:
            return fmt::format("with points linetype {} pointsize 0.7", kFirstCurve + look);
        case Stroke::solid:
            break;
    }
    return curve.marked ? fmt::format("with linespoints linetype {} pointnumber {}", kFirstCurve + look, kMarks)
                        : fmt::format("with lines linetype {}", kFirstCurve + look);
}

std::string key_of(const std::string& name) {
    return name.empty() ? "notitle" : "title " + gnuplot_string(name, kMaxNameBytes);
}

/// Writes the data; returns what plots it, back to front.
std::vector<std::string> append_data(std::string& script, const Picture& picture) {
    DataBlocks blocks(script);
    std::vector<std::string> elements;
    if (not picture.cells.empty()) {
        elements.push_back(blocks.add(picture.cells) +
                           " using 1:2:3:4:5:6:7 with boxxyerror fill solid noborder linecolor palette notitle");
    }
    for (const Band& band : picture.bands) {
        elements.push_back(fmt::format("{} using 1:2:3 with filledcurves linetype {} {}", blocks.add(band),
                                       kFirstArea + band.look % kLooks, key_of(band.name)));
    }
    if (not picture.boxes.empty()) {
        const std::string block = blocks.add(picture.boxes);
        elements.push_back(
            fmt::format("{} using 1:3:2:6:5 notitle with candlesticks whiskerbars 0.5 linetype {} "
                        "dashtype 1 linewidth 1.2 fill solid 0.25 border",
                        block, kFirstCurve));
        elements.push_back(
            fmt::format("{} using 1:4:4:4:4 with candlesticks linetype {} linewidth 3 notitle", block, kFirstCurve));
    }
    for (const Curve& curve : picture.curves) {
        elements.push_back(blocks.add(curve) + " using 1:2 " + style_of(curve) + " " + key_of(curve.name));
    }
    for (const Curve& curve : picture.curves) {
        if (not curve.bars.empty()) {
            elements.push_back(fmt::format(
                "{} using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 fixed linetype {} dashtype 1 notitle",
                blocks.add(curve.bars), kFirstThin + curve.look % kLooks));
        }
    }
    return elements;
}

void append_plot(std::string& script, const std::vector<std::string>& elements) {
    script += "plot ";
    for (const std::string& element : elements) {
        script += (&element == elements.data() ? "" : ", ") + element;
    }
    script += '\n';
}

}  // namespace

std::string_view extension(PictureFormat format) {
    switch (format) {
        case PictureFormat::svg:
            return "svg";
        case PictureFormat::png:
            return "png";
        case PictureFormat::pdf:
            break;
    }
    return "pdf";
}

std::string gnuplot_string(std::string_view text, std::size_t limit) {
    return in_quotes(plain_text(text, limit));
}

std::string gnuplot_script(const Picture& picture, PictureFormat format, const std::filesystem::path& file,
                           std::string_view style) {
    std::string script(style);
    script += terminal(format);
    script += "set output " + in_quotes(file.string()) + "\n";
    const std::vector<std::string> elements = append_data(script, picture);
    append_axes(script, picture);
    append_plot(script, elements);
    script += "set output\n";
    return script;
}

}  // namespace groma
