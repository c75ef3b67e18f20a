#include "receiver/receiver_session.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/access/first_messages.hpp"
#include "common/base/errors.hpp"
#include "common/control/message_limits.hpp"
#include "tests/every_role.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using State = ReceiverSession::State;

constexpr MonoTime kNow{};

FlowSpec flow(std::uint32_t id, std::optional<std::uint16_t> port = std::nullopt,
              Transport transport = Transport::udp) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.transport = transport;
    spec.target.data_port = port;
    return spec;
}

ReceiverSession session(std::size_t max_flows = 3) {
    return ReceiverSession(Welcome{.program = "groma-recv 0.1.0", .host = "beta", .boot_id = "b"},
                           SessionLimits{.max_flows = max_flows});
}

/// A session in which these messages were taken.
ReceiverSession session_after(const std::vector<Message>& messages) {
    ReceiverSession one = session();
    for (const Message& message : messages) {
        EXPECT_FALSE(std::holds_alternative<Refuse>(one.on_message(message, kNow))) << type_name(message);
    }
    return one;
}

Hello hello(std::uint32_t lowest = 1, std::uint32_t highest = 1, const std::string& program = "groma-send 0.1.0") {
    Hello one;
    one.lowest_version = lowest;
    one.highest_version = highest;
    one.program = program;
    return one;
}

const Message kHello = hello();
const Message kOpen = OpenFlows{{flow(1)}};
const Message kStart = Start{};

Refused refusal(ReceiverSession& session, const Message& message, MonoTime now = kNow) {
    const SessionAction action = session.on_message(message, now);
    const auto* refuse = std::get_if<Refuse>(&action);
    return refuse != nullptr ? refuse->refused : Refused{.reason = "accepted", .flow = std::nullopt};
}

TEST(ReceiverSession, WelcomesASenderThatSpeaksItsVersion) {
    ReceiverSession one = session();
    const SessionAction action = one.on_message(kHello, kNow);
    const auto& welcome = std::get<Welcome>(std::get<Answer>(action).message);
    EXPECT_EQ(welcome.version, kProtocolVersion);
    EXPECT_EQ(welcome.host, "beta");
    EXPECT_EQ(one.state(), State::opening);
}

TEST(ReceiverSession, AgreesOnItsOwnVersionWithALaterSender) {
    ReceiverSession one = session();
    const SessionAction action = one.on_message(hello(kProtocolVersion, kProtocolVersion + 7), kNow);
    EXPECT_EQ(std::get<Welcome>(std::get<Answer>(action).message).version, kProtocolVersion);
}

TEST(ReceiverSession, RefusesASenderWithoutACommonVersionAndNamesBothRanges) {
    ReceiverSession one = session();
    const std::string reason = refusal(one, hello(3, 5, "groma-send 9.0.0")).reason;
    EXPECT_THAT(reason, HasSubstr("groma-send 9.0.0"));
    EXPECT_THAT(reason, HasSubstr("speaks version 3 to 5"));
    EXPECT_THAT(reason, HasSubstr("(groma-recv 0.1.0) version 1"));
    EXPECT_THAT(reason, HasSubstr("install the same release"));
    EXPECT_EQ(one.state(), State::greeting);
}

TEST(ReceiverSession, RefusesASenderFromBeforeTheFirstVersion) {
    ReceiverSession one = session();
    EXPECT_THAT(refusal(one, hello(0, 0)).reason, HasSubstr("speaks version 0"));
}

TEST(ReceiverSession, HasMinutesToStartAfterTheGreetingHoweverOftenItsSenderSaysThatItLives) {
    ReceiverSession one = session_after({kHello, kOpen});
    const MonoTime deadline = kNow + SessionTimes().starting;
    EXPECT_TRUE(std::holds_alternative<NoAction>(one.on_message(KeepAlive{}, deadline - Nanos{1})));
    EXPECT_THAT(refusal(one, KeepAlive{}, deadline).reason, HasSubstr("did not start within 5 min 0 s after 'hello'"));
}

TEST(ReceiverSession, MayRunForAsLongAsItLikes) {
    ReceiverSession one = session_after({kHello, kOpen, kStart});
    EXPECT_EQ(refusal(one, Finish{}, kNow + std::chrono::hours(1000)).reason, "accepted");
    EXPECT_EQ(refusal(one, KeepAlive{}, kNow + std::chrono::hours(2000)).reason, "accepted");
}

