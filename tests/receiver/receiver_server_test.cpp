#include "receiver/receiver_server.hpp"

#include <gmock/gmock.h>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "common/base/errors.hpp"
#include "tests/receiver/receiver_fixture.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

using ReceiverServerTest = ReceiverFixture;

/// The results of a flow whose packets all arrived.
ReceivedFlow whole(std::uint64_t packets, const LogContents& log) {
    const FlowTotals& totals = log.totals->flows.at(0);
    DelayMeter delays;
    for (const auto& [flow, record] : log.records) {
        delays.add(record.sent_at, record.received_at);
    }
    return {.flow = FlowId{1},
            .packets = packets,
            .bytes = packets * TestFlow::kSize,
            .state = "ok",
            .first_arrival = totals.first,
            .last_arrival = totals.last,
            .numbers_end = packets,
            .delays = delays.figures()};
}

TEST_F(ReceiverServerTest, CountsAndLogsEveryPacketOfAUdpFlow) {
    options_.gro = GroMode::off;  // a slow receiver with a small buffer would switch it on
    start();
    TestSender sender(address());
    const auto ports = begin(sender, {flow(1)}, "recv.glog");
    TestFlow udp(FlowId{1}, Transport::udp, ports.at(0));
    for (std::uint32_t seq = 0; seq < 500; ++seq) {
        ASSERT_TRUE(udp.send(seq));
    }
    const ReceiverResults results =
        finish(sender, {{.flow = FlowId{1}, .packets = 500, .bytes = 500 * TestFlow::kSize}});
    EXPECT_EQ(results.log_error, "");
    const LogContents contents = log("recv.glog");
    EXPECT_EQ(results.flows.at(0), whole(500, contents));
    ASSERT_EQ(contents.records.size(), 500U);
    EXPECT_EQ(results.flows.at(0).first_arrival, contents.records.front().second.received_at);
    EXPECT_EQ(results.flows.at(0).last_arrival, contents.records.back().second.received_at);
    for (std::uint32_t seq = 0; seq < 500; ++seq) {
        EXPECT_EQ(contents.records[seq].second.seq, seq);
        EXPECT_EQ(contents.records[seq].second.sent_at, wall_time_from_ns(1'000 + seq));
        EXPECT_EQ(contents.records[seq].second.size, TestFlow::kSize);
    }
    EXPECT_EQ(contents.totals->end, "complete");
    EXPECT_EQ(contents.totals->flows.at(0).records, 500U);
    EXPECT_EQ(contents.metadata->role, LogRole::receiver);
    EXPECT_EQ(contents.metadata->run_id, TestSender::hello().run_id);
    EXPECT_EQ(contents.metadata->flows.at(0).spec, flow(1));
    EXPECT_EQ(contents.metadata->flows.at(0).local_address, ports.at(0).to_string());
}

TEST_F(ReceiverServerTest, CountsAndLogsEveryPacketOfATcpFlow) {
    start();
    TestSender sender(address());
    const auto ports = begin(sender, {flow(1, Transport::tcp)}, "recv.glog");
    TestFlow tcp(FlowId{1}, Transport::tcp, ports.at(0));
    for (std::uint32_t seq = 0; seq < 500; ++seq) {
        ASSERT_TRUE(tcp.send(seq));
    }
    ASSERT_TRUE(tcp.finish());
    const ReceiverResults results =
        finish(sender, {{.flow = FlowId{1}, .packets = 500, .bytes = 500 * TestFlow::kSize}});
    const LogContents contents = log("recv.glog");
    EXPECT_EQ(results.flows.at(0), whole(500, contents));
    EXPECT_EQ(contents.records.size(), 500U);
}

TEST_F(ReceiverServerTest, TellsDuplicatesAndReorderingApart) {
    start();
    TestSender sender(address());
    TestFlow udp(FlowId{1}, Transport::udp, begin(sender, {flow(1)}).at(0));
    for (const std::uint32_t seq : {0U, 1U, 1U, 4U, 3U, 2U, 4U, 5U}) {
        ASSERT_TRUE(udp.send(seq));
    }
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 6, .bytes = 600}});
    EXPECT_EQ(results.flows.at(0).packets, 8U);
    EXPECT_EQ(results.flows.at(0).duplicates, 2U);
    EXPECT_EQ(results.flows.at(0).reordered, 2U);
}

