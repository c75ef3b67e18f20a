#include "sender/calibration/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"
#include "sender/calibration/store.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

/// Calibrates a host that keeps rates up to 1500 pps, in virtual time.
class Calibrating : public testing::Test {
protected:
    Calibrating() {
        CalibrationArguments arguments;
        arguments.to.host = "beta";
        arguments.out = folder_.path() / "sheet";
        arguments.rates_pps = {1000, 2000};
        arguments.sizes_bytes = {64};
        arguments.distributions = {GapFamily::constant, GapFamily::exponential};
        arguments.repetitions = 2;
        options_.calibration = arguments;
    }

    CalibrationOutcome calibrate_now() {
        return calibrate(
            options_, 99,
            {.clock = clock_,
             .stop_requests = [this] { return stop_ ? 1U : 0U; },
             .show_progress = [this](const std::string& line) { progress_.push_back(line); },
             .say = [this](const std::string& sentence) { warnings_.push_back(sentence); },
             .draw = [](const std::filesystem::path& file) { return "drawn from " + file.string(); },
             .sender = sender_,
             .run_point = [this](
                              const CalibrationSettings& /*settings*/, const Point& point,
                              const std::function<void(const Facts&)>& check_receiver) -> std::optional<PointResult> {
                 clock_.advance(std::chrono::seconds(2));
                 if (ran_.size() == fail_after_ and failures_ > 0) {
                     --failures_;
                     throw ProtocolError("beta", "it went away");
                 }
                 if (ran_.size() == stop_after_) {
                     stop_ = true;
                     if (stop_with_error_) {
                         throw RunError("interrupted before anything was sent");
                     }
                     return std::nullopt;
                 }
                 check_receiver(receiver_);
                 ran_.push_back(point);
                 return measured(point, 1500);
             }});
    }

    [[nodiscard]] std::string refusal() {
        try {
            (void)calibrate_now();
        } catch (const RunError& error) {
            return error.what();
        }
        return {};
    }

    [[nodiscard]] std::filesystem::path folder() const { return options_.calibration->out; }

    CalibrationFolder folder_;
    SenderOptions options_;
    ManualClock clock_;
    Facts sender_{{"host", "alpha"}, {"kernel", "Linux 1"}};
    Facts receiver_{{"host", "beta"}, {"kernel", "Linux 1"}};
    std::size_t stop_after_ = 1'000'000;
    std::size_t fail_after_ = 1'000'000;
    int failures_ = 1'000'000;
    bool stop_ = false;
    bool stop_with_error_ = false;
    std::vector<Point> ran_;
    std::vector<std::string> progress_;
    std::vector<std::string> warnings_;
};

TEST_F(Calibrating, MeasuresEachPointOnceAndFindsTheHighestRate) {
    const CalibrationOutcome outcome = calibrate_now();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.rest, "");
    EXPECT_EQ(std::ranges::count(ran_, PointKind::sweep, &Point::kind), 3 * 2 * 2);
    EXPECT_EQ(std::set<Point>(ran_.begin(), ran_.end()).size(), ran_.size());
    SQLite::Database database((folder() / "calibration.db").string(), SQLite::OPEN_READONLY);
    const double kept = database.execAndGet("SELECT kept_pps FROM limits WHERE tolerance = 0.001").getDouble();
    EXPECT_LE(kept, 1500);
    EXPECT_GT(kept, 1500 / 1.03);
    std::ifstream sheet(folder() / "data-sheet.txt");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(sheet), {}), outcome.text);
    EXPECT_THAT(warnings_.back(), HasSubstr("drawn from"));
}

TEST_F(Calibrating, GoesOnWhereItWasStoppedAndRepeatsNothing) {
    stop_after_ = 5;
    const CalibrationOutcome stopped = calibrate_now();
    EXPECT_FALSE(stopped.complete);
    EXPECT_THAT(stopped.rest, HasSubstr("5 points are in"));
    EXPECT_THAT(stopped.text, HasSubstr("NOT COMPLETE"));
    ASSERT_EQ(ran_.size(), 5U);
    stop_ = false;
    stop_after_ = 1'000'000;
    EXPECT_TRUE(calibrate_now().complete);
    const std::vector<Point> in_two = ran_;
    EXPECT_EQ(std::set<Point>(in_two.begin(), in_two.end()).size(), in_two.size());
    ran_.clear();
    EXPECT_TRUE(calibrate_now().complete);
    EXPECT_TRUE(ran_.empty());
    std::filesystem::remove_all(folder());
    EXPECT_TRUE(calibrate_now().complete);
    EXPECT_EQ(ran_, in_two);
}

TEST_F(Calibrating, WritesItsSheetWhenItIsStoppedBeforeAPointHasBegun) {
    stop_after_ = 5;
    stop_with_error_ = true;
    const CalibrationOutcome stopped = calibrate_now();
    EXPECT_FALSE(stopped.complete);
    EXPECT_THAT(stopped.rest, HasSubstr("5 points are in"));
    std::ifstream sheet(folder() / "data-sheet.txt");
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(sheet), {}), HasSubstr("NOT COMPLETE"));
}

