#include "keys/key_listing.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/access/web_token.hpp"
#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr WallTime kToday = wall_time_from_ns(1'795'608'000'000'000'000);  // 2026-11-25, 12:00 UTC

AccessKey some_key() {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(std::byte{0xa5});
    return {.grant = {.name = "lab", .roles = {Role::send, Role::view}}, .secret = Secret(bytes)};
}

class KeyListing : public ::testing::Test {
protected:
    std::filesystem::path file(const std::string& name, const std::string& text, mode_t mode = 0600) {
        const std::filesystem::path path = folder_.path() / name;
        std::ofstream(path) << text;
        EXPECT_EQ(::chmod(path.c_str(), mode), 0);
        return path;
    }
    static std::string shown(const std::vector<std::filesystem::path>& files) { return key_listing(files, kToday); }
    static std::string refused(const std::vector<std::filesystem::path>& files) {
        try {
            static_cast<void>(shown(files));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

private:
    TemporaryFolder folder_;
};

TEST_F(KeyListing, SaysWhatATokenIs) {
    const WebToken token{.name = "monitor",
                         .scopes = {.metrics = true, .page = false},
                         .last_day = parse_day("2026-11-24"),
                         .hash = hash_of_token("digits")};
    const std::string table = shown({file("monitor.token", text_of(token))});
    EXPECT_THAT(table, ContainsRegex("monitor.token +token +monitor +metrics +2026-11-24 \\(expired\\)"));
    EXPECT_THAT(table, testing::Not(HasSubstr(to_string(token.hash))));
}

TEST_F(KeyListing, SaysWhatEachFileIs) {
    AccessKey key = some_key();
    const auto user = file("lab.key", text_of(key));
    key.grant.last_day = parse_day("2026-11-25");
    key.grant.experiments = parse_prefixes("voip-,lab.");
    key.grant.limits = parse_limits("flows=9");
    const std::vector<std::string> hosts{"beta", "10.0.0.2"};
    const auto host = file("beta.key", text_of(known_by_host(key, hosts)));
    const std::string table = shown({user, host});
    EXPECT_THAT(table, ContainsRegex("file +kind +name +roles +last day +experiments +limits +hosts\n"));
    EXPECT_THAT(table, ContainsRegex("/lab\\.key +user +lab +send,view +none +all +none +-\n"));
    EXPECT_THAT(
        table,
        ContainsRegex("/beta\\.key +host +lab +send,view +2026-11-25 +voip-,lab\\. +flows=9 +beta, 10\\.0\\.0\\.2\n"));
}

TEST_F(KeyListing, MarksWhatHasExpired) {
    AccessKey key = some_key();
    key.grant.last_day = parse_day("2026-11-24");
    EXPECT_THAT(shown({file("lab.key", text_of(key))}), HasSubstr(" 2026-11-24 (expired) "));
}

TEST_F(KeyListing, ShowsNoSecretAndNoId) {
    const AccessKey key = some_key();
    const std::vector<std::string> hosts{"beta"};
    const KnownKey part = known_by_host(key, hosts);
    const std::string table = shown({file("lab.key", text_of(key)), file("beta.key", text_of(part))});
    EXPECT_THAT(table,
                AllOf(Not(HasSubstr(to_string(key.secret))), Not(HasSubstr(to_string(part.hosts.front().key.secret))),
                      Not(HasSubstr(to_hex(part.hosts.front().key.id)))));
}

TEST_F(KeyListing, ShowsNamesOfFilesAsPlainText) {
    EXPECT_THAT(shown({file("\x1b[2J.key", text_of(some_key()))}), HasSubstr("/\\x1b[2J.key "));
}

TEST_F(KeyListing, SaysOfAFileThatIsNoKeyThatItIsNone) {
    for (const char* text : {"", "[]", "{}", R"({"groma_key": "server"})"}) {
        const auto other = file("notes", text);
        EXPECT_THAT(refused({other}), AllOf(HasSubstr(other.string() + " is no key: it "), HasSubstr("groma-key")));
    }
}

TEST_F(KeyListing, SaysOfADamagedKeyWhatIsWrongWithIt) {
    const auto user = file("user.key", R"({"groma_key": "user", "name": "lab", "roles": "view", "sekret": ""})");
    EXPECT_THAT(refused({user}),
                AllOf(HasSubstr("user.key is no key: it has the field 'sekret'"), Not(HasSubstr("host"))));
    const auto host = file("host.key", R"({"groma_key": "host", "name": "lab", "roles": "view", "hosts": []})");
    EXPECT_THAT(refused({host}), AllOf(HasSubstr("host.key is no key: 'hosts' must have at least one element"),
                                       Not(HasSubstr("no user key"))));
}

TEST_F(KeyListing, TellsTheErrorsOfAllFiles) {
    const std::string text = refused(
        {file("a", "{}"), file("good", text_of(some_key())), file("b", "{}"), file("open", text_of(some_key()), 0644)});
    EXPECT_THAT(text, AllOf(HasSubstr("/a is no key"), HasSubstr("/b is no key"),
                            HasSubstr("/open can be read by others"), Not(HasSubstr("/good"))));
}

TEST_F(KeyListing, AFileThatIsNotThereIsAnError) {
    const std::vector<std::filesystem::path> files{folder() / "absent.key"};
    EXPECT_THROW(static_cast<void>(key_listing(files, kToday)), SystemError);
}

}  // namespace
}  // namespace groma
