#include "plots/command/kind_list.hpp"

#include <fmt/format.h>

#include <utility>

#include "plots/pictures/batch_pictures.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/pictures/run_kinds.hpp"

namespace groma {

namespace {

/// The kinds of one sort of file.
struct Sort {
    std::string heading;
    std::vector<std::pair<std::string, std::string>> kinds;  ///< name, what it shows
};

std::vector<Sort> sorts() {
    Sort runs{"decoded logs (groma-dec --sqlite)", {}};
    for (const RunKind& kind : run_kinds()) {
        runs.kinds.emplace_back(kind.stem, kind.shows);
    }
    Sort fits{"fitted traffic (groma-dec fit --sqlite)", {}};
    for (const FitKind& kind : fit_kinds()) {
        fits.kinds.emplace_back(kind.stem, kind.shows);
    }
    Sort batches{"repetitions (groma-dec batch --sqlite)", batch_kinds()};
    Sort calibrations{"calibrations (groma-send --calibrate)", calibration_kinds()};
    return {std::move(runs), std::move(fits), std::move(batches), std::move(calibrations)};
}

}  // namespace

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const Sort& sort : sorts()) {
        for (const auto& kind : sort.kinds) {
            names.push_back(kind.first);
        }
    }
    return names;
}

std::string kind_list() {
    std::string text;
    for (const Sort& sort : sorts()) {
        text += fmt::format("{}of {}:\n", text.empty() ? "" : "\n", sort.heading);
        for (const auto& [name, shows] : sort.kinds) {
            text += fmt::format("  {:<20} {}\n", name, shows);
        }
    }
    return text;
}

}  // namespace groma
