// A run as one self-contained HTML file, for the appendix of a paper (docs/guide/report.md).
#pragma once

#include <string>
#include <vector>

#include "decoder/results/results.hpp"

namespace groma {

struct ReportPicture {
    std::size_t run = 0;  ///< its place among the results' runs
    std::string stem;     ///< "delay-cdf"
    std::string svg;
};

struct ReportContent {
    std::string title;  ///< empty: the experiment's name
    std::string command;
    const Results& results;
    std::vector<std::string> warnings;  ///< besides those of the results
    std::vector<ReportPicture> pictures;
    std::string no_pictures_because;  ///< when there are none
    std::string experiment_file;      ///< its text; empty: unknown
    std::string experiment_path;
};

/// No scripts, no external links; a style sheet for screen and print. Its size does not grow with the number of flows.
[[nodiscard]] std::string html_report(const ReportContent& content);

}  // namespace groma
