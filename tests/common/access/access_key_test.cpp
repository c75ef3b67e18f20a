#include "common/access/access_key.hpp"

#include <gmock/gmock.h>

#include "common/base/base64.hpp"
#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kCountedSecret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";  // the bytes 0 to 31

AccessKey counted_key() {
    return {.grant = {.name = "lab", .roles = {Role::receive, Role::view}, .last_day = parse_day("2027-11-25")},
            .secret = parse_secret(kCountedSecret)};
}

KnownKey counted_part() {
    const std::vector<std::string> hosts{"beta", "10.0.0.2"};
    return known_by_host(counted_key(), hosts);
}

/// What UsageError says.
template <typename Run>
std::string refused(const Run& run) {
    try {
        static_cast<void>(run());
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string user_refused(std::string_view text) {
    return refused([text] { return parse_access_key(text, "lab.key"); });
}

std::string host_refused(std::string_view text) {
    return refused([text] { return parse_known_key(text, "beta.key"); });
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string in_quotes(std::string_view text) {
    std::string quotes(1, '"');
    return quotes.append(text).append(1, '"');
}

template <std::size_t Size>
std::string hex_of(std::span<const std::byte, Size> bytes) {
    static_assert(Size == sizeof(Token) or Size == 2 * sizeof(Token));
    std::string text;
    for (std::size_t at = 0; at < Size; at += sizeof(Token)) {
        Token piece{};
        std::ranges::copy(bytes.subspan(at, sizeof(Token)), piece.begin());
        text += to_hex(piece);
    }
    return text;
}

TEST(AccessKeyRoles, AreReadAndWrittenInOneOrder) {
    EXPECT_EQ(parse_roles("view"), Roles{Role::view});
    EXPECT_EQ(to_string(parse_roles("admin,view,ship,send,receive,view")), "receive,send,ship,view,admin");
    EXPECT_EQ(parse_roles("view,send"), (Roles{Role::send, Role::view}));
    EXPECT_EQ(to_string(Roles()), "");
}

TEST(AccessKeyRoles, RefuseWhatIsNoneAndNameThoseThatThereAre) {
    for (const char* text : {"", ",", "receive,", ",view", "receive view", "Receive", "receive, view", "all"}) {
        EXPECT_THAT(refused([text] { return parse_roles(text); }),
                    HasSubstr("is no role: write one or several of 'receive', 'send', 'ship', 'view' or 'admin', "
                              "with ',' between them"))
            << text;
    }
    EXPECT_THAT(refused([] { return parse_roles("view,recieve"); }),
                AllOf(StartsWith("'recieve' "), HasSubstr("did you mean 'receive'?")));
}

TEST(AccessKeyRoles, ALackIsToldWithTheWayToEndIt) {
    const Grant grant = counted_key().grant;
    EXPECT_EQ(lack_in_words(grant, Role::view), "");
    EXPECT_THAT(lack_in_words(grant, Role::send), AllOf(HasSubstr("'lab'"), HasSubstr("--role receive,view,send")));
}

TEST(AccessKeySecret, IsBase64OfExactly32Bytes) {
    EXPECT_EQ(to_string(parse_secret(kCountedSecret)), kCountedSecret);
    for (const char* text :
         {"", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gIQ==",
          "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
          "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9="}) {
        EXPECT_EQ(refused([text] { return parse_secret(text); }), "a secret must be 32 bytes as base64, 44 characters");
    }
}

TEST(AccessKeyDay, IsReadAndWritten) {
    for (const char* text : {"2027-11-25", "2028-02-29", "2000-02-29", "2026-01-01", "2261-12-31"}) {
        EXPECT_EQ(to_string(parse_day(text)), text);
    }
}

TEST(AccessKeyDay, RefuseWhatIsNoneAndSayHowToWriteOne) {
    for (const char* text : {"", "2027-1-1", "2027-11-00", "2027-00-25", "2027-13-01", "2027-11-31", "2027-02-29",
                             "2100-02-29", "2027/11/25", "2027-11-25 ", " 2027-11-25", "20271-1-25", "2027-+1-25",
                             "-027-11-25", "2027-11-2x", "1969-12-31", "0999-01-01"}) {
        EXPECT_EQ(refused([text] { return parse_day(text); }),
                  std::string("'").append(text).append("' is no day: write one as 2027-11-25"));
    }
}

TEST(AccessKeyDay, AKeyExpiresAtTheFirstInstantOfTheDayAfter) {
    const Grant grant = counted_key().grant;
    constexpr std::int64_t kDayAfter = 1'827'187'200'000'000'000;  // 2027-11-26, 00:00 UTC
    EXPECT_FALSE(grant.expired(wall_time_from_ns(0)));
    EXPECT_FALSE(grant.expired(wall_time_from_ns(kDayAfter - 1)));
    EXPECT_TRUE(grant.expired(wall_time_from_ns(kDayAfter)));
    EXPECT_FALSE((Grant{.name = "lab", .last_day = parse_day("9999-12-31")}.expired(wall_time_from_ns(kDayAfter))));
    EXPECT_FALSE(Grant{.name = "lab"}.expired(wall_time_from_ns(std::numeric_limits<std::int64_t>::max())));
}

TEST(AccessKeyName, IsOfFewCharacters) {
    for (const std::string& text : {std::string("lab"), std::string("L.a_b-1"), std::string(64, 'a')}) {
        EXPECT_EQ(parse_key_name(text), text);
    }
    for (const std::string& text :
         {std::string(), std::string(65, 'a'), std::string("-lab"), std::string("the lab"), std::string("lab/key"),
          std::string("l\xc3\xa4"
                      "b"),
          std::string("lab\n")}) {
        EXPECT_THAT(refused([&text] { return parse_key_name(text); }), HasSubstr("is no name of a key: use 1 to 64"));
    }
}

TEST(AccessKeyHost, HasOneLabelHoweverItIsWritten) {
    struct Case {
        const char* written;
        const char* label;
    };
    for (const Case& one : std::to_array<Case>({{"beta", "beta"},
                                                {"Beta.Example.ORG", "beta.example.org"},
                                                {"beta.example.org.", "beta.example.org"},
                                                {"host_1-a", "host_1-a"},
                                                {"10.0.0.2", "10.0.0.2"},
                                                {"fd99::2", "fd99::2"},
                                                {"FD99:0:0::0002", "fd99::2"},
                                                {"[fd99::2]", "fd99::2"},
                                                {"::1", "::1"},
                                                {"fe80::1%1", "fe80::1"},
                                                {"::ffff:10.0.0.2", "10.0.0.2"},
                                                {"::FFFF:0a00:0002", "10.0.0.2"}})) {
        EXPECT_EQ(host_label(one.written), one.label) << one.written;
        EXPECT_EQ(host_label(one.label), one.label);
    }
}

TEST(AccessKeyHost, RefuseWhatIsNeitherANameNorAnAddress) {
    for (const std::string& text :
         {std::string(), std::string("."), std::string("beta:9000"), std::string("10.0.0.2:9000"),
          std::string("[fd99::2]:9000"), std::string("fd99::2::1"), std::string("be ta"), std::string("b\xc3\xa4ta"),
          std::string("user@beta"), std::string("beta/"), std::string("be\0ta", 5), std::string(254, 'a'),
          std::string("beta.."), std::string(".."), std::string("a..b"), std::string(".beta"), std::string("-beta")}) {
        EXPECT_THAT(refused([&text] { return host_label(text); }), HasSubstr("is neither a host's name nor an address"))
            << text;
    }
}

// The expected values are those of Python's hmac and hashlib, by RFC 5869 (extract, then expand):
//
//   prk = hmac.new(bytes(32), bytes(range(32)), "sha256").digest()
//   info = b"groma key of host beta"
//   one = hmac.new(prk, info + b"\1", "sha256").digest()
//   two = hmac.new(prk, one + info + b"\2", "sha256").digest()
//   secret, id = one, two[:16]
TEST(AccessKey, TheKeyOfAHostIsDerivedByHkdf) {
    const SharedKey beta = counted_key().shared_with("beta");
    EXPECT_EQ(hex_of(beta.secret.bytes()), "5b329b3d030e122738184c0fd13f8e4ca1591962e401014fe030d16cfd9bf654");
    EXPECT_EQ(to_hex(beta.id), "ec7948f19088b7aba786060545e33b89");
    const SharedKey address = counted_key().shared_with("fd99::2");
    EXPECT_EQ(hex_of(address.secret.bytes()), "128050ece51b320f5f2229b0aa1448976c5da3fafb145c1c735c1849ea4188c3");
    EXPECT_EQ(to_hex(address.id), "f98cea0d07741ab628b1e33f79141e96");
}

TEST(AccessKey, IsOfferedUnderTheHostsLabel) {
    const OfferedKey offered = counted_key().offered_to("BETA.");
    EXPECT_EQ(offered.name, "lab");
    EXPECT_EQ(offered.host, "beta");
    EXPECT_EQ(offered.key, counted_key().shared_with("beta"));
    EXPECT_EQ(counted_key().offered_to("::ffff:10.0.0.2"), counted_key().offered_to("10.0.0.2"));
}

TEST(AccessKey, AHostKnowsWhatIsOfferedToIt) {
    const KnownKey part = counted_part();
    EXPECT_EQ(part.grant, counted_key().grant);
    ASSERT_EQ(part.hosts.size(), 2U);
    EXPECT_EQ(part.hosts.at(1).host, "10.0.0.2");
    EXPECT_EQ(part.hosts.at(1).key, counted_key().offered_to("10.0.0.2").key);
    EXPECT_NE(part.hosts.at(0).key, part.hosts.at(1).key);
}

TEST(AccessKey, GoesIntoAFileAndComesBack) {
    EXPECT_EQ(parse_access_key(text_of(counted_key()), "lab.key"), counted_key());
    EXPECT_EQ(parse_known_key(text_of(counted_part()), "beta.key"), counted_part());
    AccessKey lasting = counted_key();
    lasting.grant.last_day.reset();
    EXPECT_THAT(text_of(lasting), Not(HasSubstr("last_day")));
    EXPECT_EQ(parse_access_key(text_of(lasting), "lab.key"), lasting);
}

TEST(AccessKey, AHostsPartHoldsNothingOfTheUsersSecret) {
    EXPECT_THAT(text_of(counted_key()), HasSubstr(kCountedSecret));
    EXPECT_THAT(text_of(counted_part()), Not(HasSubstr(kCountedSecret)));
}

TEST(AccessKey, TheOtherKindIsRefusedWithAdvice) {
    EXPECT_THAT(user_refused(text_of(counted_part())),
                AllOf(StartsWith("lab.key is no user key: it is a host's part of one"),
                      HasSubstr("--key takes the file that it was made from")));
    EXPECT_THAT(host_refused(text_of(counted_key())),
                AllOf(StartsWith("beta.key is no host key: it is a user's key, which opens every host"),
                      HasSubstr("groma-key host FILE HOST"), HasSubstr("take the file away from here")));
}

TEST(AccessKey, WhatIsNoKeyIsRefusedWithTheWayToMakeOne) {
    for (const char* text : {"{}", "[]", "null", "\"user\"", R"({"groma_key": "server"})"}) {
        EXPECT_EQ(user_refused(text),
                  "lab.key is no user key: it does not begin like one (groma-key new NAME > FILE makes one)");
        EXPECT_THAT(host_refused(text), StartsWith("beta.key is no host key: it does not begin like one"));
    }
    for (const char* text : {"", "hello", "{", R"({"groma_key": 5})", R"({"groma_key": "user"})"}) {
        EXPECT_THAT(user_refused(text), StartsWith("lab.key is no user key: ")) << text;
    }
    EXPECT_THAT(user_refused(std::string(1000, '[')), StartsWith("lab.key is no user key: "));
    EXPECT_THAT(refused([] { return parse_access_key("{}", "\x1b[2J.key"); }), StartsWith("\\x1b[2J.key is no"));
}

TEST(AccessKey, AnUnknownFieldIsRefusedAsItCouldBeALimit) {
    EXPECT_EQ(user_refused(replaced(text_of(counted_key()), "\"last_day\"", "\"last_dy\"")),
              "lab.key is no user key: it has the field 'last_dy', which this release does not know; did you mean "
              "'last_day'?");
    EXPECT_THAT(user_refused(replaced(text_of(counted_key()), "{", R"({"hosts": [], )")), HasSubstr("'hosts'"));
    EXPECT_THAT(host_refused(replaced(text_of(counted_part()), "{", R"({"networks": 1, )")), HasSubstr("'networks'"));
}

TEST(AccessKey, AMissingFieldIsNamed) {
    for (const char* field : {"name", "roles", "secret"}) {
        const std::string text = replaced(text_of(counted_key()), in_quotes(field), in_quotes("last_day"));
        EXPECT_THAT(user_refused(text), StartsWith("lab.key is no user key: ")) << field;
    }
    EXPECT_THAT(user_refused(R"({"groma_key": "user", "name": "lab", "roles": "view"})"), HasSubstr("'secret'"));
    EXPECT_THAT(host_refused(R"({"groma_key": "host", "name": "lab", "roles": "view"})"), HasSubstr("'hosts'"));
}

TEST(AccessKey, BadValuesAreRefused) {
    const std::string user = text_of(counted_key());
    EXPECT_THAT(user_refused(replaced(user, "\"lab\"", "\"the lab\"")), HasSubstr("is no name of a key"));
    EXPECT_THAT(user_refused(replaced(user, "receive,view", "receive,see")), HasSubstr("'see' is no role"));
    EXPECT_THAT(user_refused(replaced(user, "receive,view", "")), HasSubstr("is no role"));
    EXPECT_THAT(user_refused(replaced(user, "2027-11-25", "2027-02-29")), HasSubstr("'2027-02-29' is no day"));
    EXPECT_THAT(user_refused(replaced(user, "AAEC", "AAE")), HasSubstr("44 characters"));
    const std::string host = text_of(counted_part());
    EXPECT_THAT(host_refused(replaced(host, "\"beta\"", "\"Beta\"")), HasSubstr("write it as beta"));
    EXPECT_THAT(host_refused(replaced(host, "\"beta\"", "\"beta:9000\"")), HasSubstr("'beta:9000' is neither"));
    EXPECT_THAT(host_refused(replaced(host, to_hex(counted_part().hosts.front().key.id), "5")), HasSubstr("'id'"));
}

TEST(AccessKey, ErrorsNeverShowASecret) {
    const std::string user = text_of(counted_key());
    const std::string secret(kCountedSecret);
    for (const std::string& damaged :
         {replaced(user, secret, secret + "A"), replaced(user, secret, secret.substr(0, 43)),
          replaced(user, in_quotes(secret), '[' + in_quotes(secret) + ']'), replaced(user, secret + '"', secret),
          replaced(user, in_quotes(secret), secret), replaced(user, in_quotes(secret), in_quotes(secret) + " x"),
          replaced(user, "\"user\"", "\"host\""), replaced(user, "\"lab\"", "\"the lab\""),
          replaced(user, "receive", "recieve")}) {
        for (const std::string& text : {user_refused(damaged), host_refused(damaged)}) {
            EXPECT_NE(text, "accepted") << damaged;
            EXPECT_THAT(text, Not(HasSubstr(secret.substr(0, 8))));
        }
    }
    for (std::size_t size = 0; size + 2 < user.size(); ++size) {
        const std::string text = user_refused(user.substr(0, size));
        EXPECT_NE(text, "accepted") << size;
        EXPECT_THAT(text, Not(HasSubstr(secret.substr(0, 8)))) << size;
    }
}

TEST(AccessKey, KeepsItsLimits) {
    AccessKey key = counted_key();
    key.grant.limits = parse_limits("flows=100,rate=10kpps,to=10.0.0.0/8+239.1.0.0/16");
    EXPECT_EQ(parse_access_key(text_of(key), "lab.key"), key);
    const KnownKey part = known_by_host(key, std::vector<std::string>{"beta"});
    EXPECT_EQ(parse_known_key(text_of(part), "beta.key").grant.limits, key.grant.limits);
    EXPECT_EQ(text_of(counted_key()).find("limits"), std::string::npos);
    EXPECT_THAT(user_refused(replaced(text_of(key), "flows=100", "flwos=100")), HasSubstr("did you mean 'flows'"));
}

TEST(AccessKey, KeepsTheExperimentsThatItMayShip) {
    AccessKey key = counted_key();
    key.grant.experiments = parse_prefixes("voip-,lab.");
    EXPECT_EQ(parse_access_key(text_of(key), "lab.key"), key);
    const KnownKey part = known_by_host(key, std::vector<std::string>{"beta"});
    EXPECT_EQ(parse_known_key(text_of(part), "beta.key").grant.experiments, key.grant.experiments);
    EXPECT_EQ(text_of(counted_key()).find("experiments"), std::string::npos);
    EXPECT_TRUE(key.grant.experiments.cover("voip-1a2b"));
    EXPECT_FALSE(key.grant.experiments.cover("voip"));
    EXPECT_FALSE(key.grant.experiments.cover("video-1a2b"));
    EXPECT_TRUE(Prefixes().cover("anything"));
    EXPECT_EQ(lack_in_words(key.grant, "lab.7"), "");
    EXPECT_THAT(lack_in_words(key.grant, "video"), HasSubstr("names begin with voip-,lab."));
}

}  // namespace
}  // namespace groma