TEST(ReceiverSession, HasMinutesToEndAfterItsResults) {
    ReceiverSession one = session_after({kHello, kOpen, kStart, Finish{}});
    one.on_results(kNow);
    EXPECT_EQ(refusal(one, ProbeRequest{}, kNow + std::chrono::seconds(1)).reason, "accepted");
    EXPECT_THAT(refusal(one, ProbeRequest{}, kNow + SessionTimes().starting).reason,
                HasSubstr("did not end the session within 5 min 0 s after the results"));
}

/// Whose log may be fetched: its results were sent.
ReceiverSession session_with_log(bool offered = true) {
    ReceiverSession one = session_after({kHello, kOpen, Start{.log_file = "a.glog", .fetch_log = offered}, Finish{}});
    one.on_results(kNow);
    return one;
}

TEST(ReceiverSession, GivesItsLogSectionBySectionFromAnyOnAndRemovesItOnce) {
    for (const std::uint64_t first : {std::uint64_t{0}, 7 * kLogSectionBytes}) {
        ReceiverSession one = session_with_log();
        for (std::uint64_t offset = first; offset < first + 3 * kLogSectionBytes; offset += kLogSectionBytes) {
            EXPECT_EQ(std::get<GiveLog>(one.on_message(FetchLog{offset}, kNow)).offset, offset);
        }
        EXPECT_TRUE(std::holds_alternative<DropLog>(one.on_message(RemoveLog{}, kNow)));
        EXPECT_THAT(refusal(one, RemoveLog{}).reason, HasSubstr("no place"));
        EXPECT_THAT(refusal(one, FetchLog{first + 3 * kLogSectionBytes}).reason, HasSubstr("no place"));
    }
}

TEST(ReceiverSession, ReadsNoPartOfItsLogTwice) {
    ReceiverSession one = session_with_log();
    (void)one.on_message(FetchLog{kLogSectionBytes}, kNow);
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{kLogSectionBytes}, 3 * kLogSectionBytes}) {
        EXPECT_THAT(refusal(one, FetchLog{offset}).reason, HasSubstr("out of order")) << offset;
    }
}

TEST(ReceiverSession, GivesNoLogThatItWasNotStartedToGiveNorBeforeItIsClosed) {
    ReceiverSession other = session_with_log(false);
    EXPECT_THAT(refusal(other, FetchLog{}).reason, HasSubstr("no place"));
    EXPECT_THAT(refusal(other, RemoveLog{}).reason, HasSubstr("no place"));
    ReceiverSession unread = session_with_log();
    EXPECT_THAT(refusal(unread, RemoveLog{}).reason, HasSubstr("no place"));
    std::vector<Message> so_far;
    for (const Message& next :
         {kHello, kOpen, Message(Start{.log_file = "a.glog", .fetch_log = true}), Message(Finish{})}) {
        ReceiverSession early = session_after(so_far);
        EXPECT_THAT(refusal(early, FetchLog{}).reason, HasSubstr("no place")) << type_name(next);
        so_far.push_back(next);
    }
    ReceiverSession closing = session_after(so_far);
    EXPECT_THAT(refusal(closing, FetchLog{}).reason, HasSubstr("no place"));
}

TEST(ReceiverSession, OffersNoLogThatItDoesNotKeep) {
    for (const Start& start :
         {Start{.fetch_log = true}, Start{.log_file = "a", .discard_log = true, .fetch_log = true}}) {
        ReceiverSession one = session_after({kHello, kOpen});
        EXPECT_THAT(refusal(one, start).reason, HasSubstr("wants to fetch a log that it does not ask for"));
    }
}

TEST(ReceiverSession, HasMinutesForEachSectionOfItsLog) {
    ReceiverSession one = session_with_log();
    const Nanos almost = SessionTimes().starting - Nanos{1};
    EXPECT_EQ(refusal(one, FetchLog{0}, kNow + almost).reason, "accepted");
    EXPECT_EQ(refusal(one, FetchLog{kLogSectionBytes}, kNow + 2 * almost).reason, "accepted");
    EXPECT_THAT(refusal(one, KeepAlive{}, kNow + 3 * almost + Nanos{1}).reason, HasSubstr("did not end the session"));
}

