#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "common/base/errors.hpp"
#include "plots/command/plot_results.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/results/stored_fits.hpp"
#include "tests/plots/sample_file.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

/// A file of groma-dec fit in a directory of its own.
class SampleFit : public SampleFile {
public:
    SampleFit() : SampleFile("fit.sqlite") {
        exec(
            "PRAGMA application_id = 0x67726f66; PRAGMA user_version = 1;"
            "CREATE TABLE traffic(id INTEGER PRIMARY KEY, source TEXT, name TEXT, transport TEXT, packets INTEGER, "
            "bytes "
            "INTEGER, first_ns INTEGER, duration_s REAL, packet_rate_pps REAL, bit_rate_bps REAL);"
            "CREATE TABLE families(traffic INTEGER, what TEXT, rank INTEGER, family TEXT, text TEXT, parameters TEXT, "
            "log_likelihood REAL, lambda2 REAL, lambda2_error REAL, ks REAL, a2 REAL);"
            "CREATE TABLE quantiles(traffic INTEGER, what TEXT, probability REAL, observed REAL, model REAL);"
            "CREATE TABLE densities(traffic INTEGER, what TEXT, low REAL, high REAL, count INTEGER, model REAL);"
            "CREATE TABLE autocorrelation(traffic INTEGER, what TEXT, lag INTEGER, value REAL, band REAL);"
            "CREATE TABLE dispersion(traffic INTEGER, scale_s REAL, idc REAL);"
            "CREATE TABLE variance_time(traffic INTEGER, scale_s REAL, variance REAL);"
            "CREATE TABLE wavelet(traffic INTEGER, octave INTEGER, scale_s REAL, log2_energy REAL, low REAL, high "
            "REAL);"
            "CREATE TABLE hurst(traffic INTEGER, method TEXT, value REAL, error REAL, from_s REAL, to_s REAL)");
    }

    /// Traffic whose rate has a variance that falls as scale^(2H - 2), with H = 0.8; gaps of an exponential family.
    void add(int id, const std::string& name, int packets) {
        const auto row = [&](const std::string& table, const auto&... values) {
            std::ostringstream text;
            text.precision(17);
            text << "INSERT INTO " << table << " VALUES(" << id;
            ((text << ", " << values), ...);
            exec(text.str() + ")");
        };
        exec("BEGIN");
        row("traffic", "'a.pcap'", fmt::format("'{}'", name), "'udp'", packets, 1000, 0, 10.0, 100.0, 8e5);
        row("families", "'gap'", 1, "'exponential'", "'exp:1000pps'", "''", -5.0, 0.002, 0.001, 0.01, 1.0);
        row("families", "'gap'", 2, "'pareto'", "'pareto:1:1'", "''", -9.0, 0.5, 0.001, 0.2, 90.0);
        for (int i = 1; i < 100; ++i) {
            const double quantile = -1e6 * std::log(1 - i / 100.0);
            row("quantiles", "'gap'", i / 100.0, 1.1 * quantile, quantile);
        }
        for (int i = 0; i < 10; ++i) {
            row("densities", "'gap'", i * 1e5, (i + 1) * 1e5, 10 + i, 14.5);
        }
        for (int lag = 0; lag <= 20; ++lag) {
            row("autocorrelation", "'gap'", lag, lag == 0 ? 1.0 : 0.5 / lag, 0.02);
        }
        for (int octave = 1; octave <= 8; ++octave) {
            const double scale = 0.01 * std::pow(2, octave);
            row("dispersion", scale, 1 + scale);
            row("variance_time", scale, 100 * std::pow(scale, 2 * 0.8 - 2));
            row("wavelet", octave, scale, 3 + 0.6 * octave, 2 + 0.6 * octave, 4 + 0.6 * octave);
        }
        row("hurst", "'variance-time'", 0.8, "NULL", 0.02, 1.28);
        row("hurst", "'wavelet'", 0.8, 0.05, 0.04, 1.28);
        exec("COMMIT");
    }
};

Picture drawn(const std::vector<FittedTraffic>& all, const std::string& stem) {
    const auto kind = std::ranges::find_if(fit_kinds(), [&](const FitKind& each) { return each.stem == stem; });
    return kind->draw(all).value();
}

TEST(FitResults, AreReadMostPacketsFirst) {
    SampleFit sample;
    sample.add(1, "small", 10);
    sample.add(2, "large", 1000);
    EXPECT_TRUE(is_fit(sample.file()));
    EXPECT_FALSE(is_fit(sample.directory()));
    const auto all = read_fit(sample.file());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "large");
    EXPECT_EQ(all[0].values.at("gap").families.front().text, "exp:1000pps");
    EXPECT_EQ(all[0].values.at("gap").autocorrelation.size(), 20U);  // without lag 0
    EXPECT_EQ(all[0].hurst.at("wavelet").value, 0.8);
}

