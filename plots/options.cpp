#include "plots/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"

namespace groma {

namespace {

constexpr std::array kRows = {
    OptionRow{"-o", ValueKind::required, "DIR", "Pictures",
              "write them there (default: this directory); made if need be"},
    OptionRow{"--format", ValueKind::required, "LIST", "Pictures", "svg, png, or both: svg,png (default svg)"},
    OptionRow{"--flows", ValueKind::required, "LIST", "Pictures", "only these flows, by number: 1,2,5 (default: all)"},
    OptionRow{"--title", ValueKind::required, "TEXT", "Pictures",
              "stands over the pictures instead of the experiment's name"},
};

constexpr CommandTable kTable = {
    .program = "groma-plot",
    .summary = "draws the results of groma-dec --sqlite, or a calibration, with gnuplot",
    .usage = "RESULTS.sqlite [OPTIONS]\nDIR/calibration.db [OPTIONS]",
    .rows = kRows,
    .words_name = "RESULTS.sqlite",
    .most_words = 1,
    .examples =
        "  groma-dec send.glog recv.glog --sqlite results.sqlite\n"
        "  groma-plot results.sqlite -o pictures --format svg,png\n"
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

void read_formats(const std::string& text, PlotOptions& options, std::vector<std::string>& mistakes) {
    options.formats.clear();
    for (const std::string& part : split(text)) {
        if (part != "svg" and part != "png") {
            mistakes.push_back("--format '" + part + "': give svg, png, or svg,png");
            continue;
        }
        const PictureFormat format = part == "svg" ? PictureFormat::svg : PictureFormat::png;
        if (std::ranges::find(options.formats, format) == options.formats.end()) {
            options.formats.push_back(format);
        }
    }
}

void read_flows(const std::string& text, PlotOptions& options, std::vector<std::string>& mistakes) {
    for (const std::string& part : split(text)) {
        std::int64_t flow = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), flow);
        if (error != std::errc{} or end != part.data() + part.size() or flow < 1) {
            mistakes.push_back("--flows '" + part + "': give numbers of flows from 1 on, such as 1,2,5");
        } else {
            options.flows.push_back(flow);
        }
    }
}

}  // namespace

std::string plot_help() {
    return help_text(kTable);
}

PlotOptions parse_plot_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    PlotOptions options;
    if (line.has("--help") or line.has("--version")) {
        options.command = line.has("--help") ? PlotCommand::help : PlotCommand::version;
        return options;
    }
    std::vector<std::string> mistakes = line.mistakes();
    if (const auto formats = line.value("--format")) {
        read_formats(*formats, options, mistakes);
    }
    if (const auto flows = line.value("--flows")) {
        read_flows(*flows, options, mistakes);
    }
    options.title = line.value("--title");
    options.directory = line.value("-o").value_or(".");
    if (line.words().empty()) {
        mistakes.emplace_back(
            "give the results to draw: groma-plot RESULTS.sqlite (groma-dec LOG... --sqlite makes them)");
    } else {
        options.results = line.words().front();
    }
    std::string all;
    for (const std::string& mistake : mistakes) {
        all += (all.empty() ? "" : "\n") + mistake;
    }
    if (not all.empty()) {
        throw UsageError(all);
    }
    return options;
}

}  // namespace groma
