#include "plots/results/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "common/base/errors.hpp"
#include "plots/command/plot_results.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "tests/plots/named_picture.hpp"
#include "tests/plots/sample_file.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

/// A calibration's database in a directory of its own.
class SampleCalibration : public SampleFile {
public:
    SampleCalibration() : SampleFile("calibration.db") {
        exec(
            "PRAGMA application_id = 0x67726d63; PRAGMA user_version = 4;"
            "CREATE TABLE about(subject TEXT, name TEXT, value TEXT);"
            "INSERT INTO about VALUES('sender', 'host', 'alpha'), ('receiver', 'host', 'beta');"
            "CREATE TABLE points(id INTEGER PRIMARY KEY, kind TEXT, distribution TEXT, size_bytes INTEGER, logging "
            "TEXT, "
            "rate_pps REAL, repetition INTEGER, sent_pps REAL, sent_bps REAL, rate_error REAL, lambda2 REAL, "
            "lateness_p50_ns INTEGER, lateness_p99_ns INTEGER, gap_error_p50_ns INTEGER, gap_error_p99_ns INTEGER, "
            "lost INTEGER, sent_packets INTEGER);"
            "CREATE TABLE gaps(point INTEGER, low_ns REAL, high_ns REAL, count INTEGER, asked_share REAL)");
    }

    /// `series`: "'const', 64, 'local'".
    void add(const std::string& series, double rate, int repetition, double sent, const std::string& lambda2 = "NULL") {
        std::ostringstream row;
        row << "INSERT INTO points VALUES(NULL, 'sweep', " << series << ", " << rate << ", " << repetition << ", "
            << sent << ", " << 512 * sent << ", 0.001, " << lambda2 << ", 500, 5000, 400, 4000, 10, 1000)";
        exec(row.str());
    }

    /// Of the point that was added last.
    void add_gaps() {
        exec("INSERT INTO gaps SELECT MAX(id), 0, 1000, 1, 0.1 FROM points");
        exec("INSERT INTO gaps SELECT MAX(id), 1000, 1100, 3, 0.4 FROM points");
        exec("INSERT INTO gaps SELECT MAX(id), 1100, 1200, 4, 0.3 FROM points");
        exec("INSERT INTO gaps SELECT MAX(id), 1200, NULL, 2, 0.2 FROM points");
    }
};

TEST(CalibrationResults, AreRecognised) {
    const SampleCalibration sample;
    EXPECT_TRUE(is_calibration(sample.file()));
    EXPECT_FALSE(is_calibration(sample.directory() / "missing"));
    std::ofstream(sample.directory() / "text") << "no database at all, but long enough to look like something";
    EXPECT_FALSE(is_calibration(sample.directory() / "text"));
}

TEST(CalibrationResults, HaveMedianAndRangeOfRepetitionsInTheOrderOfTheSweep) {
    SampleCalibration sample;
    sample.add("'exp', 64, 'local'", 2000, 1, 1990, "0.5");
    sample.add("'const', 64, 'local'", 1000, 1, 900);
    sample.add("'const', 64, 'local'", 1000, 2, 1000);
    sample.add("'const', 64, 'local'", 1000, 3, 990);
    sample.add("'exp', 64, 'local'", 1000, 1, 1001, "-0.01");
    sample.exec("UPDATE points SET kind = 'search' WHERE id = 4");
    const CalibrationResults results = read_calibration_results(sample.file());
    EXPECT_EQ(results.title, "alpha to beta");
    ASSERT_EQ(results.points.size(), 3U);
    EXPECT_EQ(results.points[0].series.distribution, "exp");
    EXPECT_EQ(results.points[0].rate_pps, 1000);
    EXPECT_EQ(results.points[1].rate_pps, 2000);
    const MedianRange& sent = results.points[2].figures.at("sent_pps");
    EXPECT_EQ(sent.median, 950);  // the third was a search
    EXPECT_EQ(sent.low, 900);
    EXPECT_EQ(sent.high, 1000);
    EXPECT_FALSE(results.points[2].figures.contains("lambda2"));
}