TEST_F(ReceiverServerTest, WaitsNoLongerThanItWasAskedToForPacketsThatNeverCome) {
    start();
    TestSender sender(address());
    TestFlow udp(FlowId{1}, Transport::udp, begin(sender, {flow(1)}).at(0));
    ASSERT_TRUE(udp.send(0));
    const ReceiverResults results =
        finish(sender, {{.flow = FlowId{1}, .packets = 2, .bytes = 200}}, std::chrono::milliseconds(20));
    EXPECT_EQ(results.flows.at(0).packets, 1U);
}

TEST_F(ReceiverServerTest, CountsPacketsOfAnotherFlowAsMalformed) {
    start();
    TestSender sender(address());
    const SocketAddress port = begin(sender, {flow(1)}).at(0);
    TestFlow stranger(FlowId{2}, Transport::udp, port);
    ASSERT_TRUE(stranger.send(0));
    TestFlow udp(FlowId{1}, Transport::udp, port);
    ASSERT_TRUE(udp.send(0));
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_EQ(results.flows.at(0).packets, 1U);
    EXPECT_EQ(results.flows.at(0).malformed, 1U);
}

TEST_F(ReceiverServerTest, SpreadsFlowsOverItsThreadsAndLosesNoneOfThem) {
    options_.threads.count = 3;
    start();
    TestSender sender(address());
    std::vector<FlowSpec> specs;
    std::vector<SentFlow> sent;
    for (std::uint32_t id = 1; id <= 50; ++id) {
        specs.push_back(flow(id, id % 5 == 0 ? Transport::tcp : Transport::udp));
        sent.push_back({.flow = FlowId{id}, .packets = 20, .bytes = 20 * TestFlow::kSize});
    }
    const auto ports = begin(sender, specs, "recv.glog");
    std::vector<TestFlow> flows;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        flows.emplace_back(specs[i].id, specs[i].transport, ports[i]);
    }
    for (std::uint32_t seq = 0; seq < 20; ++seq) {
        for (TestFlow& one : flows) {
            ASSERT_TRUE(one.send(seq));
        }
    }
    for (TestFlow& one : flows) {
        ASSERT_TRUE(one.finish());
    }
    for (const ReceivedFlow& one : finish(sender, sent).flows) {
        EXPECT_EQ(one.packets, 20U) << one.flow.value;
        EXPECT_EQ(one.state, "ok") << one.flow.value;
    }
    EXPECT_EQ(log("recv.glog").records.size(), 1000U);
}

TEST_F(ReceiverServerTest, ReceivesOnThePortThatWasAskedFor) {
    start();
    FlowSpec asked = flow(1);
    {
        TestSender scout(address());
        asked.target.data_port = begin(scout, {flow(1)}).at(0).port();
        (void)finish(scout, {});
    }
    TestSender sender(address());
    (void)sender.ask(TestSender::hello());
    Message answer = sender.ask(OpenFlows{{asked}});
    EXPECT_EQ(std::get<FlowsOpened>(answer).flows.at(0).port, *asked.target.data_port);
}

TEST_F(ReceiverServerTest, RefusesAPortThatIsTakenAndNamesTheFlow) {
    start();
    TestSender first(address());
    FlowSpec second_flow = flow(2);
    second_flow.target.data_port = begin(first, {flow(1)}).at(0).port();
    TestSender second(address());
    (void)second.ask(TestSender::hello());
    const Message answer = second.ask(OpenFlows{{second_flow}});
    const auto& refused = std::get<Refused>(answer);
    EXPECT_EQ(refused.flow, FlowId{2});
    EXPECT_THAT(refused.reason, HasSubstr(std::to_string(*second_flow.target.data_port)));
}