TEST(ReceiverSession, GoesOnWithALogThatASenderCouldNotFetch) {
    const Token token = token_from_hex("000102030405060708090a0b0c0d0eff");
    ReceiverSession one = session();
    EXPECT_EQ(std::get<ResumeLog>(one.on_message(ResumeFetch{token}, kNow)).token, token);
    EXPECT_EQ(std::get<GiveLog>(one.on_message(FetchLog{kLogSectionBytes}, kNow)).offset, kLogSectionBytes);
    EXPECT_TRUE(std::holds_alternative<DropLog>(one.on_message(RemoveLog{}, kNow)));
    EXPECT_THAT(refusal(one, kOpen).reason, HasSubstr("no place"));
    ReceiverSession idle = session();
    (void)idle.on_message(ResumeFetch{token}, kNow);
    EXPECT_THAT(refusal(idle, KeepAlive{}, kNow + SessionTimes().starting).reason,
                HasSubstr("did not end the session"));
    ReceiverSession later = session_after({kHello});
    EXPECT_THAT(refusal(later, ResumeFetch{token}).reason, HasSubstr("no place"));
}

TEST(ReceiverSession, TakesNoLongerMessagesThanItsStateMayNeed) {
    ReceiverSession one = session();
    EXPECT_EQ(one.longest_message(), kMaxShortMessageBytes);
    (void)one.on_message(kHello, kNow);
    EXPECT_EQ(one.longest_message(), kMaxMessageBytes);
    (void)one.on_message(kOpen, kNow);
    (void)one.on_message(kStart, kNow);
    const Message longest = Finish{.wait = kLongestWait, .flows = {{FlowId{UINT32_MAX}, UINT64_MAX, UINT64_MAX}}};
    EXPECT_GE(one.longest_message(), kMaxShortMessageBytes + serialize(longest).size() - serialize(Finish{}).size());
    EXPECT_LT(one.longest_message(), kMaxShortMessageBytes + 100);
    (void)one.on_message(Finish{}, kNow);
    EXPECT_EQ(one.longest_message(), kMaxShortMessageBytes);
}

TEST(ReceiverSession, OpensFlowsInSeveralMessages) {
    ReceiverSession one = session_after({kHello, kOpen});
    const SessionAction action = one.on_message(OpenFlows{{flow(2), flow(3)}}, kNow);
    EXPECT_EQ(std::get<OpenInboxes>(action).flows.size(), 2U);
}

TEST(ReceiverSession, TakesWhatTheLimitsOfItsPeersKeyAllow) {
    const Grant grant{.name = "lab", .roles = {Role::receive}, .limits = parse_limits("flows=2,rate=2kpps")};
    ReceiverSession one(Welcome{}, {.max_flows = 10}, KeyLoads().enter(grant));
    (void)one.on_message(kHello, kNow);
    EXPECT_EQ(refusal(one, OpenFlows{{flow(1)}}).reason, "accepted");
    EXPECT_EQ(refusal(one, OpenFlows{{flow(2)}}).reason, "accepted");
    const std::string reason = refusal(one, OpenFlows{{flow(3)}}).reason;
    EXPECT_THAT(reason, HasSubstr("the key 'lab' allows at most 2 flows at once (flows=2), and this asks for 3"));
    EXPECT_THAT(reason, HasSubstr("whoever keeps the folder of keys there can change that"));
    ReceiverSession other(Welcome{}, {.max_flows = 10}, KeyLoads().enter(grant));
    (void)other.on_message(kHello, kNow);
    FlowSpec fast = flow(1);
    fast.idt = Constant{1e5};
    EXPECT_THAT(refusal(other, OpenFlows{{fast}}).reason, HasSubstr("(rate=2kpps), and this asks for 10kpps"));
}

TEST(ReceiverSession, TakesSealedFlowsWithTheirKeysOnly) {
    FlowSpec sealed = flow(2);
    sealed.seal = Sealing::on;
    const std::vector<FlowSecret> secrets{{.flow = FlowId{2}, .key = Token{std::byte{7}}}};
    ReceiverSession one = session_after({kHello});
    for (const OpenFlows& wrong : {OpenFlows{{flow(1), sealed}}, OpenFlows{{flow(1), flow(2)}, {}, secrets},
                                   OpenFlows{{flow(1), sealed}, {}, {{.flow = FlowId{1}, .key = {}}}},
                                   OpenFlows{{flow(1), sealed}, {}, {secrets.front(), secrets.front()}}}) {
        EXPECT_THAT(refusal(one, wrong).reason, HasSubstr("keys are not those of the sealed flows"));
    }
    const SessionAction action = one.on_message(OpenFlows{{flow(1), sealed}, {}, secrets}, kNow);
    EXPECT_EQ(std::get<OpenInboxes>(action).secrets, secrets);
}