TEST(CalibrationResults, LeaveOutWhatIsNotFinite) {
    SampleCalibration sample;
    sample.add("'const', 64, 'local'", 1000, 1, 900);
    sample.add_gaps();
    sample.add("'exp', 64, 'local'", 1000, 1, 900);
    sample.exec(
        "UPDATE gaps SET count = 9e999 WHERE low_ns = 1000; UPDATE gaps SET high_ns = 9e999 WHERE low_ns = 1100;"
        "UPDATE points SET rate_pps = 9e999 WHERE distribution = 'exp'");
    const CalibrationResults results = read_calibration_results(sample.file());
    EXPECT_EQ(results.points.size(), 1U);
    ASSERT_EQ(results.densities.size(), 1U);
    EXPECT_EQ(results.densities.front().gaps, 7);
    EXPECT_EQ(results.densities.front().bins.size(), 2U);
}

TEST(CalibrationResults, OfTheVersionBeforeAreRead) {
    SampleCalibration sample;
    sample.exec("PRAGMA user_version = 2; ALTER TABLE points RENAME COLUMN sent_packets TO packets");
    sample.add("'const', 64, 'local'", 1000, 1, 900);
    const CalibrationResults results = read_calibration_results(sample.file());
    EXPECT_EQ(results.points.at(0).figures.at("sent_packets").median, 1000);
    EXPECT_NEAR(named(calibration_pictures(results), "loss").curves.at(0).pieces.at(0).at(0).y, 0.01, 1e-12);
}

TEST(CalibrationResults, OfAnotherVersionAreRefused) {
    SampleCalibration sample;
    sample.exec("PRAGMA user_version = 9");
    EXPECT_THROW((void)read_calibration_results(sample.file()), RunError);
}

