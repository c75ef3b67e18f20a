#include "keys/key_options.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

WallTime noon_of(std::string_view day) {
    return WallTime(std::chrono::sys_days(parse_day(day).date).time_since_epoch() + std::chrono::hours(12));
}

KeyOptions parse_keys(const std::vector<std::string>& arguments, std::string_view today = "2026-11-25") {
    return parse_key_options(arguments, noon_of(today));
}

std::string key_errors(const std::vector<std::string>& arguments, std::string_view today = "2026-11-25") {
    try {
        static_cast<void>(parse_keys(arguments, today));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string expires(const std::string& text, std::string_view today = "2026-11-25") {
    return to_string(*parse_keys({"new", "lab", "--expires", text}, today).last_day);
}

TEST(KeyOptions, MakeANewKeyByItsName) {
    const KeyOptions options = parse_keys({"new", "lab.a_1-x"});
    EXPECT_EQ(options.command, KeyCommand::new_key);
    EXPECT_EQ(options.name, "lab.a_1-x");
    EXPECT_EQ(options.roles, std::nullopt);
    EXPECT_EQ(options.last_day, std::nullopt);
}

TEST(KeyOptions, GrantRolesAndALastDay) {
    const KeyOptions options = parse_keys({"new", "lab", "--role", "view,admin", "--expires=2027-11-25"});
    EXPECT_EQ(options.roles, (Roles{Role::view, Role::admin}));
    EXPECT_EQ(options.last_day, parse_day("2027-11-25"));
}

TEST(KeyOptions, BindShippingToExperiments) {
    EXPECT_EQ(parse_keys({"new", "lab", "--experiments", "voip-,lab."}).experiments, parse_prefixes("voip-,lab."));
    EXPECT_EQ(parse_keys({"host", "lab.key", "beta"}).experiments, std::nullopt);
    for (const char* wrong : {",a", "a,", "a/b", "a b"}) {
        EXPECT_THAT(key_errors({"new", "lab", "--experiments", wrong}), HasSubstr("is no beginning of names")) << wrong;
    }
}

TEST(KeyOptions, LimitWhatMayBeAskedFor) {
    EXPECT_EQ(parse_keys({"host", "lab.key", "beta", "--limits", "flows=9,rate=1kpps"}).limits,
              parse_limits("flows=9,rate=1kpps"));
    EXPECT_EQ(parse_keys({"host", "lab.key", "beta"}).limits, std::nullopt);
    EXPECT_THAT(key_errors({"new", "lab", "--limits", "flow=9"}), HasSubstr("there is no limit 'flow'"));
}

TEST(KeyOptions, MakeAPartForAHostUnderItsNamesEachOnce) {
    const KeyOptions options = parse_keys({"host", "lab.key", "Beta", "10.0.0.2", "beta.", "[FD99::0:2]"});
    EXPECT_EQ(options.command, KeyCommand::host);
    EXPECT_THAT(options.files, ElementsAre("lab.key"));
    EXPECT_THAT(options.hosts, ElementsAre("beta", "10.0.0.2", "fd99::2"));
}

TEST(KeyOptions, ShowFiles) {
    const KeyOptions options = parse_keys({"show", "a.key", "b.key"});
    EXPECT_EQ(options.command, KeyCommand::show);
    EXPECT_THAT(options.files, ElementsAre("a.key", "b.key"));
    EXPECT_THAT(options.hosts, IsEmpty());
}

TEST(KeyOptions, MakeATokenForAFolder) {
    const KeyOptions options =
        parse_keys({"token", "monitor", "--keys", "keys", "--for", "metrics", "--expires", "1d"});
    EXPECT_EQ(options.command, KeyCommand::token);
    EXPECT_EQ(options.name, "monitor");
    EXPECT_EQ(options.folder, "keys");
    EXPECT_EQ(options.scopes, (WebScopes{.metrics = true, .page = false}));
    EXPECT_EQ(options.last_day, parse_day("2026-11-26"));
    EXPECT_EQ(parse_keys({"token", "monitor", "--keys=keys"}).scopes, WebScopes());
    EXPECT_THAT(key_errors({"token", "monitor"}), HasSubstr("--keys DIR"));
    EXPECT_THAT(key_errors({"token", "a/b", "--keys", "keys"}), HasSubstr("is no name of a key"));
    EXPECT_THAT(key_errors({"token", "monitor", "--keys", "keys", "--for", "all"}), HasSubstr("'all' is nothing"));
    EXPECT_NE(key_errors({"new", "lab", "--keys", "keys"}), "accepted");
    EXPECT_NE(key_errors({"token", "monitor", "--keys", "keys", "--role", "view"}), "accepted");
}

TEST(KeyOptions, HelpAndVersionComeBeforeErrors) {
    EXPECT_EQ(parse_keys({"--help"}).command, KeyCommand::help);
    EXPECT_EQ(parse_keys({"host", "-h"}).command, KeyCommand::help);
    EXPECT_EQ(parse_keys({"--version"}).command, KeyCommand::version);
}

TEST(KeyOptions, TheLastDayIsADayOrSomeDaysFromNow) {
    EXPECT_EQ(expires("2026-11-26"), "2026-11-26");
    EXPECT_EQ(expires("90d"), "2027-02-23");
    EXPECT_EQ(expires("1d", "2028-02-28"), "2028-02-29");
    EXPECT_EQ(expires("0d"), "2026-11-25");
    EXPECT_EQ(expires("2026-11-25"), "2026-11-25");
}

TEST(KeyOptions, TheLastDayIsAtMostTenYearsFromNow) {
    EXPECT_EQ(expires("2036-11-25"), "2036-11-25");
    EXPECT_EQ(expires("3653d"), "2036-11-25");
    for (const char* text : {"2036-11-26", "3654d", "4294967295d", "9999-12-31"}) {
        EXPECT_THAT(key_errors({"new", "lab", "--expires", text}),
                    HasSubstr("is more than 10 years from now: give at most 2036-11-25"));
    }
    EXPECT_EQ(expires("2038-03-01", "2028-02-29"), "2038-03-01");
    EXPECT_THAT(key_errors({"new", "lab", "--expires", "2038-03-02"}, "2028-02-29"), HasSubstr("2038-03-01"));
}

TEST(KeyOptions, TheLastDayIsNotOver) {
    EXPECT_EQ(key_errors({"new", "lab", "--expires", "2026-11-24"}),
              "--expires: the day 2026-11-24 is over: give today (2026-11-25) or a later one");
}

TEST(KeyOptions, RefuseWhatIsNoDay) {
    for (const char* text : {"12h", "90", "d", "-1d", "+1d", "1.5d", "90dd", "90 d", "99999999999d", "2027-02-29",
                             "2027-1-1", "tomorrow"}) {
        EXPECT_EQ(key_errors({"new", "lab", std::string("--expires=").append(text)}),
                  std::string("--expires: '")
                      .append(text)
                      .append("' is neither a day nor a number of days: write 2027-11-25, or 90d"));
    }
}

TEST(KeyOptions, RefuseWhatCannotBeAndSayWhatCould) {
    struct Case {
        std::vector<std::string> arguments;
        std::string says;
    };
    const std::vector<Case> cases{
        {{},
         "say what to do: groma-key new NAME, groma-key host FILE HOST..., groma-key token NAME --keys DIR or "
         "groma-key show FILE..."},
        {{"--role", "view"}, "--role requires a command"},
        {{"make", "lab"}, "unknown command 'make'"},
        {{"new"}, "'new' needs more arguments: new NAME"},
        {{"new", "lab", "beta"}, "unexpected argument 'beta'"},
        {{"new", "the lab"}, "'the lab' is no name of a key: use 1 to 64 letters"},
        {{"new", ""}, "'' is no name of a key"},
        {{"new", std::string(65, 'a')}, "is no name of a key"},
        {{"new", "lab", "--role", "recieve"}, "--role: 'recieve' is no role"},
        {{"new", "lab", "--role", "recieve"}, "did you mean 'receive'?"},
        {{"new", "lab", "--role="}, "--role needs a value"},
        {{"new", "lab", "--roles", "view"}, "unknown option --roles: did you mean --role?"},
        {{"host"}, "'host' needs more arguments: host FILE HOST..."},
        {{"host", "lab.key"}, "'host' needs more arguments: host FILE HOST..."},
        {{"host", "lab.key", "beta:9000"},
         "'beta:9000' is neither a host's name nor an address: write what users "
         "write after --to, without a port"},
        {{"host", "lab.key", "http://beta/"}, "is neither a host's name nor an address"},
        {{"show"}, "'show' needs more arguments: show FILE..."},
        {{"show", "lab.key", "--role", "view"}, "'show' does not take --role"},
    };
    for (const Case& one : cases) {
        EXPECT_THAT(key_errors(one.arguments), HasSubstr(one.says)) << one.says;
    }
}

TEST(KeyOptions, AHostHasAtMost64Names) {
    std::vector<std::string> arguments{"host", "lab.key"};
    for (std::size_t i = 0; i < kMostNamesOfHost; ++i) {
        arguments.push_back("beta" + std::to_string(i));
    }
    EXPECT_EQ(parse_keys(arguments).hosts.size(), kMostNamesOfHost);
    arguments.push_back("gamma");
    EXPECT_THAT(key_errors(arguments), HasSubstr("unexpected argument 'gamma'"));
}

TEST(KeyOptions, TellAllErrorsTogether) {
    const std::string text = key_errors({"host", "lab.key", "a b", "c d", "--role", "x", "--expires", "y"});
    for (const char* part : {"'a b'", "'c d'", "--role: 'x'", "--expires: 'y'"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

}  // namespace
}  // namespace groma