TEST(ReceiverSession, RefusesMoreFlowsThanItsLimitInAllMessagesTogether) {
    ReceiverSession one = session_after({kHello, kOpen, OpenFlows{{flow(2)}}});
    EXPECT_THAT(refusal(one, OpenFlows{{flow(3), flow(4)}}).reason, HasSubstr("at most 3 flows"));
}

TEST(ReceiverSession, RefusesAFlowThatWasAskedForTwice) {
    ReceiverSession one = session_after({kHello, kOpen});
    const Refused refused = refusal(one, OpenFlows{{flow(2), flow(1)}});
    EXPECT_THAT(refused.reason, HasSubstr("flow 1 was asked for twice"));
    EXPECT_EQ(refused.flow, FlowId{1});
}

TEST(ReceiverSession, RefusesTwoFlowsOnOnePortAndNamesBoth) {
    ReceiverSession one = session_after({kHello});
    const Refused refused = refusal(one, OpenFlows{{flow(1, 8999), flow(2), flow(3, 8999)}});
    EXPECT_THAT(refused.reason, HasSubstr("flows 1 and 3 both ask for udp port 8999"));
    EXPECT_EQ(refused.flow, FlowId{3});
}

TEST(ReceiverSession, TakesUdpAndTcpOnTheSamePortNumber) {
    ReceiverSession one = session_after({kHello});
    EXPECT_EQ(refusal(one, OpenFlows{{flow(1, 8999), flow(2, 8999, Transport::tcp)}}).reason, "accepted");
}

TEST(ReceiverSession, RefusesTheFlowNumberZero) {
    ReceiverSession one = session_after({kHello});
    EXPECT_THAT(refusal(one, OpenFlows{{flow(0)}}).reason, HasSubstr("numbered from 1"));
}

TEST(ReceiverSession, RefusesToOpenNoFlows) {
    ReceiverSession one = session_after({kHello});
    EXPECT_THAT(refusal(one, OpenFlows{}).reason, HasSubstr("no flows at all"));
}

TEST(ReceiverSession, RefusesToStartWithoutFlows) {
    ReceiverSession one = session_after({kHello});
    EXPECT_THAT(refusal(one, kStart).reason, HasSubstr("without any flow"));
}

TEST(ReceiverSession, AnswersProbesInEveryStateAfterHello) {
    const std::vector<Message> course{kHello, kOpen, kStart, Finish{}};
    ReceiverSession one = session();
    for (std::uint32_t i = 0; i < course.size(); ++i) {
        (void)one.on_message(course[i], kNow);
        const SessionAction action = one.on_message(ProbeRequest{.number = i}, kNow);
        ASSERT_TRUE(std::holds_alternative<AnswerProbe>(action)) << i;
        EXPECT_EQ(std::get<AnswerProbe>(action).number, i);
    }
}

TEST(ReceiverSession, SaysWhatHasArrivedOnceTheRunHasStarted) {
    ReceiverSession one = session_after({kHello, kOpen});
    const ProgressRequest request{.number = 4, .each_flow = true};
    for (const Message& message : {kStart, Message(Finish{})}) {
        (void)one.on_message(message, kNow);
        EXPECT_EQ(std::get<AnswerProgress>(one.on_message(request, kNow)).request, request) << type_name(message);
    }
}

TEST(ReceiverSession, TakesKeepAlivesInEveryStateAfterHello) {
    const std::vector<Message> course{kHello, kOpen, kStart, Finish{}};
    ReceiverSession one = session();
    for (const Message& message : course) {
        (void)one.on_message(message, kNow);
        EXPECT_TRUE(std::holds_alternative<NoAction>(one.on_message(KeepAlive{}, kNow))) << type_name(message);
    }
}

TEST(ReceiverSession, HandsOnWhatTheSenderWantsLogged) {
    ReceiverSession one = session_after({kHello, kOpen});
    const SessionAction action = one.on_message(Start{.log_file = "recv.glog", .log_server = "c:9001"}, kNow);
    EXPECT_EQ(std::get<BeginRun>(action).start.log_file, "recv.glog");
    EXPECT_EQ(one.state(), State::running);
}

TEST(ReceiverSession, EndsARunWithWhatTheSenderSaysItSent) {
    ReceiverSession one = session_after({kHello, kOpen, kStart});
    const SessionAction action =
        one.on_message(Finish{.flows = {{.flow = FlowId{1}, .packets = 10, .bytes = 5120}}}, kNow);
    EXPECT_EQ(std::get<EndRun>(action).finish.flows.at(0).packets, 10U);
    EXPECT_EQ(one.state(), State::finishing);
}

