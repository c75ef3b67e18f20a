#include "decoder/command/decoder_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "common/base/errors.hpp"
#include "common/model/experiment/requirement.hpp"
#include "decoder/fit/fit_options.hpp"
#include "decoder/html/report_options.hpp"
#include "decoder/packets/pcapng_options.hpp"
#include "decoder/repetitions/repetition_options.hpp"
#include "decoder/results/group_key.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

DecoderOptions parsed(const std::vector<std::string>& arguments) {
    return parse_decoder_options(arguments);
}

std::string complaint_about(const std::vector<std::string>& arguments) {
    try {
        static_cast<void>(parsed(arguments));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(DecoderOptions, LogsAloneMeanTextAndSeconds) {
    const auto options = parsed({"a.glog", "b.glog"});
    EXPECT_THAT(options.logs, ElementsAre("a.glog", "b.glog"));
    EXPECT_TRUE(options.prints_text());
    EXPECT_EQ(options.interval, Nanos{1'000'000'000});
}

TEST(DecoderOptions, JsonWithoutAFileTakesTheTextsPlace) {
    const auto options = parsed({"--json", "a.glog"});
    EXPECT_EQ(options.json, "-");
    EXPECT_THAT(options.logs, ElementsAre("a.glog"));
    EXPECT_FALSE(options.prints_text());
}

TEST(DecoderOptions, FilesLeaveTheText) {
    const auto options = parsed({"a.glog", "--json=x.json", "--csv=x.csv", "--sqlite", "x.sqlite"});
    EXPECT_EQ(options.json, "x.json");
    EXPECT_EQ(options.csv, "x.csv");
    EXPECT_EQ(options.sqlite, "x.sqlite");
    EXPECT_TRUE(options.prints_text());
}

TEST(DecoderOptions, StandardInputIsALog) {
    EXPECT_THAT(parsed({"-"}).logs, ElementsAre("-"));
}

TEST(DecoderOptions, FlowsAreAList) {
    EXPECT_THAT(parsed({"a", "--flow", "3,1"}).flows, ElementsAre(FlowId{1}, FlowId{3}));
    EXPECT_EQ(parsed({"a", "--interval", "100ms"}).interval, Nanos{100'000'000});
    EXPECT_EQ(parsed({"a", "--bottleneck", "94Mbps"}).bottleneck_bps, 94e6);
    EXPECT_EQ(parsed({"a"}).bottleneck_bps, std::nullopt);
}

TEST(DecoderOptions, ErrorsAreNamed) {
    EXPECT_THAT(complaint_about({}), HasSubstr("no log given"));
    EXPECT_THAT(complaint_about({"-", "-"}), HasSubstr("one standard input"));
    EXPECT_THAT(complaint_about({"a", "--json", "--csv"}), HasSubstr("cannot both go to standard output"));
    EXPECT_THAT(complaint_about({"a", "--jsonl", "--octave", "-"}), HasSubstr("--jsonl and --octave cannot both"));
    EXPECT_THAT(complaint_about({"-", "--hdr", "x"}), HasSubstr("--hdr reads the logs once more"));
    EXPECT_THAT(complaint_about({"a", "--sqlite", "-"}), HasSubstr("--sqlite -"));
    EXPECT_THAT(complaint_about({"a", "--force"}), HasSubstr("--force requires --sqlite"));
    EXPECT_THAT(complaint_about({"a", "--interval", "5"}), HasSubstr("--interval"));
    EXPECT_THAT(complaint_about({"a", "--interval", "1ns"}), HasSubstr("too short"));
    EXPECT_THAT(complaint_about({"a", "--interval", "0"}), HasSubstr("'0' is too short: use 1us or more"));
    EXPECT_THAT(complaint_about({"a", "--bottleneck", "94pps"}), HasSubstr("not a rate of bits"));
    for (const char* flows : {"0", "x", "1,", ",1", "-1", "1;2", "99999999999"}) {
        EXPECT_THAT(complaint_about({"a", "--flow", flows}), HasSubstr("--flow")) << flows;
    }
}

TEST(DecoderOptions, AllErrorsComeTogether) {
    const std::string text = complaint_about({"--flow", "x", "--interval", "y"});
    EXPECT_THAT(text, HasSubstr("no log given"));
    EXPECT_THAT(text, HasSubstr("--flow: 'x'"));
    EXPECT_THAT(text, HasSubstr("--interval"));
}

TEST(DecoderOptions, HelpNeedsNoLog) {
    EXPECT_TRUE(parsed({"--help"}).help);
    EXPECT_THAT(help_text(decoder_option_table()), HasSubstr("--sqlite FILE"));
}

TEST(DecoderOptions, RequirementsAreReadAndRefused) {
    EXPECT_EQ(to_string(parsed({"a.glog", "--require", "rate=0.1%,loss=0"}).required), "rate=0.001,loss=0");
    EXPECT_THAT(complaint_about({"a.glog", "--require", "speed=1ms"}), HasSubstr("--require: 'speed'"));
}

TEST(DecoderOptions, SayWhichPacketsAreLookedAt) {
    const Cut cut = parsed({"--skip-start", "2s", "--skip-end", "500ms", "--size", "64..512", "a.glog"}).cut;
    EXPECT_EQ(cut.from, Nanos{2'000'000'000});
    EXPECT_EQ(cut.skip_end, Nanos{500'000'000});
    EXPECT_FALSE(cut.until);
    EXPECT_EQ(cut.sizes, (SizeRange{64, 512}));
    EXPECT_EQ(parsed({"--from", "1s", "--until", "3s", "a.glog"}).cut.until, Nanos{3'000'000'000});
    EXPECT_EQ(parsed({"a.glog"}).cut, Cut{});
}

TEST(DecoderOptions, CutsThatContradictEachOtherAreRefused) {
    EXPECT_THAT(complaint_about({"--from", "1s", "--skip-start", "1s", "a"}), HasSubstr("give one of them"));
    EXPECT_THAT(complaint_about({"--until", "1s", "--skip-end", "1s", "a"}), HasSubstr("give one of them"));
    EXPECT_THAT(complaint_about({"--from", "3s", "--until", "3s", "a"}), HasSubstr("later than --from"));
    EXPECT_THAT(complaint_about({"--from", "3", "a"}), HasSubstr("--from"));
    EXPECT_THAT(complaint_about({"--size", "9..8", "a"}), HasSubstr("--size"));
    EXPECT_THAT(complaint_about({"--hdr", "--from", "3s", "a"}), HasSubstr("--hdr"));
}

TEST(DecoderOptions, NameWhatFlowsAreGroupedBy) {
    EXPECT_THAT(parsed({"--group", "hosts,label", "a"}).group_by, ElementsAre(GroupKey::hosts, GroupKey::label));
    EXPECT_THAT(complaint_about({"--group", "host", "a"}), HasSubstr("hosts, transport, profile, label"));
}

TEST(DecoderOptions, FollowingTakesAPatienceAndFilesOnly) {
    EXPECT_FALSE(parsed({"a"}).follow);
    EXPECT_TRUE(parsed({"a", "--follow"}).follow);
    EXPECT_EQ(parsed({"a", "--follow"}).patience, std::nullopt);
    EXPECT_EQ(parsed({"a", "--follow=3s"}).patience, Nanos{3'000'000'000});
    EXPECT_THAT(complaint_about({"a", "--follow=soon"}), HasSubstr("--follow"));
    EXPECT_THAT(complaint_about({"-", "--follow"}), HasSubstr("standard input cannot be followed"));
}

TEST(DecoderOptions, ThreadsAreCountedFromOne) {
    EXPECT_EQ(parsed({"a"}).threads, 0U);
    EXPECT_EQ(parsed({"a", "--threads", "7"}).threads, 7U);
    EXPECT_THAT(complaint_about({"a", "--threads", "0"}), HasSubstr("--threads"));
    EXPECT_THAT(complaint_about({"a", "--threads", "257"}), HasSubstr("--threads"));
}

TEST(DecoderOptions, AreInTheHelpAndInTheManPage) {
    for (const CommandTable* table : {&decoder_option_table(), &fit_option_table(), &pcapng_option_table(),
                                      &batch_option_table(), &report_option_table()}) {
        expect_documented(*table, GROMA_TEST_DATA);
    }
}

TEST(DecoderOptions, CompleteInShells) {
    constexpr std::array kKeys{GroupKey::hosts, GroupKey::transport, GroupKey::profile, GroupKey::label};
    expect_completed(
        {.table = decoder_option_table(),
         .commands = {&batch_option_table(), &fit_option_table(), &pcapng_option_table(), &report_option_table()},
         .words = {{"--group", named_words(kKeys, [](GroupKey key) { return to_string(key); })},
                   {"FIGURE=LIMIT[,...]", named_words(required_figures(), &RequiredFigureRow::word, "=")}}},
        GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
