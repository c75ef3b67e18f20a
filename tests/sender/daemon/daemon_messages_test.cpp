#include "sender/daemon/daemon_messages.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

FlowSpec flow(std::uint32_t id) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.name = "flow-" + std::to_string(id);
    spec.target.host = "127.0.0.1";
    spec.stop.packets = 10;
    return spec;
}

std::vector<DaemonMessage> one_of_each() {
    return {
        RunFlows{{flow(1), flow(2)}},
        RunRequest{.experiment = "first",
                   .seed = 7,
                   .threads = 2,
                   .wait = std::chrono::seconds(60),
                   .log = "send.glog",
                   .receiver_log = "recv.glog",
                   .log_server = "10.0.0.3:9001",
                   .receiver_log_server = "10.0.0.4:9001",
                   .log_transport = "udp",
                   .receiver_log_transport = "tcp",
                   .log_rate = 1000,
                   .log_block = 4096,
                   .require = "rate=0.1%",
                   .run_id = "0123456789abcdef0123456789abcdef",
                   .sender = "alpha",
                   .fetch_log = "send-alpha.glog",
                   .fetch_receiver_logs = "recv-from-alpha.glog",
                   .keys = {{.name = "lab", .host = "beta", .key = AccessKey{}.shared_with("beta")}}},
        StopRun{},
        RunKeepAlive{},
        RunAccepted{.program = "groma-send 0.1.0", .host = "alpha", .call = "c0ffee"},
        RunRefused{.reason = "one\ntwo"},
        RunProgress{.line = "3 s of 10 s"},
        RunWarning{.sentence = "the log server is away"},
        RunReport{.json = true, .piece = "{}"},
        RunEnded{.failures = {"flow 1 failed", "the log is not whole"}},
        RunHello{.program = "groma-send 0.1.0", .host = "gamma"},
        RunWelcome{},
        RunReady{.margin = std::chrono::milliseconds(200)},
        StartRun{.in = std::chrono::milliseconds(700)},
        RunLogSection{.log = 2,
                      .name = "recv-from-alpha-10.0.0.2.glog",
                      .section = {.offset = 524'288, .log_bytes = 524'291, .hash = 7, .bytes = {std::byte{1}, {}, {}}}},
        RunLogLost{.log = 1, .reason = "its session ended before"}};
}

std::string refusal(const std::string& text) {
    try {
        (void)parse_daemon_message(text, "10.0.0.9:4000");
    } catch (const ProtocolError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(DaemonMessages, OfEveryTypeComeBackAsTheyWereSent) {
    const std::vector<DaemonMessage> messages = one_of_each();
    ASSERT_EQ(messages.size(), std::variant_size_v<DaemonMessage>);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        ASSERT_EQ(messages[i].index(), i);
        EXPECT_EQ(parse_daemon_message(serialize(messages[i]), "peer"), messages[i]) << type_name(messages[i]);
    }
}

TEST(DaemonMessages, AreRefusedByNameWhenAnyFieldIsMissingOrOfAnotherType) {
    for (const DaemonMessage& message : one_of_each()) {
        const json whole = json::parse(serialize(message));
        for (const auto& field : whole.items()) {
            json damaged = whole;
            damaged.erase(field.key());
            static const std::set<std::string> kOptional{"run_id", "sender",    "call",
                                                         "keys",   "fetch_log", "fetch_receiver_logs"};
            const bool optional = kOptional.contains(field.key());
            EXPECT_THAT(refusal(damaged.dump()), HasSubstr(optional ? "accepted" : "'" + field.key() + "' is missing"))
                << whole;
            damaged[field.key()] = nullptr;
            EXPECT_THAT(refusal(damaged.dump()), HasSubstr("'" + field.key() + "' must be")) << whole;
        }
    }
}

TEST(DaemonMessages, CutAtAnyByteAreRefused) {
    for (const DaemonMessage& message : one_of_each()) {
        const std::string whole = serialize(message);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << whole.substr(0, size);
        }
    }
}

TEST(DaemonMessages, OfAnUnknownTypeAreRefusedByName) {
    EXPECT_THAT(refusal(R"({"type":"teapot"})"), HasSubstr("unknown type 'teapot'"));
}

TEST(DaemonMessages, CarryALongReportInPiecesBetweenItsCharacters) {
    std::string report(kLongestReportPiece - 1, 'x');
    report += "\xc3\xa4 and more";
    const std::vector<std::string> pieces = report_pieces(report);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].size(), kLongestReportPiece - 1);
    EXPECT_EQ(pieces[0] + pieces[1], report);
    EXPECT_TRUE(report_pieces("").empty());
}

}  // namespace
}  // namespace groma
