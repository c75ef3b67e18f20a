#include "common/cli/run_main.hpp"

#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/errors.hpp"

namespace groma {
namespace {

struct Ending {
    int status = 0;
    std::string out;
    std::string error;
};

Ending ending_of(const Arguments& arguments, const std::function<int(const Arguments&)>& body) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ending ending;
    ending.status = run_main("groma-test", arguments, body);
    ending.out = testing::internal::GetCapturedStdout();
    ending.error = testing::internal::GetCapturedStderr();
    return ending;
}

int refuse(const Arguments&) {
    throw UsageError("unknown option '--x\x1b'");
}

int find_no_memory(const Arguments&) {
    throw std::bad_alloc();
}

TEST(RunMain, GivesTheBodyItsArguments) {
    const Ending ending = ending_of({"a", "b"}, [](const Arguments& given) { return static_cast<int>(given.size()); });
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.out + ending.error, "");
}

TEST(RunMain, SaysWhatWentWrong) {
    const Ending usage = ending_of({"--json=file"}, refuse);
    EXPECT_EQ(usage.status, kExitUsage);
    EXPECT_EQ(usage.error, "groma-test: unknown option '--x\\x1b'\ngroma-test: try 'groma-test --help'\n");
    EXPECT_EQ(usage.out, "");
    const Ending failed = ending_of({}, [](const Arguments&) -> int { throw RunError("no route"); });
    EXPECT_EQ(failed.status, kExitFailed);
    EXPECT_EQ(failed.error, "groma-test: no route\n");
}

TEST(RunMain, SaysItInJsonToWhoeverReadsJson) {
    const Ending ending = ending_of({"--json"}, refuse);
    EXPECT_EQ(ending.status, kExitUsage);
    EXPECT_EQ(nlohmann::json::parse(ending.out), (nlohmann::json{{"error", "unknown option '--x\x1b'"}}));
    EXPECT_NE(ending.error, "");
}

TEST(RunMain, SaysThatThereIsNotEnoughMemory) {
    const Ending ending = ending_of({}, find_no_memory);
    EXPECT_EQ(ending.status, kExitFailed);
    EXPECT_EQ(ending.error, "groma-test: not enough memory\n");
}

TEST(RunMainDeathTest, SaysItWhereNothingCanBeUnwound) {
    const auto body = [](const Arguments& arguments) noexcept { return find_no_memory(arguments); };
    EXPECT_EXIT(static_cast<void>(run_main("groma-test", Arguments{}, body)), testing::ExitedWithCode(kExitFailed),
                "groma-test: not enough memory");
}

}  // namespace
}  // namespace groma