TEST(FitResults, OfAnotherVersionOrWithoutTablesAreRefused) {
    SampleFit sample;
    sample.add(1, "a", 10);
    sample.exec("DROP TABLE hurst");
    EXPECT_THROW((void)read_fit(sample.file()), RunError);
    sample.exec("PRAGMA user_version = 77");
    EXPECT_THROW((void)read_fit(sample.file()), RunError);
}

TEST(FitPictures, OfQuantilesHaveObservedAgainstModel) {
    SampleFit sample;
    sample.add(1, "a", 10);
    const Picture picture = drawn(read_fit(sample.file()), "gap-qq");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_THAT(picture.curves[1].name, HasSubstr("exp:1000pps"));
    for (const PicturePoint& point : picture.curves[1].pieces[0]) {
        EXPECT_NEAR(point.y, 1.1 * point.x, 1e-6 * point.x);
    }
}

TEST(FitPictures, OfDensitiesHaveSharesOfBoth) {
    SampleFit sample;
    sample.add(1, "a", 10);
    const Picture picture = drawn(read_fit(sample.file()), "gap-density");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_NEAR(picture.curves[0].pieces[0].back().y, 0.1, 1e-12);
    EXPECT_NEAR(picture.curves[1].pieces[0].back().y, 19.0 / 145, 1e-12);
}

TEST(FitPictures, OfAutocorrelationHaveTheBandOfWhiteNoise) {
    SampleFit sample;
    sample.add(1, "a", 10);
    const Picture picture = drawn(read_fit(sample.file()), "gap-autocorrelation");
    EXPECT_EQ(picture.curves.at(0).pieces[0].front(), (PicturePoint{1, 0.5}));
    ASSERT_EQ(picture.bands.size(), 1U);
    EXPECT_EQ(picture.bands[0].pieces[0][0].low, -0.02);
    EXPECT_EQ(picture.bands[0].pieces[0][0].high, 0.02);
}

TEST(FitPictures, OfVarianceAndTimeHaveALineOfTheSlopeThatHMeans) {
    SampleFit sample;
    sample.add(1, "a", 10);
    const Picture picture = drawn(read_fit(sample.file()), "variance-time");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "slope -0.40");
    EXPECT_EQ(picture.curves[1].name, "a, H 0.80");
    // The points are on such a line, so that it goes through all of them.
    const auto& line = picture.curves[0].pieces[0];
    EXPECT_NEAR(line.front().x, 0.02, 1e-9);
    EXPECT_NEAR(line.front().y, 100 * std::pow(0.02, -0.4), 1e-6);
    EXPECT_NEAR(line.back().y, 100 * std::pow(1.28, -0.4), 1e-6);
}

TEST(FitPictures, OfWaveletsHaveBarsAndALineOverTheOctavesOfTheEstimate) {
    SampleFit sample;
    sample.add(1, "a", 10);
    const Picture picture = drawn(read_fit(sample.file()), "logscale");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "slope 0.60");
    EXPECT_EQ(picture.curves[1].name, "a, H 0.80");
    EXPECT_EQ(picture.curves[1].bars.size(), 8U);
    const auto& line = picture.curves[0].pieces[0];
    EXPECT_EQ(line.front().x, 2);  // from 0.04 s on
    EXPECT_NEAR(line.front().y, 4.2, 1e-9);
    EXPECT_EQ(line.back().x, 7);  // to 1.28 s
    EXPECT_NEAR(line.back().y, 7.2, 1e-9);
}

TEST(PlottingAFit, WritesEveryKindOfWhatIsKnown) {
    SampleFit sample;
    sample.add(1, "a", 10);
    PlotOptions options;
    options.files = {sample.file()};
    options.directory = sample.directory() / "pictures";
    std::ostringstream out;
    std::ostringstream notes;
    plot_results(options, out, notes);
    for (const char* stem :
         {"gap-qq", "gap-density", "gap-autocorrelation", "dispersion", "variance-time", "logscale"}) {
        EXPECT_GT(std::filesystem::file_size(options.directory / fmt::format("{}.svg", stem)), 1000U) << stem;
    }
    EXPECT_THAT(notes.str(), HasSubstr("not drawn: size-qq"));
}

TEST(PlottingAFit, OfVeryMuchTrafficShowsTheLargest) {
    SampleFit sample;
    for (int i = 1; i <= 30; ++i) {
        sample.add(i, fmt::format("t{}", i), i);
    }
    PlotOptions options;
    options.files = {sample.file()};
    options.directory = sample.directory() / "pictures";
    options.only = {"gap-qq", "dispersion"};
    std::ostringstream out;
    std::ostringstream notes;
    plot_results(options, out, notes);
    EXPECT_TRUE(std::filesystem::exists(options.directory / "traffic30-gap-qq.svg"));
    EXPECT_FALSE(std::filesystem::exists(options.directory / "traffic1-gap-qq.svg"));
    const auto all = std::distance(std::filesystem::directory_iterator(options.directory), {});
    EXPECT_EQ(all, 6);
    options.flows = {1};
    plot_results(options, out, notes);
    EXPECT_TRUE(std::filesystem::exists(options.directory / "gap-qq.svg"));
}

}  // namespace
}  // namespace groma