TEST(ReceiverSession, EndsARunOfWhichTheSenderNamesNoFlow) {
    ReceiverSession one = session_after({kHello, kOpen, kStart});
    EXPECT_TRUE(std::holds_alternative<EndRun>(one.on_message(Finish{}, kNow)));
}

TEST(ReceiverSession, RefusesToFinishAFlowThatWasNeverOpened) {
    ReceiverSession one = session_after({kHello, kOpen, kStart});
    const Refused refused = refusal(one, Finish{.flows = {{.flow = FlowId{7}}}});
    EXPECT_THAT(refused.reason, HasSubstr("flow 7, which was never opened"));
    EXPECT_EQ(refused.flow, FlowId{7});
}

TEST(ReceiverSession, RefusesToFinishAFlowTwice) {
    ReceiverSession one = session_after({kHello, kOpen, kStart});
    EXPECT_THAT(refusal(one, Finish{.flows = {{.flow = FlowId{1}}, {.flow = FlowId{1}}}}).reason, HasSubstr("twice"));
}

TEST(ReceiverSession, RefusesEveryMessageOutOfItsOrder) {
    struct Case {
        std::vector<Message> before;
        Message message;
        std::string says;
    };
    const std::vector<Case> cases{
        {{}, kOpen, "'open_flows' before 'hello'"},
        {{}, kStart, "'start' before 'hello'"},
        {{}, KeepAlive{}, "'keep_alive' before 'hello'"},
        {{}, ProbeRequest{}, "'probe_request' before 'hello'"},
        {{}, ProgressRequest{}, "'progress_request' before 'hello'"},
        {{kHello, kOpen}, ProgressRequest{}, "'progress_request' before 'start'"},
        {{kHello}, kHello, "'hello' twice"},
        {{kHello}, Finish{}, "'finish' before 'start'"},
        {{kHello, kOpen, kStart}, kHello, "'hello' twice"},
        {{kHello, kOpen, kStart}, kOpen, "'open_flows' after 'start'"},
        {{kHello, kOpen, kStart}, kStart, "'start' after 'start'"},
        {{kHello, kOpen, kStart, Finish{}}, Finish{}, "'finish' after 'finish'"},
        {{kHello, kOpen, kStart, Finish{}}, kStart, "'start' after 'finish'"},
    };
    for (const Case& one : cases) {
        ReceiverSession session = session_after(one.before);
        EXPECT_THAT(refusal(session, one.message).reason, HasSubstr(one.says));
    }
}

TEST(ReceiverSession, RefusesMessagesThatOnlyAReceiverSends) {
    for (const Message& message : std::vector<Message>{Welcome{}, FlowsOpened{}, ProbeReply{}, Started{},
                                                       ReceiverResults{}, Refused{}, ProgressReply{}}) {
        ReceiverSession one = session_after({kHello});
        EXPECT_THAT(refusal(one, message).reason, HasSubstr("which only a receiver sends")) << type_name(message);
    }
}