TEST_F(ReceiverServerTest, AnswersProbesWithTwoStampsInOrder) {
    start();
    TestSender sender(address());
    (void)sender.ask(TestSender::hello());
    const Message answer = sender.ask(ProbeRequest{.number = 12});
    const auto& reply = std::get<ProbeReply>(answer);
    EXPECT_EQ(reply.number, 12U);
    EXPECT_LE(reply.received, reply.answered);
    EXPECT_GT(ns_since_epoch(reply.received), 1'500'000'000'000'000'000);
}

TEST_F(ReceiverServerTest, AnswersProbesAfterTheResults) {
    start();
    TestSender sender(address());
    (void)begin(sender, {flow(1)});
    (void)finish(sender, {});
    const Message answer = sender.ask(ProbeRequest{.number = 13});
    EXPECT_EQ(std::get<ProbeReply>(answer).number, 13U);
}

TEST_F(ReceiverServerTest, TellsWhatHasArrivedWhileTheRunGoesOn) {
    start();
    TestSender sender(address());
    const auto ports = begin(sender, {flow(1), flow(2)});
    TestFlow second(FlowId{2}, Transport::udp, ports.at(1));
    for (const std::uint32_t seq : {0U, 3U}) {
        ASSERT_TRUE(second.send(seq));
    }
    ProgressReply reply;
    while (reply.all.packets < 2) {
        reply = std::get<ProgressReply>(sender.ask(ProgressRequest{.number = reply.number + 1, .each_flow = true}));
    }
    const ArrivedSoFar arrived{.packets = 2, .bytes = 2 * TestFlow::kSize, .missing = 2};
    EXPECT_EQ(reply.all, arrived);
    EXPECT_THAT(reply.flows, ElementsAre(FlowSoFar{.flow = FlowId{1}, .arrived = {}},
                                         FlowSoFar{.flow = FlowId{2}, .arrived = arrived}));
    EXPECT_GT(reply.elapsed, Nanos{0});
    const auto total = std::get<ProgressReply>(sender.ask(ProgressRequest{}));
    EXPECT_EQ(total.all, arrived);
    EXPECT_TRUE(total.flows.empty());
}

TEST_F(ReceiverServerTest, KeepsTheSessionAliveWithoutBeingAsked) {
    options_.times.keep_alive = std::chrono::milliseconds(1);
    start();
    TestSender sender(address());
    (void)sender.ask(TestSender::hello());
    EXPECT_EQ(sender.read_any(), Message(KeepAlive{}));
    EXPECT_EQ(sender.read_any(), Message(KeepAlive{}));
}

TEST_F(ReceiverServerTest, ClosesTheLogOfASenderThatDiesInTheMiddleAndServesTheNext) {
    start();
    {
        TestSender sender(address());
        TestFlow udp(FlowId{1}, Transport::udp, begin(sender, {flow(1)}, "recv.glog").at(0));
        for (std::uint32_t seq = 0; seq < 100; ++seq) {
            ASSERT_TRUE(udp.send(seq));
        }
        sender.close();
    }
    wait_for("the run ended: peer lost");
    const LogContents contents = log("recv.glog");
    EXPECT_EQ(contents.records.size(), 100U);
    EXPECT_THAT(contents.totals->end, HasSubstr("closed the connection"));
    EXPECT_THAT(contents.events, Contains(Field(&LogEvent::kind, "peer-lost")));
    TestSender next(address());
    EXPECT_TRUE(std::holds_alternative<Welcome>(next.ask(TestSender::hello())));
}

TEST_F(ReceiverServerTest, NoticesASenderThatFellSilent) {
    options_.times.silence = std::chrono::milliseconds(50);
    start();
    TestSender sender(address());
    sender.write(TestSender::hello());  // on a loaded machine the session may end before the run begins
    EXPECT_THROW(
        {
            while (true) {
                (void)sender.read();
            }
        },
        ProtocolError);
}