TEST(CalibrationPictures, CompareSizesWithWhatWasAsked) {
    SampleCalibration sample;
    for (const double rate : {1000.0, 10'000.0}) {
        sample.add("'const', 64, 'local'", rate, 1, rate);
        sample.add("'const', 64, 'local'", rate, 2, rate / 2);
        sample.add("'const', 1472, 'local'", rate, 1, rate / 4);
        sample.add("'const', 64, 'off'", rate, 1, rate);
    }
    const std::vector<Picture> pictures = calibration_pictures(read_calibration_results(sample.file()));
    const Picture& picture = named(pictures, "sent-rate");
    ASSERT_EQ(picture.curves.size(), 3U);
    EXPECT_EQ(picture.curves[0].name, "as asked");
    EXPECT_EQ(picture.curves[1].name, "64 bytes");
    EXPECT_EQ(picture.curves[2].name, "1472 bytes");
    EXPECT_EQ(picture.curves[1].pieces.front(), (std::vector<PicturePoint>{{1000, 750}, {10'000, 7500}}));
    ASSERT_EQ(picture.curves[1].bars.size(), 2U);
    EXPECT_EQ(picture.curves[1].bars[0].low, 500);
    EXPECT_TRUE(picture.curves[2].bars.empty());
    EXPECT_TRUE(picture.log_x);
    EXPECT_TRUE(picture.log_y);
    EXPECT_LT(picture.y_range.low, 250);
    EXPECT_GT(picture.y_range.high, 10'000);
    EXPECT_EQ(named(pictures, "logging").curves.size(), 3U);  // as asked, local, off
    EXPECT_NEAR(named(pictures, "loss").curves[0].pieces.front()[0].y, 0.01, 1e-12);
    EXPECT_THAT(named(pictures, "lateness").curves[2].name, HasSubstr("99 %"));
    // Bits of what was asked: 8 bits times 64 bytes times the rate.
    EXPECT_EQ(named(pictures, "sent-bit-rate").curves[1].pieces.front()[0].x, 512'000);
}

TEST(CalibrationPictures, ShowAPerfectFitOnTheLowerEdge) {
    SampleCalibration sample;
    sample.add("'exp', 64, 'local'", 1000, 1, 1000, "-0.002");
    sample.add("'exp', 64, 'local'", 2000, 1, 2000, "0.02");
    const Picture picture = named(calibration_pictures(read_calibration_results(sample.file())), "lambda2");
    ASSERT_EQ(picture.curves.size(), 1U);
    EXPECT_THAT(picture.title, HasSubstr("(0.0001 and below on the lower edge)"));
    EXPECT_EQ(picture.y_label, "lambda squared of the gaps");
    EXPECT_EQ(picture.curves[0].pieces.front(), (std::vector<PicturePoint>{{1000, 1e-4}, {2000, 0.02}}));
}

TEST(CalibrationPictures, AreLeftOutWhereNothingIsKnown) {
    SampleCalibration sample;
    sample.add("'const', 64, 'local'", 1000, 1, 1000);
    std::set<std::string> stems;
    for (const Picture& picture : calibration_pictures(read_calibration_results(sample.file()))) {
        stems.insert(picture.stem);
    }
    EXPECT_TRUE(stems.contains("sent-rate"));
    EXPECT_FALSE(stems.contains("lambda2"));
    EXPECT_TRUE(calibration_pictures({}).empty());
}

TEST(CalibrationPictures, HaveDensitiesAtTwoRatesOfEachDistribution) {
    SampleCalibration sample;
    for (const double rate : {100.0, 1000.0, 5000.0, 20'000.0, 100'000.0}) {
        sample.add("'exp', 64, 'local'", rate, 1, rate);
        sample.add_gaps();
    }
    const std::vector<Picture> pictures = calibration_pictures(read_calibration_results(sample.file()));
    const Picture& density = named(pictures, "density-exp-1000pps");
    EXPECT_EQ(std::ranges::count_if(pictures, [](const Picture& one) { return one.stem.starts_with("density"); }), 2);
    ASSERT_EQ(density.curves.size(), 2U);
    // The wide bin from zero on is not drawn; shares are of all gaps.
    EXPECT_EQ(density.curves[0].pieces.front(),
              (std::vector<PicturePoint>{{1, 0.4}, {1.1, 0.4}, {1.1, 0.3}, {1.2, 0.3}}));
    EXPECT_EQ(density.curves[1].pieces.front(),
              (std::vector<PicturePoint>{{1, 0.3}, {1.1, 0.3}, {1.1, 0.4}, {1.2, 0.4}}));
    EXPECT_EQ(density.x_label, "time between two departures [us]");
}

TEST(CalibrationPictures, HaveBarsInTheScript) {
    Picture picture;
    picture.log_y = true;
    picture.y_ticks = {{10, "ten"}};
    picture.curves = {{.name = "a", .pieces = {{{1, 10}}}, .bars = {{1, 5, 20}}}};
    const std::string script = gnuplot_script(picture, PictureFormat::svg, "a.svg", {});
    EXPECT_THAT(script, HasSubstr("set logscale y\n"));
    EXPECT_THAT(script, HasSubstr("set ytics ('ten' 10)"));
    EXPECT_THAT(script, HasSubstr("$d1 << EOD\n1 5 20\nEOD"));
    EXPECT_THAT(script, HasSubstr("$d1 using 1:2:(0):($3-$2) with vectors"));
}

TEST(PlottingACalibration, WritesThePicturesAndTheirNames) {
    SampleCalibration sample;
    sample.add("'const', 64, 'local'", 1000, 1, 1000);
    sample.add_gaps();
    PlotOptions options;
    options.files = {sample.file()};
    options.directory = sample.directory() / "pictures";
    std::ostringstream out;
    std::ostringstream notes;
    plot_results(options, out, notes);
    EXPECT_THAT(out.str(), HasSubstr("sent-rate.svg"));
    EXPECT_GT(std::filesystem::file_size(options.directory / "density-const-1000pps.svg"), 1000U);
    options.flows = {1};
    EXPECT_THROW(plot_results(options, out, notes), UsageError);
}

}  // namespace
}  // namespace groma
