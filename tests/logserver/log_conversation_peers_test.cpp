// Peers that are wrong, silent, slow or too many: the answers to them, the kept logs, and the messages about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "common/access/first_messages.hpp"
#include "tests/every_role.hpp"
#include "tests/logserver/log_conversation_fixture.hpp"

namespace groma {
namespace {

TEST_F(LogConversationTest, AWriterOfAnotherVersionIsToldWhatToDo) {
    const Shipper shipper(core(), clock_);
    shipper.say(ShipperHello{99, "hosta"});
    EXPECT_NE(shipper.sink.last<LogRefused>().reason.find("same release"), std::string::npos);
    EXPECT_TRUE(shipper.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_version), 1U);
}

TEST_F(LogConversationTest, ALogThatIsRefusedEndsNoOther) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open(1, "sender");
    shipper.open(2, "../../evil", 2);
    EXPECT_EQ(shipper.sink.last<LogRefused>().log, 2U);
    EXPECT_FALSE(shipper.sink.last<LogRefused>().try_again);
    shipper.piece(0, "evil", 2);
    shipper.piece(0, "abc", 1);
    shipper.say(totals_of(1, "abc", 1));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{1});
    EXPECT_EQ(core().counters().of(Counted::pieces_stray), 1U);
}

TEST_F(LogConversationTest, APeerThatDoesWrongOverAndOverAgainLeavesFewLines) {
    {
        const Shipper shipper(core(), clock_);
        shipper.greet();
        for (LogNumber log = 1; log <= 1000; ++log) {
            shipper.open(log, "../../evil");
        }
    }
    EXPECT_EQ(std::ranges::count(reported_, '\n'), 11) << reported_;
    EXPECT_NE(reported_.find("10.0.0.1:40000: 990 more lines of this connection were left out"), std::string::npos);
    EXPECT_EQ(core().counters().of(Counted::logs_refused), 1000U);
}

TEST_F(LogConversationTest, APeerThatOpensAndGivesUpOverAndOverAgainLeavesFewLines) {
    {
        const Shipper shipper(core(), clock_);
        shipper.greet();
        for (LogNumber log = 1; log <= 100; ++log) {
            shipper.open(log);
            shipper.say(GiveUpLog{log, 0, "why not"});
        }
    }
    EXPECT_LE(std::ranges::count(reported_, '\n'), 22) << reported_;
}

TEST_F(LogConversationTest, APeerThatDoesWellIsReportedWhole) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    for (LogNumber log = 1; log <= 100; ++log) {
        shipper.open(log, "sender-" + std::to_string(log), static_cast<unsigned char>(log));
        shipper.say(totals_of(log, "", 0));
    }
    EXPECT_EQ(std::ranges::count(reported_, '\n'), 200) << reported_;
}

TEST_F(LogConversationTest, AnotherWriterOfTheSameNameIsRefused) {
    const Shipper first(core(), clock_);
    first.greet();
    first.open();
    const Shipper second(core(), clock_);
    second.greet();
    second.open(1, "sender", 2);
    EXPECT_NE(second.sink.last<LogRefused>().reason.find("another writer"), std::string::npos);
    first.piece(0, "abc");
    EXPECT_TRUE(std::holds_alternative<LogOpened>(first.sink.frames.back()));
}

TEST_F(LogConversationTest, AShipperThatSaysNothingIsSentAway) {
    const Shipper mute(core(), clock_);
    EXPECT_EQ(mute.conversation->next_deadline(), clock_.now() + std::chrono::seconds(10));
    clock_.advance(std::chrono::seconds(10));
    mute.conversation->tick(clock_.now());
    EXPECT_NE(mute.sink.last<LogRefused>().reason.find("opened no log"), std::string::npos);
    EXPECT_TRUE(mute.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_silent), 1U);
}

TEST_F(LogConversationTest, ALongSilenceEndsAConnectionButKeepsTheLog) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    clock_.advance(std::chrono::minutes(5));
    shipper.conversation->tick(clock_.now());
    EXPECT_TRUE(shipper.sink.last<LogRefused>().try_again);
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().bytes, 3U);
}

TEST_F(LogConversationTest, AShipperThatDoesNotReadIsCountedAndItsLogKept) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.conversation->on_deaf();
    EXPECT_EQ(core().counters().of(Counted::refused_deaf), 1U);
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().bytes, 3U);
}