TEST_F(ReceiverServerTest, KeepsSessionsApart) {
    start();
    TestSender first(address());
    TestSender second(address());
    TestFlow udp1(FlowId{1}, Transport::udp, begin(first, {flow(1)}, "first.glog").at(0));
    TestFlow udp2(FlowId{1}, Transport::udp, begin(second, {flow(1)}, "second.glog").at(0));
    ASSERT_TRUE(udp1.send(0));
    ASSERT_TRUE(udp2.send(0));
    first.close();
    ASSERT_TRUE(udp2.send(1));
    EXPECT_EQ(finish(second, {{.flow = FlowId{1}, .packets = 2, .bytes = 200}}).flows.at(0).packets, 2U);
    EXPECT_EQ(log("second.glog").records.size(), 2U);
}

TEST_F(ReceiverServerTest, ClosesItsLogsAndSaysWhyWhenItIsStopped) {
    start();
    TestSender sender(address());
    TestFlow udp(FlowId{1}, Transport::udp, begin(sender, {flow(1)}, "recv.glog").at(0));
    ASSERT_TRUE(udp.send(0));
    std::thread stopper([this] { stop(); });
    const Message last = sender.read();
    sender.close();
    stopper.join();
    EXPECT_THAT(std::get<Refused>(last).reason, HasSubstr("the receiver was stopped"));
    const LogContents contents = log("recv.glog");
    EXPECT_EQ(contents.records.size(), 1U);
    EXPECT_EQ(contents.totals->end, "interrupted");
}

TEST_F(ReceiverServerTest, WritesInterruptedInTheLogOfARunThatTheUserStopped) {
    start();
    TestSender sender(address());
    (void)begin(sender, {flow(1)}, "recv.glog");
    (void)sender.ask(Finish{.interrupted = true, .wait = Nanos{0}, .flows = {}});
    EXPECT_EQ(log("recv.glog").totals->end, "interrupted");
}

/// The answer of a new session to this Start.
std::string start_refusal(const SocketAddress& receiver, const FlowSpec& flow, Start start) {
    TestSender sender(receiver);
    (void)sender.ask(TestSender::hello());
    (void)sender.ask(OpenFlows{{flow}});
    const Message answer = sender.ask(std::move(start));
    const auto* refused = std::get_if<Refused>(&answer);
    return refused != nullptr ? refused->reason : "accepted";
}

TEST_F(ReceiverServerTest, RefusesLogNamesThatArePathsBeforeAnythingStarts) {
    start();
    for (const char* name : {"../recv.glog", "/tmp/recv.glog", "..", ".hidden", "a/b", "a\nb"}) {
        EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = name, .log_server = ""}),
                    HasSubstr("--log-dir decides where"))
            << name;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(ReceiverServerTest, RefusesALogThatAnotherSessionIsWritingUnderBothOfItsNames) {
    start();
    TestSender first(address());
    TestFlow udp(FlowId{1}, Transport::udp, begin(first, {flow(1)}, "recv.glog").at(0));
    ASSERT_TRUE(udp.send(0));
    EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = "recv.glog", .log_server = ""}),
                HasSubstr("is being written for another run"));
    for (const char* name : {"recv.glog.part", "recv.glog.PART"}) {
        EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = name, .log_server = ""}),
                    HasSubstr("names that end in .part"));
    }
    (void)finish(first, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_EQ(log("recv.glog").records.size(), 1U);
}

