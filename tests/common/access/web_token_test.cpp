#include "common/access/web_token.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>

#include "common/access/key_files.hpp"
#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

WebToken web_token_of(const std::string& digits) {
    return {.name = "monitor", .scopes = {}, .last_day = parse_day("2027-11-25"), .hash = hash_of_token(digits)};
}

std::string not_a_token(std::string_view text) {
    try {
        static_cast<void>(parse_web_token(text, "monitor.token"));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(WebToken, IsKnownByTheHashOfItsDigits) {
    // By sha256sum(1).
    EXPECT_EQ(digits_of_token(hash_of_token("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const std::string digits = digits_of_token(random_secret());
    EXPECT_EQ(digits.size(), 64U);
    EXPECT_NE(digits, digits_of_token(random_secret()));
    EXPECT_TRUE(same_hash(hash_of_token(digits), hash_of_token(digits)));
    EXPECT_FALSE(same_hash(hash_of_token(digits), hash_of_token(digits.substr(1))));
}

TEST(WebToken, ComesBackFromItsFileWhichDoesNotHaveIt) {
    const std::string digits = digits_of_token(random_secret());
    WebToken token = web_token_of(digits);
    EXPECT_EQ(parse_web_token(text_of(token), ""), token);
    EXPECT_THAT(text_of(token), AllOf(Not(HasSubstr(digits)), HasSubstr("monitor")));
    token.last_day.reset();
    token.scopes.page = false;
    EXPECT_EQ(parse_web_token(text_of(token), ""), token);
    EXPECT_TRUE(is_web_token(text_of(token)));
}

TEST(WebToken, WhatIsNoneIsNamed) {
    const std::string text = text_of(web_token_of("x"));
    for (std::size_t length = 0; length + 2 < text.size(); ++length) {
        EXPECT_THAT(not_a_token(text.substr(0, length)), HasSubstr("monitor.token is no token: ")) << length;
    }
    EXPECT_THAT(not_a_token(R"({"groma_key": "user"})"), HasSubstr("groma-key token NAME --keys DIR"));
    std::string more = text;
    more.replace(more.find("\"name\""), 6, "\"nome\"");
    EXPECT_THAT(not_a_token(more), HasSubstr("'nome', which this release does not know"));
    for (const char* const other : {"", "[]", "{}", "{\"groma_key\": 1}", "\"token\"", "nonsense"}) {
        EXPECT_FALSE(is_web_token(other)) << other;
    }
}

TEST(WebToken, IsGoodToTheEndOfItsLastDay) {
    const WebToken token = web_token_of("x");
    const auto at = [](std::string_view day, std::chrono::hours hour) {
        return WallTime(std::chrono::sys_days(parse_day(day).date).time_since_epoch() + hour);
    };
    EXPECT_FALSE(token.expired(at("2027-11-25", std::chrono::hours(23))));
    EXPECT_TRUE(token.expired(at("2027-11-26", std::chrono::hours(0))));
}

TEST(WebScopes, AreNamed) {
    for (const char* const text : {"metrics", "page", "metrics,page"}) {
        EXPECT_EQ(to_string(parse_web_scopes(text)), text);
    }
    EXPECT_EQ(parse_web_scopes("page,metrics"), WebScopes());
    EXPECT_FALSE(parse_web_scopes("page").has(WebScope::metrics));
    for (const char* const wrong : {"", ",", "page,", "pages", "metrics page", "admin"}) {
        EXPECT_THROW(static_cast<void>(parse_web_scopes(wrong)), UsageError) << wrong;
    }
}

TEST(TokenFolder, HasTheFilesOfTokensAndOfNothingElse) {
    const TemporaryFolder folder;
    const auto write = [&folder](const std::string& name, const std::string& text, mode_t mode) {
        std::ofstream(folder.file(name)) << text;
        EXPECT_EQ(::chmod(folder.file(name).c_str(), mode), 0);
    };
    write("monitor.token", text_of(web_token_of("x")), 0600);
    write("lab.key", "no key", 0600);
    ASSERT_EQ(read_token_folder(folder.path()).size(), 1U);
    EXPECT_EQ(read_token_folder(folder.path()).front(), web_token_of("x"));
    EXPECT_TRUE(std::holds_alternative<WebToken>(read_key(folder.file("monitor.token"))));
    write("bad.token", "no token", 0600);
    EXPECT_THROW(static_cast<void>(read_token_folder(folder.path())), UsageError);
    std::vector<std::string> said;
    EXPECT_EQ(read_token_folder(folder.path(), [&said](const std::string& why) { said.push_back(why); }).size(), 1U);
    EXPECT_THAT(said, testing::ElementsAre(HasSubstr("bad.token is no token")));
    write("bad.token", text_of(web_token_of("y")), 0640);
    EXPECT_THROW(static_cast<void>(read_token_folder(folder.path())), UsageError);
}

}  // namespace
}  // namespace groma
