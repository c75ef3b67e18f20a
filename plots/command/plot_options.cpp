#include "plots/command/plot_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "common/base/nearest.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "plots/command/kind_list.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFiles = 1000;

constexpr std::array kRows = {
    OptionRow{"-o", ValueKind::required, "DIR", "Pictures",
              "write the pictures there; the directory is made if need be (default: this directory)"},
    OptionRow{"--format", ValueKind::required, "LIST", "Pictures",
              "the formats of the pictures: svg, png, pdf, or several: svg,pdf (default: svg)"},
    OptionRow{"--only", ValueKind::required, "LIST", "Pictures",
              "only these kinds of pictures, such as delay,gap-cdf (default: all)"},
    OptionRow{"--list", ValueKind::none, "", "Pictures", "print which kinds of pictures there are, and exit"},
    OptionRow{"--flows", ValueKind::required, "LIST", "Pictures",
              "draw only these flows, by number: 1,2,5 (default: all)", "A calibration and a batch have none."},
    OptionRow{"--compare", ValueKind::none, "", "Pictures",
              "draw the runs of one file in one picture, a curve for the total of each; several files are compared "
              "anyway"},
    OptionRow{"--title", ValueKind::required, "TEXT", "Looks",
              "text over the pictures instead of the experiment's name"},
    OptionRow{"--style", ValueKind::required, "FILE", "Looks",
              "gnuplot statements that are run after the built-in style: fonts, sizes, colours, dashes"},
    OptionRow{"--print-style", ValueKind::none, "", "Looks", "print the built-in style, and exit"},
};

/// What is done instead of drawing.
constexpr std::array kInstead = {
    std::pair{"--help", PlotCommand::help},
    std::pair{"--version", PlotCommand::version},
    std::pair{"--list", PlotCommand::list},
    std::pair{"--print-style", PlotCommand::style},
};

constexpr CommandTable kTable = {
    .program = "groma-plot",
    .summary = "draws results of groma-dec, or a calibration, with gnuplot",
    .usage = "RESULTS.sqlite [OPTIONS]\nA.sqlite B.sqlite... [OPTIONS]\nDIR/calibration.db [OPTIONS]",
    .rows = kRows,
    .words_name = "RESULTS.sqlite",
    .most_words = kMostFiles,
    .examples =
        "  groma-dec send.glog recv.glog --sqlite results.sqlite\n"
        "  groma-plot results.sqlite -o pictures --format svg,png\n"
        "  groma-plot monday.sqlite tuesday.sqlite --only delay-cdf,throughput\n"
        "  groma-plot calibration/calibration.db -o calibration\n",
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char byte : text) {
        if (byte == ',') {
            parts.emplace_back();
        } else {
            parts.back() += byte;
        }
    }
    return parts;
}

std::optional<PictureFormat> format_named(const std::string& name) {
    for (const PictureFormat format : {PictureFormat::svg, PictureFormat::png, PictureFormat::pdf}) {
        if (name == extension(format)) {
            return format;
        }
    }
    return std::nullopt;
}

void read_formats(const std::string& text, PlotOptions& options, UsageErrors& errors) {
    options.formats.clear();
    for (const std::string& part : split(text)) {
        const auto format = format_named(part);
        if (not format) {
            errors.add("--format '" + part + "': give svg, png or pdf, or several: svg,pdf");
        } else if (std::ranges::find(options.formats, *format) == options.formats.end()) {
            options.formats.push_back(*format);
        }
    }
}

void read_kinds(const std::string& text, PlotOptions& options, UsageErrors& errors) {
    const std::vector<std::string> names = kind_names();
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const std::string& part : split(text)) {
        if (std::ranges::find(known, part) != known.end()) {
            options.only.push_back(part);
            continue;
        }
        errors.add("--only '" + part + "': there is no such kind of picture" + did_you_mean(part, known) +
                   " (groma-plot --list names them all)");
    }
}

void read_flows(const std::string& text, PlotOptions& options, UsageErrors& errors) {
    for (const std::string& part : split(text)) {
        std::int64_t flow = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), flow);
        if (error != std::errc{} or end != part.data() + part.size() or flow < 1) {
            errors.add("--flows '" + part + "': give numbers of flows from 1 on, such as 1,2,5");
        } else {
            options.flows.push_back(flow);
        }
    }
}

}  // namespace

bool PlotOptions::wants(const std::string& kind) const {
    return only.empty() or std::ranges::find(only, kind) != only.end();
}

const CommandTable& plot_option_table() {
    return kTable;
}

PlotOptions parse_plot_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    PlotOptions options;
    for (const auto& [option, command] : kInstead) {
        if (line.has(option)) {
            options.command = command;
            return options;
        }
    }
    UsageErrors errors(line);
    if (const auto formats = line.value("--format")) {
        read_formats(*formats, options, errors);
    }
    if (const auto flows = line.value("--flows")) {
        read_flows(*flows, options, errors);
    }
    if (const auto kinds = line.value("--only")) {
        read_kinds(*kinds, options, errors);
    }
    options.title = line.value("--title");
    options.compare = line.has("--compare");
    if (const auto style = line.value("--style")) {
        options.style = *style;
    }
    options.directory = line.value("-o").value_or(".");
    if (line.words().empty()) {
        errors.add("give the results to draw: groma-plot RESULTS.sqlite (groma-dec LOG... --sqlite makes them)");
    } else {
        options.files.assign(line.words().begin(), line.words().end());
    }
    errors.throw_if_any();
    return options;
}

}  // namespace groma