TEST_F(ReceiverServerTest, KeepsNoLogOfARunThatItsSenderLeftBeforeTheFirstPacket) {
    start();
    TestSender sender(address());
    (void)begin(sender, {flow(1)}, "recv.glog");
    sender.close();
    wait_for("its log is not kept");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(ReceiverServerTest, DoesNotKeepALogThatIsToBeDiscarded) {
    start();
    TestSender sender(address());
    const SocketAddress to =
        begin(sender, {flow(1)}, {.log_file = "recv.glog", .log_server = "", .discard_log = true}).at(0);
    TestFlow udp(FlowId{1}, Transport::udp, to);
    ASSERT_TRUE(udp.send(0));
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_EQ(results.log_error, "");
    EXPECT_EQ(results.flows.at(0).records_lost, 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(ReceiverServerTest, GivesItsSenderTheLogAndRemovesItWhenAskedTo) {
    start();
    TestSender sender(address());
    const SocketAddress to =
        begin(sender, {flow(1)}, {.log_file = "recv.glog", .log_server = "", .fetch_log = true}).at(0);
    TestFlow udp(FlowId{1}, Transport::udp, to);
    ASSERT_TRUE(udp.send(0));
    (void)finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_EQ(log("recv.glog").records.size(), 1U);
    const auto section = std::get<LogSection>(sender.ask(FetchLog{}));
    EXPECT_EQ(section.bytes.size(), std::filesystem::file_size(folder_.path() / "recv.glog"));
    EXPECT_EQ(section.log_bytes, section.bytes.size());
    EXPECT_TRUE(std::holds_alternative<LogRemoved>(sender.ask(RemoveLog{})));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    EXPECT_THAT(std::get<Refused>(sender.ask(FetchLog{.offset = kLogSectionBytes})).reason, HasSubstr("no place"));
}

TEST_F(ReceiverServerTest, RefusesASectionBehindTheEndOfTheLogAndKeepsIt) {
    start();
    TestSender sender(address());
    const SocketAddress to =
        begin(sender, {flow(1)}, {.log_file = "recv.glog", .log_server = "", .fetch_log = true}).at(0);
    TestFlow udp(FlowId{1}, Transport::udp, to);
    ASSERT_TRUE(udp.send(0));
    (void)finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_THAT(std::get<Refused>(sender.ask(FetchLog{.offset = kLogSectionBytes})).reason, HasSubstr("no section"));
    sender.close();
    EXPECT_EQ(log("recv.glog").records.size(), 1U);
}

TEST_F(ReceiverServerTest, GivesTheLogOfASessionThatBrokeToWhoHasItsToken) {
    start();
    std::optional<Token> token;
    {
        TestSender sender(address());
        (void)sender.ask(TestSender::hello());
        const Message opened = sender.ask(OpenFlows{{flow(1)}});
        token = std::get<Started>(sender.ask(Start{.log_file = "recv.glog", .log_server = "", .fetch_log = true}))
                    .fetch_token;
        (void)finish(sender, {});
    }
    wait_for("its log is left here");
    ASSERT_TRUE(token.has_value());
    Token other = *token;
    other[15] ^= std::byte{1};
    TestSender stranger(address());
    EXPECT_THAT(std::get<Refused>(stranger.ask(ResumeFetch{other})).reason, HasSubstr("no log is left here"));
    TestSender again(address());
    EXPECT_TRUE(std::holds_alternative<FetchResumed>(again.ask(ResumeFetch{*token})));
    TestSender at_once(address());
    EXPECT_THAT(std::get<Refused>(at_once.ask(ResumeFetch{*token})).reason, HasSubstr("no log is left here"));
    const auto section = std::get<LogSection>(again.ask(FetchLog{}));
    EXPECT_EQ(section.bytes.size(), std::filesystem::file_size(folder_.path() / "recv.glog"));
    EXPECT_TRUE(std::holds_alternative<LogRemoved>(again.ask(RemoveLog{})));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

/// Its holder's, for the receiver of a test.
OfferedKey offered_key(const Grant& grant, KeyRing& asked_of) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(grant.name.front()));
    const AccessKey key{.grant = grant, .secret = Secret(bytes)};
    asked_of.add(known_by_host(key, std::vector<std::string>{"beta"}), grant.name);
    return key.offered_to("beta");
}

TEST_F(ReceiverServerTest, GivesTheLogOfASessionThatBrokeToItsKeyOnly) {
    const OfferedKey lab = offered_key({.name = "lab", .roles = {Role::receive}}, options_.keys.given);
    const OfferedKey other = offered_key({.name = "other", .roles = {Role::receive}}, options_.keys.given);
    const OfferedKey boss = offered_key({.name = "boss", .roles = {Role::admin}}, options_.keys.given);
    std::vector<AuditEvent> audited;
    options_.audit = [&audited](const AuditEvent& entry) { audited.push_back(entry); };
    start();
    std::optional<Token> token;
    {
        TestSender sender(address(), lab);
        (void)sender.ask(TestSender::hello());
        (void)sender.ask(OpenFlows{{flow(1)}});
        const Message started = sender.ask(Start{.log_file = "recv.glog", .log_server = "", .fetch_log = true});
        token = std::get<Started>(started).fetch_token;
        (void)finish(sender, {});
    }
    wait_for("its log is left here");
    ASSERT_TRUE(token.has_value());
    TestSender stranger(address(), other);
    EXPECT_THAT(std::get<Refused>(stranger.ask(ResumeFetch{*token})).reason, HasSubstr("with the key of its run"));
    TestSender without_role(address(), boss);
    EXPECT_THAT(std::get<Refused>(without_role.ask(ResumeFetch{*token})).reason, HasSubstr("takes the role receive"));
    TestSender again(address(), lab);
    EXPECT_TRUE(std::holds_alternative<FetchResumed>(again.ask(ResumeFetch{*token})));
    again.close();
    stop();
    const auto is = [](const std::string& key, bool allowed, const std::string& subject) {
        return AllOf(Field(&AuditEvent::key, key), Field(&AuditEvent::allowed, allowed),
                     Field(&AuditEvent::subject, subject));
    };
    EXPECT_THAT(audited, ElementsAre(is("lab", true, "test"), is("other", false, ""), is("boss", false, ""),
                                     is("lab", true, "recv.glog")));
}

TEST_F(ReceiverServerTest, KeepsTheLogOfAnEarlierRun) {
    start();
    TestSender sender(address());
    (void)begin(sender, {flow(1)}, "recv.glog");
    (void)finish(sender, {});
    EXPECT_THAT(
        start_refusal(address(), flow(1), {.log_file = "recv.glog", .log_server = ""}),
        HasSubstr("recv.glog: it is there already; give another name, or start groma-recv with --replace-logs"));
    EXPECT_EQ(log("recv.glog").totals->end, "complete");
}

TEST_F(ReceiverServerTest, ReplacesTheLogOfAnEarlierRunWhenItMay) {
    options_.replace_logs = true;
    start();
    for (int run = 0; run < 2; ++run) {
        TestSender sender(address());
        (void)begin(sender, {flow(1)}, "recv.glog");
        (void)finish(sender, {});
    }
    EXPECT_EQ(log("recv.glog").totals->end, "complete");
}

TEST_F(ReceiverServerTest, RefusesALogServerThatIsNotThere) {
    start();
    EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = "", .log_server = "127.0.0.1:1"}),
                HasSubstr("127.0.0.1:1"));
}

