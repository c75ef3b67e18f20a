#include "decoder/follow/follow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_writer.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class Follow : public testing::Test {
protected:
    /// Three packets, two of them in the first second. Returns: the log's name.
    [[nodiscard]] std::string log_of_packets(bool closed) const {
        SampleLog sample = empty_log(LogRole::sender);
        sample.sent = {{FlowId{1}, {sent_packet(0, 0), sent_packet(1, 900'000'000), sent_packet(2, 1'500'000'000)}}};
        close(sample);
        std::string name = folder_.file("send.glog");
        const auto sink = open_file_sink(name);
        LogWriter writer(*sink, sample.metadata);
        writer.add(FlowId{1}, sample.sent.front().second);
        if (closed) {
            writer.close(*sample.totals);
        } else {
            writer.flush();
        }
        return name;
    }
    Followed look_on(const Following& what, bool wants_more = true) {
        const auto show = [&](std::string_view text) {
            shown_.emplace_back(text);
            return wants_more;
        };
        return follow(what, show, clock_);
    }

    const TemporaryFolder folder_;
    ManualClock clock_;
    std::vector<std::string> shown_;
};

TEST_F(Follow, ShowsTheRowsOfALogThatIsThereAndEnds) {
    const Followed end = look_on({.logs = {log_of_packets(true)}});
    EXPECT_FALSE(end.interrupted);
    EXPECT_THAT(end.given_up, IsEmpty());
    ASSERT_EQ(shown_.size(), 3U);
    EXPECT_THAT(shown_[0], EndsWith("missing  log\n"));
    const std::size_t packets = shown_[0].find("packets");
    EXPECT_EQ(shown_[1].substr(packets, 7), "      2");
    EXPECT_EQ(shown_[2].substr(packets, 7), "      1");
    EXPECT_THAT(shown_[2], EndsWith("  send.glog\n"));
}

TEST_F(Follow, ShowsRowsAsJsonLinesForPrograms) {
    static_cast<void>(look_on({.logs = {log_of_packets(true)}, .json = true}));
    ASSERT_EQ(shown_.size(), 2U);
    const auto row = nlohmann::json::parse(shown_[0]);
    EXPECT_EQ(row.at("type"), "live");
    EXPECT_EQ(row.at("log"), "send.glog");
    EXPECT_EQ(row.at("role"), "sender");
    EXPECT_EQ(row.at("t_s"), 0);
    EXPECT_EQ(row.at("interval_s"), 1);
    EXPECT_EQ(row.at("sent_packets"), 2);
    EXPECT_TRUE(row.at("received_packets").is_null());
    EXPECT_TRUE(row.at("delay_p50_ns").is_null());
    EXPECT_EQ(nlohmann::json::parse(shown_[1]).at("sent_pps"), 1);
    EXPECT_THAT(shown_[1], EndsWith("}\n"));
}

TEST_F(Follow, GivesUpALogThatDoesNotGrowAndShowsWhatItHas) {
    const std::string log = log_of_packets(false);
    const Followed end = look_on({.logs = {log}, .patience = Nanos{0}});
    EXPECT_FALSE(end.interrupted);
    EXPECT_THAT(end.given_up, ElementsAre(log));
    EXPECT_EQ(shown_.size(), 3U);
}

TEST_F(Follow, IsInterruptedByWhoeverWantsNoMoreHoweverSoonTheLogsEnd) {
    EXPECT_TRUE(look_on({.logs = {log_of_packets(true)}}, false).interrupted);
    EXPECT_EQ(shown_.size(), 1U);
}

TEST_F(Follow, RefusesWhatItCannotReadAgainBeforeItShowsAnything) {
    const std::string folder = folder_.path().string();
    try {
        look_on({.logs = {log_of_packets(true), folder}});
        FAIL() << "followed";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot follow " + folder + ": it is not a regular file"));
    }
    EXPECT_THROW(look_on({.logs = {folder_.file("none.glog")}}), SystemError);
    EXPECT_THAT(shown_, IsEmpty());
}

}  // namespace
}  // namespace groma