TEST(ReceiverSession, TakesNoMoreValuesThanFitIntoMemory) {
    constexpr std::size_t kValues = 65'536;
    FlowSpec heavy = flow(1);
    heavy.idt = FromFile{.path = "gaps", .values = std::vector<double>(kValues, 1e6)};
    heavy.size =
        Mixture{.weights = {1}, .components = {FromFile{.path = "sizes", .values = std::vector<double>(kValues, 100)}}};
    ReceiverSession one = session(100'000);
    (void)one.on_message(kHello, kNow);
    std::string reason = "accepted";
    std::uint32_t flows = 0;
    while (reason == "accepted" and flows < 100) {
        heavy.id = FlowId{++flows};
        reason = refusal(one, OpenFlows{{heavy}}).reason;
    }
    EXPECT_THAT(reason, HasSubstr("of values (families 'file' and 'discrete')"));
    EXPECT_EQ(flows, 64U);  // a MiB each, and a little for the mixture
}

ReceiverSession session_that_called_in() {
    return ReceiverSession(Welcome{.program = "groma-recv 0.1.0", .host = "beta", .boot_id = "b"},
                           SessionLimits{.max_flows = 3, .called_in = true});
}

TEST(ReceiverSession, ThatCalledInWaitsForASenderThatIsNotReadyYet) {
    ReceiverSession one = session_that_called_in();
    EXPECT_TRUE(std::holds_alternative<NoAction>(one.on_message(KeepAlive{}, kNow)));
    EXPECT_TRUE(std::holds_alternative<Answer>(one.on_message(kHello, kNow)));
}

TEST(ReceiverSession, ThatCalledInDialsItsFlowsWhereItIsTold) {
    ReceiverSession one = session_that_called_in();
    (void)one.on_message(kHello, kNow);
    const std::vector<DialTarget> dial{{.port = 7, .token = {}}};
    const SessionAction action = one.on_message(OpenFlows{{flow(1)}, dial}, kNow);
    EXPECT_EQ(std::get<OpenInboxes>(action).dial, dial);
}

TEST(ReceiverSession, ThatCalledInMustBeToldWhereToDial) {
    ReceiverSession one = session_that_called_in();
    (void)one.on_message(kHello, kNow);
    EXPECT_THAT(refusal(one, kOpen).reason, HasSubstr("was not told where"));
}

TEST(ReceiverSession, ThatDidNotCallInDialsNobody) {
    ReceiverSession one = session_after({kHello});
    EXPECT_THAT(refusal(one, OpenFlows{{flow(1)}, {{.port = 7, .token = {}}}}).reason,
                HasSubstr("it was not this receiver"));
}

TEST(ReceiverSession, ThatCalledInLeavesWhenItIsNotWanted) {
    ReceiverSession one = session_that_called_in();
    const SessionAction action = one.on_message(Refused{.reason = "nobody awaits you", .flow = std::nullopt}, kNow);
    EXPECT_EQ(std::get<Leave>(action).reason, "nobody awaits you");
    ReceiverSession other = session();
    EXPECT_THAT(refusal(other, Refused{.reason = "x", .flow = std::nullopt}).reason, HasSubstr("'refused'"));
}

TEST(ReceiverSession, PassesOnWhoAsksForFlowsIfItSendsAny) {
    ReceiverSession one(Welcome{}, SessionLimits{.reverse = true});
    EXPECT_TRUE(std::holds_alternative<ServeReverse>(one.on_message(AskReverse{}, kNow)));
    ReceiverSession two(Welcome{}, SessionLimits{.reverse = true});
    EXPECT_EQ(std::get<TakeCall>(two.on_message(CallIn{.program = "", .name = "token"}, kNow)).name, "token");
    ReceiverSession other = session();
    EXPECT_THAT(refusal(other, AskReverse{}).reason, HasSubstr("--reverse-runs"));
    EXPECT_THAT(refusal(other, CallIn{.program = "", .name = "token"}).reason, HasSubstr("this is a receiver"));
}

TEST(ReceiverSession, IsAskedForFlowsBeforeAnythingElseOnly) {
    ReceiverSession one(Welcome{}, SessionLimits{.reverse = true});
    (void)one.on_message(kHello, kNow);
    EXPECT_THAT(refusal(one, AskReverse{}).reason, HasSubstr("no place"));
    EXPECT_THAT(refusal(one, CallIn{.program = "", .name = "token"}).reason, HasSubstr("no place"));
}

/// Asked for flow 1, with a log, and called in for it.
ReceiverSession session_that_asked(Transport transport = Transport::udp) {
    return ReceiverSession(Welcome{},
                           SessionLimits{.called_in = true,
                                         .asked = AskedSession{.run_id = "run",
                                                               .experiment = hello().experiment,
                                                               .flows = {{FlowId{1}, flow(1, std::nullopt, transport)}},
                                                               .log_file = "a.glog",
                                                               .log_server = "c:1",
                                                               .log_transport = "tcp",
                                                               .log_name_begins = "receiver-"}});
}

TEST(ReceiverSession, ThatAskedTakesNoOtherRun) {
    ReceiverSession one = session_that_asked();
    EXPECT_THAT(refusal(one, kHello).reason, HasSubstr("another run"));
}

TEST(ReceiverSession, ThatAskedTakesNothingElseThanItAskedFor) {
    Hello asked = hello();
    asked.run_id = "run";
    const auto begun = [&asked] {
        ReceiverSession one = session_that_asked();
        EXPECT_TRUE(std::holds_alternative<Answer>(one.on_message(asked, kNow)));
        return one;
    };
    const std::vector<DialTarget> dial{{.port = 7, .token = {}}};
    ReceiverSession other_flow = begun();
    EXPECT_THAT(refusal(other_flow, OpenFlows{{flow(2)}, dial}).reason, HasSubstr("was not asked for"));
    ReceiverSession one = begun();
    EXPECT_TRUE(std::holds_alternative<OpenInboxes>(one.on_message(OpenFlows{{flow(1)}, dial}, kNow)));
    ReceiverSession two = begun();
    EXPECT_THAT(refusal(two, OpenFlows{{flow(1, std::nullopt, Transport::tcp)}, dial}).reason,
                HasSubstr("was not asked for"));
    const Start asked_for{.log_file = "a.glog",
                          .log_server = "c:1",
                          .log_transport = "tcp",
                          .log_name = "receiver-b",
                          .discard_log = false};
    for (const auto& change : std::vector<std::function<void(Start&)>>{
             [](Start& it) { it.log_file = "b.glog"; }, [](Start& it) { it.log_file = ""; },
             [](Start& it) { it.log_server = "d:1"; }, [](Start& it) { it.log_name = "sender"; },
             [](Start& it) { it.log_transport = "udp"; }, [](Start& it) { it.discard_log = true; },
             [](Start& it) { it.fetch_log = true; }}) {
        Start start = asked_for;
        change(start);
        ReceiverSession copy = one;
        EXPECT_TRUE(std::holds_alternative<Refuse>(copy.on_message(start, kNow)));
    }
    EXPECT_TRUE(std::holds_alternative<BeginRun>(one.on_message(asked_for, kNow)));
}

TEST(ReceiverSession, AwaitsAFlowAtItsOwnPortOnlyWhereItAskedAndNoNatLetsTheTransportThrough) {
    const std::vector<DialTarget> nowhere{{.port = 0, .token = {}}};
    const auto answer = [&nowhere](ReceiverSession one, Transport transport) {
        Hello asked = hello();
        asked.run_id = "run";
        (void)one.on_message(asked, kNow);
        return refusal(one, OpenFlows{{flow(1, std::nullopt, transport)}, nowhere}).reason;
    };
    EXPECT_EQ(answer(session_that_asked(Transport::icmp), Transport::icmp), "accepted");
    EXPECT_THAT(answer(session_that_asked(), Transport::udp), HasSubstr("no port to dial"));
    EXPECT_THAT(answer(session_that_called_in(), Transport::icmp), HasSubstr("no port to dial"));
}

/// The role without which a session must not come to this.
struct RoleOfAction {
    std::optional<Role> operator()(const NoAction&) const { return std::nullopt; }
    std::optional<Role> operator()(const Answer&) const { return Role::receive; }
    std::optional<Role> operator()(const AnswerProbe&) const { return Role::receive; }
    std::optional<Role> operator()(const AnswerProgress&) const { return Role::receive; }
    std::optional<Role> operator()(const OpenInboxes&) const { return Role::receive; }
    std::optional<Role> operator()(const BeginRun&) const { return Role::receive; }
    std::optional<Role> operator()(const EndRun&) const { return Role::receive; }
    std::optional<Role> operator()(const GiveLog&) const { return Role::receive; }
    std::optional<Role> operator()(const DropLog&) const { return Role::receive; }
    std::optional<Role> operator()(const ResumeLog&) const { return Role::receive; }
    std::optional<Role> operator()(const ServeReverse&) const { return Role::send; }
    std::optional<Role> operator()(const TakeCall&) const { return Role::send; }
    std::optional<Role> operator()(const Leave&) const { return std::nullopt; }
    std::optional<Role> operator()(const Refuse&) const { return std::nullopt; }
};

/// One of each, with which a session can come to its end.
std::vector<Message> useful_messages() {
    std::vector<Message> all = one_of_every_message<Message>();
    for (Message& message : all) {
        if (std::holds_alternative<OpenFlows>(message)) {
            message = kOpen;
        } else if (std::holds_alternative<Start>(message)) {
            message = Start{.log_file = "a.glog", .fetch_log = true};
        }
    }
    return all;
}

ReceiverSession session_of(const Grant& grant) {
    return ReceiverSession({}, SessionLimits{.keys = true, .reverse = true}, KeyLoads().enter(grant));
}

TEST(ReceiverSession, BeginsWithTheFirstMessagesOnlyEachOfWhichTakesItsRole) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const Message& message : one_of_every_message<Message>()) {
            ReceiverSession one = session_of(grant);
            const std::string reason = refusal(one, message).reason;
            const auto needed = role_to_begin(Server::receiver, type_name(message));
            const std::string expected = not needed                 ? "before 'hello', where it has no place"
                                         : grant.roles.has(*needed) ? "accepted"
                                                                    : taking(*needed);
            EXPECT_THAT(reason, HasSubstr(expected)) << type_name(message) << " of " << to_string(grant.roles);
            EXPECT_TRUE(reason == "accepted" or one.state() == State::greeting) << type_name(message);
        }
    }
}