TEST_F(ReceiverServerTest, ALogServerWhoseNameHasNoAnswerDelaysNoOtherSession) {
    options_.times.lookup = kPatience;
    start();
    TestSender waiting(address());
    (void)waiting.ask(TestSender::hello());
    (void)waiting.ask(OpenFlows{{flow(1)}});
    waiting.write(Start{.log_file = "", .log_server = "slow.example.org:9001"});
    names_.wait_for(1);
    EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = "", .log_server = "127.0.0.1:1"}),
                HasSubstr("127.0.0.1:1"));
    EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = "", .log_server = "here.example.org:1"}),
                HasSubstr("127.0.0.1:1"));
}

TEST_F(ReceiverServerTest, RefusesALogServerWhoseNameHasNoAnswer) {
    options_.times.lookup = std::chrono::milliseconds(1);
    start();
    EXPECT_THAT(start_refusal(address(), flow(1), {.log_file = "", .log_server = "slow.example.org"}),
                HasSubstr("cannot find the host slow.example.org: no answer within"));
}

TEST_F(ReceiverServerTest, StopsWhileTheNameOfALogServerHasNoAnswer) {
    options_.times.lookup = kPatience;
    start();
    TestSender waiting(address());
    (void)waiting.ask(TestSender::hello());
    (void)waiting.ask(OpenFlows{{flow(1)}});
    waiting.write(Start{.log_file = "", .log_server = "slow.example.org:9001"});
    names_.wait_for(1);
    stop();  // returns although there is no answer yet
    EXPECT_THAT(std::get<Refused>(waiting.read()).reason, HasSubstr("the receiver was stopped"));
}

