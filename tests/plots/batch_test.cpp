#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/base/errors.hpp"
#include "plots/command/plot_results.hpp"
#include "plots/pictures/batch_pictures.hpp"
#include "plots/results/batch_results.hpp"
#include "tests/plots/named_picture.hpp"
#include "tests/plots/sample_file.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

BatchGroup group_of(double rate, const std::string& transport, std::vector<double> delays) {
    BatchGroup group;
    group.keys["rate"] = {fmt::format("{}pps", rate), rate};
    group.keys["transport"] = {transport, {}};
    group.keys["duration"] = {"5s", 5};
    BatchFigure figure;
    for (const double delay : delays) {
        figure.mean += delay / static_cast<double>(delays.size());
    }
    figure.low = figure.mean - 1e5;
    figure.high = figure.mean + 1e5;
    figure.values = std::move(delays);
    group.figures["delay_mean_ns"] = figure;
    return group;
}

BatchResults grid() {
    BatchResults results;
    results.title = "grid";
    results.keys = {"transport", "rate", "duration"};
    for (const char* transport : {"udp", "tcp"}) {
        for (const double rate : {2000.0, 1000.0, 4000.0}) {
            const double delay = rate * (transport[0] == 'u' ? 1000 : 2000);
            results.groups.push_back(group_of(rate, transport, {delay, 1.1 * delay, 1.2 * delay}));
        }
    }
    return results;
}

TEST(BatchPictures, HaveABoxForEachGroupAndADotForEachRun) {
    const std::vector<Picture> pictures = batch_pictures(grid());
    const Picture& picture = named(pictures, "box-delay-mean");
    ASSERT_EQ(picture.boxes.size(), 6U);
    EXPECT_DOUBLE_EQ(picture.boxes[0].median, 2.2);  // ms
    EXPECT_DOUBLE_EQ(picture.boxes[0].low, 2);
    EXPECT_DOUBLE_EQ(picture.boxes[0].high, 2.4);
    EXPECT_EQ(picture.x_ticks[0].label, "udp, 2000pps");
    EXPECT_EQ(picture.curves.at(0).pieces[0].size(), 18U);
    EXPECT_EQ(picture.x_label, "transport, rate");  // the duration is the same everywhere
    EXPECT_EQ(picture.y_label, "mean one-way delay [ms]");
}

TEST(BatchPictures, AnAxisHasTheUnitThatAllValuesOfItsKeyHave) {
    const auto label = [](const BatchResults& drawn) {
        return named(batch_pictures(drawn), "sweep-delay-mean-by-rate").x_label;
    };
    BatchResults results = grid();
    results.groups[0].keys["rate"] = {"2kpps", 2000};
    EXPECT_EQ(label(results), "rate");
    for (BatchGroup& group : results.groups) {
        group.keys["rate"].text = fmt::format("{}", *group.keys["rate"].number);
    }
    EXPECT_EQ(label(results), "rate");
}

TEST(BatchPictures, WhatIsZeroEverywhereHasNoNegativeAxis) {
    BatchResults results = grid();
    for (BatchGroup& group : results.groups) {
        group.figures["loss_ratio"] = {.mean = 0, .low = 0, .high = 0, .values = {0, 0}};
    }
    for (const char* stem : {"sweep-loss-by-rate", "box-loss"}) {
        const std::vector<Picture> pictures = batch_pictures(results);
        EXPECT_EQ(named(pictures, stem).y_range.low, 0);
        EXPECT_EQ(named(pictures, stem).y_range.high, 1);
        EXPECT_THAT(named(pictures, stem).title, HasSubstr(": no loss"));
    }
}

TEST(BatchPictures, SweepANumberWithACurveForEachOfTheOtherKeys) {
    const std::vector<Picture> pictures = batch_pictures(grid());
    const Picture& picture = named(pictures, "sweep-delay-mean-by-rate");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "transport udp");
    EXPECT_EQ(picture.curves[1].name, "transport tcp");
    const auto& points = picture.curves[0].pieces[0];
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].x, 1000);
    EXPECT_NEAR(points[0].y, 1.1, 1e-9);
    EXPECT_EQ(points[2].x, 4000);
    ASSERT_EQ(picture.curves[0].bars.size(), 3U);
    EXPECT_NEAR(picture.curves[0].bars[0].high - picture.curves[0].bars[0].low, 0.2, 1e-9);
    EXPECT_THAT(picture.title, HasSubstr("bars: 95 % confidence"));
    EXPECT_EQ(picture.x_label, "rate [pps]");
    EXPECT_TRUE(
        std::ranges::none_of(pictures, [](const Picture& p) { return p.stem == "sweep-delay-mean-by-transport"; }));
}