/// The session goes on, and is not as it was.
bool moves_on(const SessionAction& action) {
    return std::holds_alternative<Answer>(action) or std::holds_alternative<OpenInboxes>(action) or
           std::holds_alternative<BeginRun>(action) or std::holds_alternative<EndRun>(action) or
           std::holds_alternative<GiveLog>(action) or std::holds_alternative<DropLog>(action) or
           std::holds_alternative<ResumeLog>(action);
}

/// Each message in turn, and all that can follow it. Returns: what sessions have come to.
std::set<std::size_t> all_that_follows(const ReceiverSession& before, const Grant& grant) {
    std::set<std::size_t> actions;
    for (const Message& message : useful_messages()) {
        ReceiverSession session = before;
        const SessionAction action = session.on_message(message, kNow);
        const std::optional<Role> needed = std::visit(RoleOfAction(), action);
        EXPECT_TRUE(not needed or grant.roles.has(*needed)) << type_name(message) << " of " << to_string(grant.roles);
        actions.insert(action.index());
        if (std::holds_alternative<EndRun>(action)) {
            session.on_results(kNow);
        }
        if (moves_on(action)) {
            actions.merge(all_that_follows(session, grant));
        }
    }
    return actions;
}

TEST(ReceiverSession, ComesToNothingForWhichItsKeyHasNoRoleWhateverTheOrderOfMessages) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        const std::set<std::size_t> actions = all_that_follows(session_of(grant), grant);
        const bool all = grant.roles.has(Role::receive) and grant.roles.has(Role::send);
        EXPECT_EQ(actions.size() == std::variant_size_v<SessionAction> - 1, all) << "all but Leave, of who called in";
    }
}

