// A tampered database of a calibration, with which groma-send --calibrate continues: it refuses with a message that
// names the folder, or measures points of its settings, none twice and none that exists, and ends. Its output is plain
// text. The input is that of tampered_database.hpp, after a byte that chooses the order of the settings.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/time/manual_clock.hpp"
#include "sender/calibration/calibrate.hpp"
#include "tests/fuzz/expect_message.hpp"
#include "tests/fuzz/tampered_database.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace {

using namespace groma;  // a program of one file
namespace fs = std::filesystem;

constexpr std::size_t kMostPoints = 300;  // that a calibration of two rates measures
constexpr std::size_t kEnough = 20;       // of one that has more

SenderOptions options_in(const fs::path& folder) {
    SenderOptions options;
    options.calibration.emplace();
    options.calibration->to.host = "beta";
    options.calibration->out = folder;
    return options;
}

/// Continues for this number of points, or fewer if there are more rates, on a host that keeps rates up to 1500 pps.
CalibrationOutcome go_on(const SenderOptions& options, std::size_t points) {
    ManualClock clock;
    std::set<Point> ran;
    std::string said;
    const auto run_point = [&](const CalibrationSettings& settings, const Point& point,
                               const std::function<void(const Facts&)>& check_receiver) -> std::optional<PointResult> {
        const std::vector<Series> series = series_of(settings);
        check(std::ranges::count(series, point.series) == 1 and ran.insert(point).second,
              "a point is none of the calibration's, or is measured twice");
        check(validate(flow_of(settings, point, options.calibration->to)).empty(), "a point cannot be measured");
        check(ran.size() <= kMostPoints, "a calibration has no end");
        points = settings.rates_pps.size() > 2 ? std::min(points, kEnough) : points;
        check_receiver({{"host", "beta"}});
        return measured(point, 1500);
    };
    CalibrationOutcome outcome = calibrate(options, 99,
                                           {.clock = clock,
                                            .stop_requests = [&] { return ran.size() < points ? 0U : 1U; },
                                            .show_progress = [&](const std::string& line) { said += line; },
                                            .say = [&](const std::string& line) { said += plain_text(line); },
                                            .draw = [](const fs::path&) { return "drawn"; },
                                            .sender = {{"host", "alpha"}},
                                            .run_point = run_point});
    check(shows_as_it_is(said) and plain_lines(outcome.text) == outcome.text, "what is said is not plain text");
    check(outcome.complete == outcome.rest.empty(), "a calibration is complete, or says why not");
    return outcome;
}

/// A calibration of two rates that was stopped early. `order`: of its facts; the first ones can be tampered with
/// individually.
DatabaseBytes begun(const std::string& order) {
    const CalibrationFolder folder;
    SenderOptions options = options_in(folder.path());
    options.calibration->rates_pps = {1000, 2000};
    options.calibration->sizes_bytes = {64};
    options.calibration->distributions = {GapFamily::constant, GapFamily::exponential};
    options.calibration->repetitions = 1;
    (void)go_on(options, 5);
    SQLite::Database(folder.database().string(), SQLite::OPEN_READWRITE)
        .exec(
            "CREATE TABLE kept AS SELECT * FROM about WHERE subject = 'settings' ORDER BY name " + order +
            "; INSERT INTO kept SELECT * FROM about WHERE subject <> 'settings'; DELETE FROM about; INSERT INTO about "
            "SELECT * FROM kept; DROP TABLE kept;");
    return base_of(folder.database());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const CalibrationFolder folder;
    static const std::array<DatabaseBytes, 2> bases = {begun("ASC"), begun("DESC")};
    Choices choices(std::span(data, size));
    const DatabaseBytes& base = bases.at(choices.below(bases.size()));
    const bool is_as_it_was = not choices.more();
    tampered(base, choices, folder.database());
    try {
        (void)go_on(options_in(folder.path()), 2 * kMostPoints);
    } catch (const std::runtime_error& error) {
        check(not is_as_it_was, "a database is refused that nobody has tampered with");
        expect_message(error.what());
        check(std::string_view(error.what()).find(folder.path().native()) != std::string_view::npos,
              "a refusal does not name the folder");
    }
    fs::remove(folder.path() / "calibration.db-journal");
    return 0;
}