TEST_F(LogConversationTest, TooManyConnectionsAreToldToComeBack) {
    settings_.max_sessions = 1;
    std::optional<Shipper> first(std::in_place, core(), clock_);
    const Shipper second(core(), clock_);
    EXPECT_TRUE(second.sink.last<LogRefused>().try_again);
    EXPECT_TRUE(second.sink.finished);
    first.reset();
    const Shipper third(core(), clock_);
    EXPECT_FALSE(third.sink.finished);
}

TEST_F(LogConversationTest, OneHostHasNoMoreThanItsShareOfTheConnections) {
    settings_.max_sessions = 4;
    const Shipper first(core(), clock_);
    const Shipper second(core(), clock_);
    const Shipper third(core(), clock_);
    const Shipper fourth(core(), clock_);
    EXPECT_TRUE(fourth.sink.finished);
    EXPECT_TRUE(fourth.sink.last<LogRefused>().try_again);
    EXPECT_NE(fourth.sink.last<LogRefused>().reason.find("3 connections of your host already"), std::string::npos);
    const Shipper other(core(), clock_, "10.0.0.2:40000");
    EXPECT_FALSE(other.sink.finished);
}

TEST_F(LogConversationTest, AConnectionWithoutAnOpenLogIsNotKeptByFramesThatConcernNone) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.say(totals_of(7, "abc", 1));
    const MonoTime deadline = shipper.conversation->next_deadline();
    EXPECT_EQ(deadline, clock_.now() + std::chrono::minutes(5));
    clock_.advance(std::chrono::minutes(4));
    shipper.piece(1, "stray");
    EXPECT_EQ(shipper.conversation->next_deadline(), deadline);
    clock_.advance(std::chrono::minutes(1));
    shipper.conversation->tick(clock_.now());
    EXPECT_NE(shipper.sink.last<LogRefused>().reason.find("has no log open"), std::string::npos);
    EXPECT_EQ(entry().state, LogState::complete);
}

TEST_F(LogConversationTest, RubbishEndsTheConversationAndIsCounted) {
    const Shipper shipper(core(), clock_);
    shipper.conversation->on_rubbish("10.0.0.1:40000: sent a frame of unknown type 99\x1b[2J", clock_.now());
    EXPECT_TRUE(shipper.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_rubbish), 1U);
    EXPECT_EQ(reported_.find('\x1b'), std::string::npos);
    EXPECT_EQ(reported_.find("10.0.0.1:40000: 10.0.0.1"), std::string::npos) << reported_;
}

TEST_F(LogConversationTest, FramesOutOfPlaceEndTheConversation) {
    for (const LogFrame& frame : {LogFrame{LogPiece{}}, LogFrame{CloseLog{}}, LogFrame{LogOpened{}},
                                  LogFrame{OpenLog{}}, LogFrame{LogGoOn{}}}) {
        const Shipper shipper(core(), clock_);
        shipper.say(frame);
        EXPECT_TRUE(shipper.sink.finished) << frame.index();
    }
    EXPECT_EQ(core().counters().of(Counted::refused_protocol), 5U);
}

Grant shipping_grant(const std::string& name, Roles roles = {Role::ship}) {
    return {.name = name, .roles = roles};
}

constexpr Role kRoleOfShipping = role_to_begin(Server::log_server, "hello").value();

bool is_refusal_for_role(const LogFrame& frame) {
    const auto* const refused = std::get_if<LogRefused>(&frame);
    return refused != nullptr and refused->reason.find(taking(kRoleOfShipping)) != std::string::npos;
}

TEST_F(LogConversationTest, AKeyWithoutTheRoleShipsNothingWhateverItSays) {
    (void)core();
    const std::ptrdiff_t files = files_in(directory_.path());
    std::uint64_t refused = 0;
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const LogFrame& frame : one_of_every_message<LogFrame>()) {
            if (grant.roles.has(kRoleOfShipping)) {
                continue;
            }
            const Shipper shipper(core(), clock_, grant);
            shipper.say(frame);
            shipper.greet();
            shipper.open();
            shipper.say(frame);
            ASSERT_EQ(shipper.sink.frames.size(), 1U) << frame.index();
            EXPECT_TRUE(is_refusal_for_role(shipper.sink.frames.front())) << to_string(grant.roles);
            EXPECT_FALSE(shipper.sink.last<LogRefused>().try_again);
            EXPECT_TRUE(shipper.sink.finished);
            EXPECT_EQ(core().counters().of(Counted::refused_key), ++refused);
        }
    }
    EXPECT_EQ(core().counters().of(Counted::logs_opened), 0U);
    EXPECT_EQ(files_in(directory_.path()), files);
}

