#include "common/page/page_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/common/page/board_samples.hpp"

namespace groma {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;

struct Told {
    std::string name;
    Json data;
};

/// Of a text in the form of server-sent events, each with one line of data.
std::vector<Told> told(const std::string& text) {
    std::vector<Told> events;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find("\n\n", at);
        const std::string event = text.substr(at, end - at);
        const std::size_t line = event.find('\n');
        EXPECT_EQ(event.substr(0, 7), "event: ");
        EXPECT_EQ(event.substr(line, 7), "\ndata: ");
        events.push_back({event.substr(7, line - 7), Json::parse(event.substr(line + 7))});
        at = end + 2;
    }
    return events;
}

std::vector<std::string> names(const std::string& text) {
    std::vector<std::string> found;
    for (const Told& event : told(text)) {
        found.push_back(event.name);
    }
    return found;
}

const PageFacts kFacts{.program = "groma-test", .started = wall_time_from_ns(77)};

TEST(PageEvents, BeginWithWhoTellsAndWhichRunsThereAre) {
    RunBoard board;
    (void)board.begin(sample_run());
    PageEvents events(board, kFacts, 0, 0);
    const std::vector<Told> first = told(events.begin());
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].name, "hello");
    EXPECT_EQ(first[0].data.at("instance"), 77);
    EXPECT_EQ(first[1].name, "runs");
    EXPECT_EQ(first[1].data.at("runs").at(0).at("experiment"), "sample");
    EXPECT_EQ(events.next(), "");
}

TEST(PageEvents, FollowARunToItsEnd) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run());
    PageEvents events(board, kFacts, run, 0);
    EXPECT_THAT(names(events.begin()), ElementsAre("hello", "runs", "run"));
    board.add(run, sample_row(0));
    board.add(run, sample_row(1));
    const std::vector<Told> rows = told(events.next());
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].name, "rows");
    EXPECT_EQ(rows[1].data.at("number"), 1);
    EXPECT_EQ(rows[1].data.at("rows").size(), 3U);
    EXPECT_EQ(rows[1].data.at("rows").at(2).at(0), 2) << "the flow's number";
    EXPECT_EQ(rows[1].data.at("rows").at(2).at(1), 1.0) << "t_s";
    board.add(run, sample_row(2));
    board.end(run, {.end = "complete", .network_text = "all arrived"});
    const std::vector<Told> end = told(events.next());
    ASSERT_EQ(end.size(), 3U);
    EXPECT_EQ(end[0].name, "runs");
    EXPECT_EQ(end[1].name, "rows");
    EXPECT_EQ(end[2].name, "run");
    EXPECT_EQ(end[2].data.at("network_text"), "all arrived");
    EXPECT_EQ(end[2].data.at("rows"), 3);
    EXPECT_EQ(events.next(), "");
}

TEST(PageEvents, OfOtherRunsOnlyTheListIsTold) {
    RunBoard board;
    const RunNumber mine = board.begin(sample_run());
    PageEvents events(board, kFacts, mine, 0);
    (void)events.begin();
    const RunNumber other = board.begin(sample_run());
    EXPECT_THAT(names(events.next()), ElementsAre("runs"));
    board.add(other, sample_row(0));
    EXPECT_EQ(events.next(), "");
}

TEST(PageEvents, ASlowReaderHearsThatItMissedRows) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run(300));
    PageEvents events(board, kFacts, run, 0);
    (void)events.begin();
    for (std::uint64_t second = 0; second < 1000; ++second) {
        board.add(run, sample_row(second, 300));
    }
    const std::string text = events.next();
    EXPECT_EQ(told(text).at(0).name, "gap");
    EXPECT_EQ(told(text).back().data.at("number"), 999);
    EXPECT_LT(text.size(), std::size_t{1} << 20U) << "whatever it missed";
    EXPECT_EQ(events.next(), "");
}

TEST(PageEvents, ARunThatIsForgottenIsToldOnce) {
    RunBoard board({.ended_runs = 1});
    const RunNumber run = board.begin(sample_run());
    PageEvents events(board, kFacts, run, 0);
    (void)events.begin();
    board.end(run, {.end = "complete"});
    board.end(board.begin(sample_run()), {.end = "complete"});
    EXPECT_THAT(names(events.next()), ElementsAre("runs", "gone"));
    board.end(board.begin(sample_run()), {.end = "complete"});
    EXPECT_THAT(names(events.next()), ElementsAre("runs"));
}

TEST(PageEvents, NamesCannotBreakOutOfTheirLine) {
    RunBoard board;
    BoardRun run = sample_run(1, "a\n\nevent: hello\ndata: {}\r\n</script>\xff");
    run.flows[0].name = "\n\nevent: x";
    const RunNumber number = board.begin(std::move(run));
    PageEvents events(board, kFacts, number, 0);
    const std::string text = events.begin();
    EXPECT_THAT(names(text), ElementsAre("hello", "runs", "run"));
    EXPECT_EQ(told(text)[2].data.at("flows").at(0).at("name"), "\n\nevent: x");
}

}  // namespace
}  // namespace groma