TEST_F(ReceiverServerTest, SaysWhatWasWrongWithAMessageBeforeItHangsUp) {
    start();
    boost::asio::io_context io;
    boost::asio::ip::tcp::socket socket(io);
    socket.connect(to_endpoint(address()));
    boost::asio::write(socket, boost::asio::buffer("\0\0\0\x02{}", 6));
    std::string answer;
    boost::system::error_code error;
    boost::asio::read(socket, boost::asio::dynamic_buffer(answer), error);
    EXPECT_THAT(answer, HasSubstr("'type' is missing"));
}

TEST_F(ReceiverServerTest, RefusesMoreSessionsThanItMayServe) {
    options_.max_sessions = 1;
    start();
    TestSender first(address());
    (void)first.ask(TestSender::hello());
    TestSender second(address());
    const Message answer = second.ask(TestSender::hello());
    EXPECT_THAT(std::get<Refused>(answer).reason, HasSubstr("--max-sessions"));
    EXPECT_TRUE(std::holds_alternative<ProbeReply>(first.ask(ProbeRequest{})));
}

TEST_F(ReceiverServerTest, KeepsPlacesForOtherHostsThanTheOneThatHasItsShare) {
    options_.max_sessions = 3;
    options_.max_per_host = 1;
    start();
    std::optional<TestSender> first(std::in_place, address());
    (void)first->ask(TestSender::hello());
    TestSender second(address());
    const Message answer = second.ask(TestSender::hello());
    EXPECT_THAT(std::get<Refused>(answer).reason, HasSubstr("1 session of your host already"));
    EXPECT_THAT(std::get<Refused>(answer).reason, HasSubstr("--max-per-host"));
    EXPECT_TRUE(std::holds_alternative<ProbeReply>(first->ask(ProbeRequest{})));
}

TEST_F(ReceiverServerTest, ReadsNoLongMessageOfWhoHasNotGreeted) {
    start();
    boost::asio::io_context io;
    boost::asio::ip::tcp::socket socket(io);
    socket.connect(to_endpoint(address()));
    boost::asio::write(socket, boost::asio::buffer("\0\1\0\1", 4));
    std::string answer;
    boost::system::error_code error;
    boost::asio::read(socket, boost::asio::dynamic_buffer(answer), error);
    EXPECT_THAT(answer, HasSubstr("announced a message of 65537 bytes; at most 65536 are allowed before the greeting"));
}

TEST_F(ReceiverServerTest, EndsASessionThatGreetedAndDoesNotStart) {
    options_.times.starting = Nanos{1};
    start();
    TestSender sender(address());
    (void)sender.ask(TestSender::hello());
    EXPECT_THAT(std::get<Refused>(sender.ask(KeepAlive{})).reason, HasSubstr("did not start"));
}

TEST_F(ReceiverServerTest, PrintsALiveLineAtItsInterval) {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> lines;
    options_.live = std::chrono::milliseconds(5);
    options_.live_line = [&](const std::string& line) {
        const std::lock_guard lock(mutex);
        lines.push_back(line);
        changed.notify_all();
    };
    start();
    TestSender sender(address());
    (void)begin(sender, {flow(1), flow(2)});
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return not lines.empty() and lines.back().starts_with("1 session, 2 flows"); });
    }
    sender.close();
    stop();  // before the lines go
}

}  // namespace
}  // namespace groma