TEST(BatchPictures, MapTwoKeys) {
    const std::vector<Picture> pictures = batch_pictures(grid());
    const Picture& picture = named(pictures, "heat-delay-mean");
    ASSERT_EQ(picture.cells.size(), 6U);
    EXPECT_EQ(picture.x_label, "transport");
    EXPECT_EQ(picture.y_ticks[0].label, "1000pps");  // numbers rise
    EXPECT_EQ(picture.cells[0].y.low, 0.5);          // 2000 is the second
    EXPECT_EQ(picture.cells[0].label, "2.2");
}

TEST(BatchPictures, OfSingleRunsHaveNoBoxes) {
    BatchResults results = grid();
    for (BatchGroup& group : results.groups) {
        group.figures["delay_mean_ns"].values.resize(1);
        group.figures["delay_mean_ns"].low.reset();
    }
    for (const Picture& picture : batch_pictures(results)) {
        EXPECT_FALSE(picture.stem.starts_with("box"));
        EXPECT_EQ(picture.title.find("confidence"), std::string::npos);
    }
    EXPECT_TRUE(batch_pictures({}).empty());
}

TEST(BatchPictures, OfVeryManyGroupsSayWhatIsLeftOut) {
    BatchResults results;
    results.keys = {"rate", "transport"};
    for (int i = 0; i < 100; ++i) {
        results.groups.push_back(group_of(1 + i % 2, fmt::format("t{}", i / 2), {1e6 + i, 2e6}));
    }
    const std::vector<Picture> pictures = batch_pictures(results);
    EXPECT_THAT(named(pictures, "box-delay-mean").title, HasSubstr("the first 40 of 100 groups"));
    EXPECT_THAT(named(pictures, "sweep-delay-mean-by-rate").title, HasSubstr("the first 8 of 50 curves"));
    EXPECT_EQ(named(pictures, "sweep-delay-mean-by-rate").curves.size(), 8U);
}

TEST(PlottingABatch, WritesPicturesIntoTheDirectoryWhateverKeysAreCalled) {
    SampleFile sample("groups.sqlite");
    sample.exec(
        "PRAGMA application_id = 0x67726f67; PRAGMA user_version = 2;"
        "CREATE TABLE about(name TEXT, confidence REAL);"
        "INSERT INTO about VALUES('it''s `a` test', 0.9);"
        "CREATE TABLE keys(position INTEGER, name TEXT); INSERT INTO keys VALUES(1, '../rate');"
        "CREATE TABLE groups(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO groups VALUES(1, 'a'), (2, 'b');"
        "CREATE TABLE group_keys(\"group\" INTEGER, key TEXT, value TEXT, number REAL);"
        "INSERT INTO group_keys VALUES(1, '../rate', '1', 1), (2, '../rate', '100', 100);"
        "CREATE TABLE group_figures(\"group\" INTEGER, figure TEXT, mean REAL, mean_low REAL, mean_high REAL);"
        "INSERT INTO group_figures VALUES(1, 'sent_pps', 5, 4, 6), (2, 'sent_pps', 50, NULL, NULL), (1, "
        "'nonsense', 1, "
        "1, 1), (2, 'lambda2', 9e999, 1, 1);"
        "CREATE TABLE group_values(\"group\" INTEGER, figure TEXT, value REAL);"
        "INSERT INTO group_values VALUES(1, 'sent_pps', 4), (1, 'sent_pps', 6), (2, 'sent_pps', 50), (7, 'x', 1)");
    PlotOptions options;
    options.files = {sample.file()};
    options.directory = sample.directory() / "pictures";
    std::ostringstream out;
    std::ostringstream notes;
    plot_results(options, out, notes);
    EXPECT_TRUE(std::filesystem::exists(options.directory / "sweep-sent-rate-by-.._rate.svg")) << out.str();
    EXPECT_TRUE(std::filesystem::exists(options.directory / "box-sent-rate.svg"));
    options.only = {"heat"};
    plot_results(options, out, notes);
    options.flows = {1};
    EXPECT_THROW(plot_results(options, out, notes), UsageError);
}

}  // namespace
}  // namespace groma
