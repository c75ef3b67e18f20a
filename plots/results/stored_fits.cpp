#include "plots/results/stored_fits.hpp"

#include <algorithm>

#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxFitName = 36;

/// Runs a query with the traffic's number and hands each row to `take`.
template <typename Take>
void for_each_row(const SQLite::Database& database, const char* query, const FittedTraffic& traffic, const Take& take) {
    SQLite::Statement rows(database, query);
    rows.bind(1, traffic.id);
    while (rows.executeStep()) {
        take(rows);
    }
}

void read_families(const SQLite::Database& database, FittedTraffic& traffic) {
    for_each_row(database,
                 "SELECT what, text, family, lambda2, ks, a2 FROM families WHERE traffic = ? ORDER BY what, rank",
                 traffic, [&](const SQLite::Statement& row) {
                     traffic.values[text_at(row, 0)].families.push_back(
                         {plain_text(text_at(row, 1), kMaxFitName), plain_text(text_at(row, 2), kMaxFitName),
                          number_at(row, 3), number_at(row, 4), number_at(row, 5)});
                 });
}

void read_values(const SQLite::Database& database, FittedTraffic& traffic) {
    for_each_row(
        database,
        "SELECT what, probability, observed, model FROM quantiles WHERE traffic = ? ORDER BY what, probability",
        traffic, [&](const SQLite::Statement& row) {
            const auto probability = number_at(row, 1);
            const auto observed = number_at(row, 2);
            const auto model = number_at(row, 3);
            if (probability and observed and model) {
                traffic.values[text_at(row, 0)].quantiles.push_back({*probability, *observed, *model});
            }
        });
    for_each_row(database, "SELECT what, low, high, count, model FROM densities WHERE traffic = ? ORDER BY what, low",
                 traffic, [&](const SQLite::Statement& row) {
                     const auto low = number_at(row, 1);
                     const auto high = number_at(row, 2);
                     if (low and high and *low <= *high) {
                         traffic.values[text_at(row, 0)].bins.push_back(
                             {*low, *high, number_at(row, 3).value_or(0), number_at(row, 4)});
                     }
                 });
    for_each_row(database, "SELECT what, lag, value, band FROM autocorrelation WHERE traffic = ? ORDER BY what, lag",
                 traffic, [&](const SQLite::Statement& row) {
                     const auto lag = number_at(row, 1);
                     const auto value = number_at(row, 2);
                     if (lag and value and *lag > 0) {
                         FittedValues& values = traffic.values[text_at(row, 0)];
                         values.autocorrelation.push_back({*lag, *value, {}, {}});
                         values.white_noise = std::max(number_at(row, 3).value_or(0), 0.0);
                     }
                 });
}

void read_scales(const SQLite::Database& database, FittedTraffic& traffic) {
    const auto add_to = [](std::vector<FitPoint>& points) {
        return [&points](const SQLite::Statement& row) {
            const auto scale = number_at(row, 0);
            const auto value = number_at(row, 1);
            if (scale and value and *scale > 0 and *value > 0) {  // both axes are logarithmic
                points.push_back({*scale, *value, {}, {}});
            }
        };
    };
    for_each_row(database, "SELECT scale_s, idc FROM dispersion WHERE traffic = ? ORDER BY scale_s", traffic,
                 add_to(traffic.dispersion));
    for_each_row(database, "SELECT scale_s, variance FROM variance_time WHERE traffic = ? ORDER BY scale_s", traffic,
                 add_to(traffic.variance_time));
    for_each_row(database,
                 "SELECT octave, log2_energy, low, high, scale_s FROM wavelet WHERE traffic = ? ORDER BY octave",
                 traffic, [&](const SQLite::Statement& row) {
                     const auto octave = number_at(row, 0);
                     const auto energy = number_at(row, 1);
                     if (octave and energy) {
                         traffic.wavelet.push_back({*octave, *energy, number_at(row, 2), number_at(row, 3)});
                         traffic.octave_scales.emplace_back(*octave, number_at(row, 4).value_or(0));
                     }
                 });
    for_each_row(
        database, "SELECT method, value, from_s, to_s FROM hurst WHERE traffic = ?", traffic,
        [&](const SQLite::Statement& row) {
            if (const auto value = number_at(row, 1)) {
                traffic.hurst[text_at(row, 0)] = {*value, number_at(row, 2).value_or(0), number_at(row, 3).value_or(0)};
            }
        });
}

std::vector<FittedTraffic> read_all(const SQLite::Database& database) {
    std::vector<FittedTraffic> all;
    SQLite::Statement rows(database, "SELECT id, name, packets FROM traffic ORDER BY packets DESC, id");
    while (rows.executeStep()) {
        FittedTraffic traffic;
        traffic.id = rows.getColumn(0).getInt64();
        traffic.name = plain_text(text_at(rows, 1), kMaxFitName);
        traffic.name = traffic.name.empty() ? "traffic " + std::to_string(traffic.id) : traffic.name;
        traffic.packets = number_at(rows, 2).value_or(0);
        all.push_back(std::move(traffic));
    }
    for (FittedTraffic& traffic : all) {
        read_families(database, traffic);
        read_values(database, traffic);
        read_scales(database, traffic);
    }
    return all;
}

}  // namespace

bool is_fit(const std::filesystem::path& file) noexcept {
    return is_of_kind(file, kFitDatabase);
}

std::vector<FittedTraffic> read_fit(const std::filesystem::path& file) {
    return read_database(file, kFitDatabase, read_all);
}

}  // namespace groma
