#include "sender/commands/row_output.hpp"

#include <gmock/gmock.h>

#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class RowOutputTest : public testing::Test {
protected:
    RowOutputTest() {
        options_.interval = std::chrono::seconds(1);
        options_.quiet = true;
    }

    SenderOptions options_;
    Console console_{true};
    TemporaryFolder folder_;
};

TEST_F(RowOutputTest, WritesLinesOfJsonToAFileThatGetsItsNameAtTheEnd) {
    options_.jsonl = folder_.file("rows.jsonl");
    RowOutput output(options_, console_);
    const auto wanted = output.wanted();
    ASSERT_TRUE(wanted);
    EXPECT_EQ(wanted->interval, options_.interval);
    wanted->take({});
    wanted->take({.last = true});
    EXPECT_EQ(content_of(*options_.jsonl + ".part"), row_json({}) + row_json({.last = true}));
    output.keep();
    EXPECT_EQ(content_of(*options_.jsonl), row_json({}) + row_json({.last = true}));
    EXPECT_THAT(output.error(), IsEmpty());
}

TEST_F(RowOutputTest, SaysWhyRowsAreMissingAndLetsTheRunGoOn) {
    options_.jsonl = "/dev/full";
    RowOutput output(options_, console_);
    const auto wanted = output.wanted();
    wanted->take({});
    wanted->take({});
    output.keep();
    EXPECT_THAT(output.error(), HasSubstr("rows are missing: cannot write /dev/full: No space left"));
}

TEST_F(RowOutputTest, WantsNoRowsWithoutAnInterval) {
    options_.interval.reset();
    EXPECT_FALSE(RowOutput(options_, console_).wanted());
}

}  // namespace
}  // namespace groma