TEST_F(LogConversationTest, AKeyWithTheRoleIsNotRefusedForItInAnyState) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const LogFrame& frame : one_of_every_message<LogFrame>()) {
            if (not grant.roles.has(kRoleOfShipping)) {
                continue;
            }
            const Shipper fresh(core(), clock_, grant);
            fresh.say(frame);
            EXPECT_EQ(fresh.sink.finished, not std::holds_alternative<ShipperHello>(frame)) << frame.index();
            const Shipper greeted(core(), clock_, grant);
            greeted.greet();
            greeted.say(frame);
            const Shipper talking(core(), clock_, grant);
            talking.greet();
            talking.open();
            EXPECT_EQ(talking.sink.last_opened().log, 7U);
            talking.say(frame);
            for (const Shipper* shipper : {&fresh, &greeted, &talking}) {
                EXPECT_TRUE(std::ranges::none_of(shipper->sink.frames, is_refusal_for_role)) << frame.index();
            }
        }
    }
}

TEST_F(LogConversationTest, WhoLacksAKeyIsToldSoForGood) {
    const Shipper shipper(core(), clock_, {.name = "10.0.0.1:40000", .host = "10.0.0.1", .lacks = "give yours"});
    EXPECT_EQ(shipper.sink.last<LogRefused>(), (LogRefused{kWholeConnection, false, "give yours"}));
    EXPECT_TRUE(shipper.sink.finished);
}

TEST_F(LogConversationTest, ALogBelongsToTheKeyOfItsFirstShipper) {
    {
        const Shipper first(core(), clock_, shipping_grant("lab"));
        first.greet();
        first.open();
        first.piece(0, "abc");
        EXPECT_EQ(entry().owner, "lab");
        const Shipper another(core(), clock_, shipping_grant("other"));
        another.greet();
        another.open();
        EXPECT_NE(another.sink.last<LogRefused>().reason.find("of another writer"), std::string::npos);
        EXPECT_FALSE(first.sink.finished);
    }
    const Shipper again(core(), clock_, shipping_grant("other"));
    again.greet();
    again.open();
    EXPECT_NE(again.sink.last<LogRefused>().reason.find("of another writer"), std::string::npos);
    const Shipper owner(core(), clock_, shipping_grant("lab"));
    owner.greet();
    owner.open();
    EXPECT_EQ(owner.sink.last<LogDurable>().pieces, 1U);
    EXPECT_EQ(entry().owner, "lab");
}

TEST_F(LogConversationTest, AdministratorsAndWhoNeedsNoKeyGoOnWithTheLogsOfOthers) {
    for (const bool keyed : {true, false}) {
        const std::string name = keyed ? "one" : "two";
        const Shipper first(core(), clock_, shipping_grant("lab"));
        first.greet();
        first.open(1, name);
        const Shipper other = keyed ? Shipper(core(), clock_, shipping_grant("boss", {Role::ship, Role::admin}))
                                    : Shipper(core(), clock_);
        other.greet();
        other.open(1, name);
        EXPECT_EQ(other.sink.last<LogOpened>(), (LogOpened{1, 0}));
        EXPECT_EQ(entry(name).owner, "lab");
    }
}

Grant limited_grant(const std::string& name, std::string_view limits) {
    Grant grant = shipping_grant(name);
    grant.limits = parse_limits(limits);
    return grant;
}

TEST_F(LogConversationTest, TheAuditHasALineForEachHoldOfAKeyAndNoneForEachPiece) {
    std::vector<std::string> refused;
    settings_.audit = [&](const AuditEvent& event) {
        if (not event.allowed) {
            refused.push_back(std::string(event.what) + ' ' + event.from + ' ' + event.key + ' ' + event.subject +
                              ": " + event.why.substr(0, event.why.find(':')));
        }
    };
    const Shipper full(core(), clock_, limited_grant("lab", "log-bytes=10"));
    full.greet();
    full.open();
    full.open(8, "receiver", 2);
    full.piece(0, "12345678");
    full.piece(1, "abc");
    full.piece(1, "abc");
    full.piece(0, "abc", 8);
    EXPECT_EQ(refused,
              std::vector<std::string>{"log 10.0.0.1 lab voip-1a2b3c4d/sender: the key 'lab' allows at most 10 B "
                                       "of logs (log-bytes=10), of which 8 B are used"});
}