TEST(ReceiverSession, DoesNotServeClientsThroughADaemonOfItsOwnUserWithoutAKey) {
    Hello of_daemon = hello();
    of_daemon.for_client = true;
    ReceiverSession keyed({}, SessionLimits{.keys = true});
    EXPECT_THAT(refusal(keyed, of_daemon).reason, HasSubstr("for a client that gave none"));
    ReceiverSession own({}, SessionLimits{.keys = true});
    EXPECT_EQ(refusal(own, hello()).reason, "accepted");
    ReceiverSession with_key({}, SessionLimits{.keys = true},
                             KeyLoads().enter(Grant{.name = "lab", .roles = {Role::receive}}));
    EXPECT_EQ(refusal(with_key, of_daemon).reason, "accepted");
    ReceiverSession open({}, SessionLimits{});
    EXPECT_EQ(refusal(open, of_daemon).reason, "accepted");
}

TEST(ReceiverSession, SaysOnlyInWhatOrderMessagesComeWhateverTheRole) {
    ReceiverSession one({}, SessionLimits{}, KeyLoads().enter(Grant{.name = "lab", .roles = {Role::view}}));
    EXPECT_THAT(refusal(one, kOpen).reason, HasSubstr("before 'hello'"));
}

/// Gone through up to its flows. Returns: why they were refused.
std::string opened_of(ReceiverSession& session) {
    EXPECT_EQ(refusal(session, hello()).reason, "accepted");
    return refusal(session, kOpen).reason;
}

TEST(ReceiverSession, SharesTheLimitsOfItsKeyWithTheOthersUntilItsResultsAreSent) {
    const Grant grant{.name = "lab",
                      .roles = {Role::receive},
                      .limits = parse_limits("flows=" + std::to_string(std::get<OpenFlows>(kOpen).flows.size()))};
    KeyLoads loads;
    const auto next = [&] { return ReceiverSession({}, SessionLimits{.keys = true}, loads.enter(grant)); };
    ReceiverSession first = next();
    EXPECT_EQ(opened_of(first), "accepted");
    ReceiverSession second = next();
    EXPECT_THAT(opened_of(second), HasSubstr("of other sessions or runs under this key"));
    EXPECT_EQ(refusal(first, Start{}).reason, "accepted");
    EXPECT_EQ(refusal(first, Finish{}).reason, "accepted");
    ReceiverSession third = next();
    EXPECT_THAT(opened_of(third), HasSubstr("at once")) << "packets may still come to the first";
    first.on_results(kNow);
    ReceiverSession fourth = next();
    EXPECT_EQ(opened_of(fourth), "accepted");
    fourth.leave();
    ReceiverSession fifth = next();
    EXPECT_EQ(opened_of(fifth), "accepted");
}

}  // namespace
}  // namespace groma
