#include "plots/command/kind_list.hpp"

#include <fmt/format.h>

#include <utility>

#include "plots/pictures/batch_pictures.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/pictures/run_kinds.hpp"

namespace groma {

namespace {

/// The kinds of pictures of one type of file.
struct KindGroup {
    std::string heading;
    std::vector<std::pair<std::string, std::string>> kinds;  ///< name, what it shows
};

std::vector<KindGroup> kind_groups() {
    KindGroup runs{"decoded logs (groma-dec --sqlite)", {}};
    for (const RunKind& kind : run_kinds()) {
        runs.kinds.emplace_back(kind.stem, kind.shows);
    }
    KindGroup fits{"fitted traffic (groma-dec fit --sqlite)", {}};
    for (const FitKind& kind : fit_kinds()) {
        fits.kinds.emplace_back(kind.stem, kind.shows);
    }
    KindGroup batches{"repetitions (groma-dec batch --sqlite)", batch_kinds()};
    KindGroup calibrations{"calibrations (groma-send --calibrate)", calibration_kinds()};
    return {std::move(runs), std::move(fits), std::move(batches), std::move(calibrations)};
}

}  // namespace

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const KindGroup& group : kind_groups()) {
        for (const auto& kind : group.kinds) {
            names.push_back(kind.first);
        }
    }
    return names;
}

std::string kind_list() {
    std::string text;
    for (const KindGroup& group : kind_groups()) {
        text += fmt::format("{}of {}:\n", text.empty() ? "" : "\n", group.heading);
        for (const auto& [name, shows] : group.kinds) {
            text += fmt::format("  {:<20} {}\n", name, shows);
        }
    }
    return text;
}

}  // namespace groma