TEST_F(Calibrating, TriesOnceMoreWhenAPointFails) {
    fail_after_ = 3;
    failures_ = 1;
    EXPECT_TRUE(calibrate_now().complete);
    EXPECT_THAT(warnings_, testing::Contains(testing::AllOf(HasSubstr("it went away"), HasSubstr("trying once more"))));
    EXPECT_EQ(std::set<Point>(ran_.begin(), ran_.end()).size(), ran_.size());
}

TEST_F(Calibrating, SaysWhatIsKeptWhenTheReceiverGoesAway) {
    fail_after_ = 3;
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("it went away"), HasSubstr("3 points are in"),
                                          HasSubstr("the same command goes on from there")));
    fail_after_ = 1'000'000;
    EXPECT_TRUE(calibrate_now().complete);
    EXPECT_EQ(std::set<Point>(ran_.begin(), ran_.end()).size(), ran_.size());
}

TEST_F(Calibrating, RefusesSizesThatTheTransportCannotSend) {
    options_.calibration->sizes_bytes = {70'000};
    EXPECT_THROW((void)calibrate_now(), UsageError);
    options_.calibration->sizes_bytes = {64};
    EXPECT_TRUE(calibrate_now().complete);
}

TEST_F(Calibrating, StopsWhenItsTimeIsOver) {
    options_.calibration->max_time = std::chrono::seconds(7);
    const CalibrationOutcome outcome = calibrate_now();
    EXPECT_FALSE(outcome.complete);
    EXPECT_THAT(outcome.rest, HasSubstr("--max-time"));
    EXPECT_EQ(ran_.size(), 4U);
}

TEST_F(Calibrating, SaysHowLongItTakes) {
    (void)calibrate_now();
    EXPECT_THAT(warnings_.front(), testing::ContainsRegex("12 points in .*, about .* s"));
    EXPECT_THAT(progress_.front(), testing::StartsWith("1 of 12: 1 kpps, const gaps, 64 B, logs: local; about"));
    EXPECT_THAT(progress_.back(), testing::StartsWith("searching: "));
}

TEST_F(Calibrating, RefusesTheFolderOfOtherSettings) {
    (void)calibrate_now();
    options_.calibration->sizes_bytes = {512};
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("--sizes is 512 now and was 64"), HasSubstr("--out")));
}

TEST_F(Calibrating, RefusesTheFolderOfAnotherWayOfSending) {
    stop_after_ = 5;
    (void)calibrate_now();
    stop_ = false;
    stop_after_ = 1'000'000;
    options_.realtime = Realtime::on;
    EXPECT_THAT(refusal(), HasSubstr("--realtime is on now and was auto"));
    options_.realtime = Realtime::automatic;
    options_.calibration->lateness = LatenessPolicy::skip;
    EXPECT_THAT(refusal(), HasSubstr("--lateness is skip now and was catch-up"));
    EXPECT_EQ(ran_.size(), 5U);
}

TEST_F(Calibrating, RefusesTheFolderOfAnotherSender) {
    (void)calibrate_now();
    sender_["kernel"] = "Linux 2";
    EXPECT_THAT(refusal(), HasSubstr("the sender's kernel is 'Linux 2' now and was 'Linux 1'"));
}

TEST_F(Calibrating, RefusesAnotherReceiverBeforeItsPointCounts) {
    stop_after_ = 5;
    (void)calibrate_now();
    stop_ = false;
    stop_after_ = 1'000'000;
    receiver_["host"] = "gamma";
    EXPECT_THAT(refusal(), HasSubstr("the receiver's host is 'gamma' now and was 'beta'"));
    EXPECT_EQ(CalibrationStore(folder() / "calibration.db").results().size(), 5U);
}

TEST_F(Calibrating, RefusesKeptSettingsThatCannotBeSent) {
    stop_after_ = 1;
    (void)calibrate_now();
    stop_ = false;
    SQLite::Database((folder() / "calibration.db").string(), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE about SET value = '65507' WHERE name = 'sizes_bytes';"
            "UPDATE about SET value = 'dccp' WHERE name = 'transport'");
    options_.calibration->transport = Transport::dccp;
    options_.calibration->sizes_bytes.clear();
    EXPECT_THAT(refusal(), HasSubstr(folder().string() + " is damaged: a payload of 65507 bytes"));
}

TEST_F(Calibrating, RefusesAFolderThatAnotherOneWritesTo) {
    std::string inner;
    bool asked = false;
    CalibrationOutcome outcome =
        calibrate(options_, 99,
                  {.clock = clock_,
                   .stop_requests = [] { return 0U; },
                   .show_progress = {},
                   .say = [](const std::string&) {},
                   .draw = [](const std::filesystem::path&) { return std::string(); },
                   .sender = sender_,
                   .run_point = [&](const CalibrationSettings&, const Point& point,
                                    const std::function<void(const Facts&)>&) -> std::optional<PointResult> {
                       if (not asked) {
                           asked = true;
                           inner = refusal();
                       }
                       return measured(point, 1500);
                   }});
    EXPECT_THAT(inner, HasSubstr("another groma-send --calibrate writes to"));
    EXPECT_TRUE(outcome.complete);
}

}  // namespace
}  // namespace groma