TEST_F(LogConversationTest, AFullKeyIsHeldAndOthersGoOn) {
    const Shipper full(core(), clock_, limited_grant("lab", "log-bytes=10"));
    full.greet();
    full.open();
    full.piece(0, "12345678");
    const Shipper other(core(), clock_, limited_grant("other", "log-bytes=100"));
    other.greet();
    other.open(1, "other", 2);
    full.piece(1, "abc");
    EXPECT_NE(full.sink.last<LogHold>().reason.find("at most 10 B of logs (log-bytes=10), of which 8 B are used"),
              std::string::npos);
    EXPECT_NE(reported_.find("takes nothing for the key lab for now: "), std::string::npos);
    other.piece(0, "12345678abc", 1);
    other.say(totals_of(1, "12345678abc", 1));
    EXPECT_EQ(other.sink.last<LogClosed>(), LogClosed{1});

    full.open(8, "another");
    EXPECT_EQ(full.sink.last<LogRefused>().log, 8U);
    EXPECT_TRUE(full.sink.last<LogRefused>().try_again);
    EXPECT_NE(full.sink.last<LogRefused>().reason.find("takes no more logs for now: the key 'lab' allows at most"),
              std::string::npos);
    const Shipper again(core(), clock_, limited_grant("lab", "log-bytes=10"));
    again.greet();
    again.open(2);
    ASSERT_GE(again.sink.frames.size(), 2U);
    EXPECT_EQ(std::get<LogOpened>(again.sink.frames.at(1)), (LogOpened{2, 1})) << "it is there already";
    EXPECT_EQ(again.sink.last<LogHold>().log, 2U);
}

TEST_F(LogConversationTest, WhatAKeyLeftAtAnEarlierServerCountsUntilItIsPruned) {
    const Grant grant = limited_grant("lab", "log-bytes=100");
    {
        const Shipper big(core(), clock_, grant);
        big.greet();
        big.open(1, "big", 9);
        big.piece(0, std::string(95, 'x'), 1);
        big.say(totals_of(1, std::string(95, 'x'), 1));
    }
    core_.reset();
    background_ = std::make_unique<InlineBackground>();
    const Shipper shipper(core(), clock_, grant);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "12345678");
    EXPECT_EQ(shipper.sink.last<LogHold>().log, 7U);
    pass(std::chrono::seconds(1));
    EXPECT_TRUE(std::holds_alternative<LogHold>(shipper.sink.frames.back()));
    EXPECT_TRUE(LogCatalogue(directory_.path(), LogCatalogue::Access::write).forget(entry("big").id, false, [] {}));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(shipper.sink.last<LogGoOn>(), (LogGoOn{7, 0}));
    EXPECT_NE(reported_.find("has room again for the key lab, and goes on"), std::string::npos);
    shipper.piece(0, "12345678");
    shipper.say(totals_of(7, "12345678", 1));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{7});
}

TEST_F(LogConversationTest, ALogThatIsOpenedUnderAFullKeyGoesOnOnceThereIsRoom) {
    const Shipper first(core(), clock_, limited_grant("lab", "log-bytes=1kB"));
    first.greet();
    first.open(1, "big", 9);
    first.piece(0, std::string(60, 'x'), 1);
    first.say(totals_of(1, std::string(60, 'x'), 1));
    first.open();
    first.piece(0, std::string(50, 'y'));
    pass(std::chrono::seconds(1));  // it is durable
    const Shipper again(core(), clock_, limited_grant("lab", "log-bytes=100"));
    again.greet();
    again.open();
    EXPECT_EQ(again.sink.last<LogHold>().log, 7U);
    EXPECT_TRUE(LogCatalogue(directory_.path(), LogCatalogue::Access::write).forget(entry("big").id, false, [] {}));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(again.sink.last<LogGoOn>(), (LogGoOn{7, 1}));
}

TEST_F(LogConversationTest, AKeyShipsExperimentsOfItsPrefixesOnly) {
    Grant grant = shipping_grant("lab");
    grant.experiments = parse_prefixes("games-,voip-");
    const Shipper shipper(core(), clock_, grant);
    shipper.greet();
    shipper.open();
    EXPECT_EQ(shipper.sink.last<LogOpened>(), (LogOpened{7, 0}));
    shipper.say(OpenLog{8, {}, "video-1a2b3c4d", "sender"});
    EXPECT_EQ(shipper.sink.last<LogRefused>().log, 8U);
    EXPECT_NE(shipper.sink.last<LogRefused>().reason.find("whose names begin with games-,voip-"), std::string::npos);
    EXPECT_FALSE(shipper.sink.finished);
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "video-1a2b3c4d"));
}

}  // namespace
}  // namespace groma
