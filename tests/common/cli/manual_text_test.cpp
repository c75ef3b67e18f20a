#include "common/cli/manual_text.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(ManualForm, WhatIsTypedIsBoldAndWhatStandsForSomethingElseIsItalic) {
    EXPECT_EQ(manual_form("--log-server HOST[:PORT]"), R"(\fB\-\-log\-server\fR \fIHOST\fR[:\fIPORT\fR])");
    EXPECT_EQ(manual_form("--departure user|kernel:TIME"), R"(\fB\-\-departure\fR \fBuser\fR|\fBkernel\fR:\fITIME\fR)");
    EXPECT_EQ(manual_form("tool -o FILE.tar|DIR [N...]"),
              R"(\fBtool\fR \fB\-o\fR \fIFILE.tar\fR|\fIDIR\fR [\fIN\fR...])");
}

TEST(ManualText, IsASentenceThatEndsOnce) {
    EXPECT_EQ(manual_text("keep the log", "", ""), "Keep the log.\n");
    EXPECT_EQ(manual_text("keep it. It is long.", "", ""), "Keep it.\nIt is long.\n");
    EXPECT_EQ(manual_text("", "", ""), "");
}

TEST(ManualText, EachSentenceBeginsALine) {
    EXPECT_EQ(manual_text("keep the log (default: none)", "It is long. It has 1.5 MB, e.g. of 2 hours.", ""),
              "Keep the log (default: none).\nIt is long.\nIt has 1.5 MB, e.g. of 2 hours.\n");
}

TEST(ManualText, OptionsProgramsAndPlaceholdersStandOut) {
    EXPECT_EQ(manual_text("send to HOST, as --to=HOST does", "See groma-recv(1), ssh(1). HOST is a HOSTNAME.", "HOST"),
              "Send to \\fIHOST\\fR, as \\fB\\-\\-to\\fR=\\fIHOST\\fR does.\n"
              "See \\fBgroma\\-recv\\fR(1), \\fBssh\\fR(1).\n"
              "\\fIHOST\\fR is a HOSTNAME.\n");
}

TEST(ManualText, AFolderIsNoProgram) {
    EXPECT_EQ(manual_text("see (groma-log)", "It is in /tmp/groma-log.", ""),
              "See (\\fBgroma\\-log\\fR).\nIt is in /tmp/groma\\-log.\n");
}

TEST(ManualText, NothingInATextIsACommandOfThePage) {
    EXPECT_EQ(manual_text("it's", ".part and a\\b and \"~\"", ""),
              "It\\(aqs. \\&.part and a\\eb and \\(dq\\(ti\\(dq\n");
}

TEST(ManualText, LinesAreNoLongerThanEightyBytes) {
    const std::string text = manual_text(
        "one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen",
        "", "");
    EXPECT_EQ(text,
              "One two three four five six seven eight nine ten eleven twelve thirteen fourteen\nfifteen sixteen.\n");
}

}  // namespace
}  // namespace groma
