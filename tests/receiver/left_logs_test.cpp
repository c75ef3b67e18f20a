#include "receiver/left_logs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/log/file_sink.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

constexpr MonoTime kThen{};
constexpr Nanos kWhile = std::chrono::minutes(5);

Token token_of(unsigned number) {
    Token token{};
    token[7] = static_cast<std::byte>(number);
    return token;
}

class LeftLogsTest : public ::testing::Test {
protected:
    std::unique_ptr<OfferedLog> log(const std::string& name, const std::string& key = {}) {
        const auto sink = open_named_file_sink(folder_.path() / name);
        auto offered = std::make_unique<OfferedLog>(folder_.path() / name, key);
        sink->append(std::as_bytes(std::span(name)));
        sink->close();
        return offered;
    }

    TemporaryFolder folder_;
    LeftLogs left_{kWhile};
};

TEST_F(LeftLogsTest, AreGivenOnceToWhoHasTheirToken) {
    left_.leave(token_of(1), log("a"), "10.0.0.1", kThen);
    left_.leave(token_of(2), log("bc"), "10.0.0.1", kThen);
    EXPECT_EQ(left_.take(token_of(3), std::nullopt, kThen), nullptr);
    const auto taken = left_.take(token_of(2), std::nullopt, kThen);
    ASSERT_NE(taken, nullptr);
    EXPECT_EQ(taken->section(0).log_bytes, 2U);
    EXPECT_EQ(left_.take(token_of(2), std::nullopt, kThen), nullptr);
    EXPECT_NE(left_.take(token_of(1), std::nullopt, kThen), nullptr);
}

TEST_F(LeftLogsTest, AreGivenToAKeyOfTheSameNameOrAnAdministratorsOnly) {
    const Grant lab{.name = "lab", .roles = {Role::receive}};
    const Grant other{.name = "other", .roles = {Role::receive, Role::send, Role::ship, Role::view}};
    const Grant boss{.name = "boss", .roles = {Role::receive, Role::admin}};
    left_.leave(token_of(1), log("a", "lab"), "10.0.0.1", kThen);
    EXPECT_EQ(left_.take(token_of(1), other, kThen), nullptr);
    EXPECT_EQ(left_.take(token_of(1), std::nullopt, kThen), nullptr);
    auto taken = left_.take(token_of(1), boss, kThen);
    ASSERT_NE(taken, nullptr);
    left_.leave(token_of(1), std::move(taken), "10.0.0.2", kThen);
    EXPECT_NE(left_.take(token_of(1), lab, kThen), nullptr);
}

TEST_F(LeftLogsTest, OfWhoHadNoKeyAreNotGivenToKeys) {
    left_.leave(token_of(1), log("a"), "10.0.0.1", kThen);
    EXPECT_EQ(left_.take(token_of(1), Grant{.name = "lab", .roles = {Role::receive}}, kThen), nullptr);
    EXPECT_NE(left_.take(token_of(1), std::nullopt, kThen), nullptr);
}

TEST_F(LeftLogsTest, AreReadFromTheirBeginningAgain) {
    auto offered = log("abc");
    const LogSection whole = offered->section(0);
    left_.leave(token_of(1), std::move(offered), "10.0.0.1", kThen);
    EXPECT_EQ(left_.take(token_of(1), std::nullopt, kThen)->section(0), whole);
}

TEST_F(LeftLogsTest, WaitForAWhileAndStayOnTheDisk) {
    left_.leave(token_of(1), log("a"), "10.0.0.1", kThen);
    left_.leave(token_of(2), log("b"), "10.0.0.1", kThen + Nanos{1});
    EXPECT_EQ(left_.take(token_of(1), std::nullopt, kThen + kWhile), nullptr);
    EXPECT_NE(left_.take(token_of(2), std::nullopt, kThen + kWhile), nullptr);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "a"));
}

TEST_F(LeftLogsTest, AreSoManyAndTheOldestGoesFirst) {
    for (unsigned i = 0; i <= LeftLogs::kMost; ++i) {
        left_.leave(token_of(i), log(std::to_string(i)), "10.0.0.1", kThen);
    }
    EXPECT_EQ(left_.take(token_of(0), std::nullopt, kThen), nullptr);
    EXPECT_NE(left_.take(token_of(1), std::nullopt, kThen), nullptr);
    EXPECT_NE(left_.take(token_of(LeftLogs::kMost), std::nullopt, kThen), nullptr);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "0"));
}

TEST_F(LeftLogsTest, OfOneHostDoNotPushThoseOfOthersOut) {
    left_.leave(token_of(1000), log("other"), "10.0.0.2", kThen);
    for (unsigned i = 0; i < 2 * LeftLogs::kMost; ++i) {
        left_.leave(token_of(i), log(std::to_string(i)), "10.0.0.1", kThen);
    }
    EXPECT_NE(left_.take(token_of(1000), std::nullopt, kThen), nullptr);
    EXPECT_EQ(left_.take(token_of(LeftLogs::kMost), std::nullopt, kThen), nullptr);
    EXPECT_NE(left_.take(token_of(LeftLogs::kMost + 1), std::nullopt, kThen), nullptr);
}

}  // namespace
}  // namespace groma
