#include "common/control/messages.hpp"

#include <gmock/gmock.h>

#include <set>

#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/control/message_limits.hpp"

namespace groma {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr auto kMax64 = std::numeric_limits<std::uint64_t>::max();

Hello hello() {
    return Hello{.program = "groma-send 0.1.0",
                 .run_id = "0123456789abcdef0123456789abcdef",
                 .experiment = "first",
                 .host = "alpha",
                 .seed = kMax64};
}

FlowSpec flow(std::uint32_t id) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.name = "flow-" + std::to_string(id);
    spec.target.host = "127.0.0.1";
    spec.stop.packets = 10;
    return spec;
}

/// One of each type, in the order of the variant.
std::vector<Message> one_of_each() {
    const ReceivedFlow received{.flow = FlowId{3},
                                .packets = 1,
                                .bytes = 2,
                                .duplicates = 3,
                                .reordered = 4,
                                .foreign = 5,
                                .malformed = 6,
                                .kernel_drops = 7,
                                .records_lost = 8,
                                .state = "ok",
                                .first_arrival = wall_time_from_ns(9),
                                .last_arrival = wall_time_from_ns(10),
                                .unstamped = 11,
                                .numbers_end = 12,
                                .forged = 13};
    return {
        hello(),
        Welcome{.program = "groma-recv 0.1.0",
                .host = "beta",
                .boot_id = "b",
                .about = {{"kernel", "Linux"}, {"network device", "eth0"}}},
        OpenFlows{{flow(1), flow(2)},
                  {{.port = 0, .token = token_from_hex("000102030405060708090a0b0c0d0eff")},
                   {.port = 65535, .token = token_from_hex("ffffffffffffffffffffffffffffffff")}},
                  {{.flow = FlowId{2}, .key = token_from_hex("000102030405060708090a0b0c0d0eff")}}},
        FlowsOpened{{{.flow = FlowId{1}, .port = 1}, {.flow = FlowId{2}, .port = 65535}}},
        ProbeRequest{.number = 7},
        ProbeReply{.number = 7, .received = wall_time_from_ns(-5), .answered = wall_time_from_ns(1'700'000'000)},
        Start{.log_file = "recv.glog",
              .log_server = "10.0.0.3:9001",
              .log_transport = "udp",
              .log_name = "receiver-b",
              .discard_log = true,
              .fetch_log = true},
        Started{.log_file = "/var/log/recv.glog", .fetch_token = token_from_hex("000102030405060708090a0b0c0d0eff")},
        KeepAlive{},
        Finish{.interrupted = true,
               .wait = std::chrono::seconds(60),
               .flows = {{.flow = FlowId{1}, .packets = kMax64, .bytes = 0}}},
        ReceiverResults{
            .flows = {received},
            .log_error = "the disk is full",
            .shipment =
                {.to = "log server c", .reconnections = 1, .largest_backlog = 2, .not_spooled = 3, .error = "held"},
            .usage =
                CpuUsage{.user = Nanos(5), .system = Nanos(6), .voluntary_switches = 7, .involuntary_switches = 8}},
        Refused{.reason = "too many flows", .flow = FlowId{9}},
        CallIn{.program = "groma-recv 0.1.0", .name = "beta"},
        AskReverse{},
        FetchLog{.offset = kLogSectionBytes},
        LogSection{
            .offset = kLogSectionBytes, .log_bytes = kMax64, .hash = kMax64, .bytes = {std::byte{0xff}, std::byte{0}}},
        RemoveLog{},
        LogRemoved{},
        ProgressRequest{.number = 7, .each_flow = true},
        ProgressReply{.number = 7,
                      .elapsed = std::chrono::seconds(3),
                      .all = {.packets = kMax64, .bytes = 2, .missing = 3},
                      .flows = {{.flow = FlowId{1}, .arrived = {.packets = 4, .bytes = 5, .missing = 6}}}},
        ResumeFetch{.token = token_from_hex("000102030405060708090a0b0c0d0eff")},
        FetchResumed{}};
}

std::string refusal(const std::string& text) {
    try {
        (void)parse_message(text, "10.0.0.9:4000");
    } catch (const ProtocolError& error) {
        return error.what();
    }
    return "accepted";
}

json as_json(const Message& message) {
    return json::parse(serialize(message));
}

TEST(Messages, OfEveryTypeComeBackAsTheyWereSent) {
    const std::vector<Message> messages = one_of_each();
    ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        ASSERT_EQ(messages[i].index(), i);
        EXPECT_EQ(parse_message(serialize(messages[i]), "peer"), messages[i]) << type_name(messages[i]);
    }
}

TEST(Messages, AreRefusedByNameWhenAnyFieldIsMissing) {
    for (const Message& message : one_of_each()) {
        const json whole = as_json(message);
        for (const auto& field : whole.items()) {
            const bool progress = std::holds_alternative<ProgressReply>(message) and field.key() == "flows";
            if (progress or std::set<std::string>{"flow", "log_name", "discard_log", "fetch_log", "fetch_token",
                                                  "shipment", "usage", "dial", "secrets", "about"}
                                .contains(field.key())) {
                continue;  // the only fields that may be absent
            }
            json damaged = whole;
            damaged.erase(field.key());
            EXPECT_THAT(refusal(damaged.dump()), HasSubstr("'" + field.key() + "' is missing")) << whole;
        }
    }
}

TEST(Messages, AreRefusedWhenAnyFieldIsOfAnotherType) {
    for (const Message& message : one_of_each()) {
        const json whole = as_json(message);
        for (const auto& field : whole.items()) {
            for (const json& wrong : {json(nullptr), json(-1.5), json::object()}) {
                json damaged = whole;
                damaged[field.key()] = wrong;
                EXPECT_THAT(refusal(damaged.dump()),
                            AnyOf(HasSubstr("'" + field.key() + "' must be"), HasSubstr("(in '" + field.key() + "')")))
                    << damaged;
            }
        }
    }
}

TEST(Messages, ThatSayWhereToDialSaySoOfEveryFlow) {
    const auto refusal_of = [](const json& dial) {
        json open = as_json(OpenFlows{.flows = {flow(1)}});
        open["dial"] = dial;
        return refusal(open.dump());
    };
    const std::string token(32, 'a');
    EXPECT_EQ(refusal_of({{7, token}}), "accepted");
    EXPECT_THAT(refusal_of(json::array()), HasSubstr("'dial' must be absent, not empty"));
    EXPECT_THAT(refusal_of({{7, token}, {8, token}}), HasSubstr("as many elements as 'flows'"));
    EXPECT_EQ(refusal_of({{0, token}}), "accepted");  // not dialled, which a session allows or not
    EXPECT_THAT(refusal_of({{-1, token}}), HasSubstr("'port' must be"));
    EXPECT_THAT(refusal_of({{65536, token}}), HasSubstr("'port' must be"));
    EXPECT_THAT(refusal_of({{7, "aa"}}), HasSubstr("32 hexadecimal digits"));
    EXPECT_THAT(refusal_of({{7, std::string(32, 'G')}}), HasSubstr("32 hexadecimal digits"));
    EXPECT_THAT(refusal_of({7}), HasSubstr("'dial[0]' must be an array"));
}

TEST(Messages, OfAReceiverThatCallsInSayItsName) {
    EXPECT_THAT(refusal(R"({"type":"call_in","program":"p","name":""})"), HasSubstr("'name' must not be empty"));
}

TEST(Messages, MayHaveFieldsThatThisVersionDoesNotKnow) {
    json later = as_json(hello());
    later["colour"] = {{"of", "the sky"}};
    EXPECT_EQ(parse_message(later.dump(), "peer"), Message(hello()));
}

TEST(Messages, OfAnUnknownTypeAreRefusedByName) {
    EXPECT_THAT(refusal(R"({"type":"teapot"})"), HasSubstr("unknown type 'teapot'"));
}

TEST(Messages, CannotMoveTheCursorOfWhoeverReadsTheRefusal) {
    EXPECT_THAT(refusal("{\"type\":\"a\\u001b[2J\"}"), HasSubstr("'a\\x1b[2J'"));
}

TEST(Messages, ThatAreNoJsonObjectsAreRefused) {
    for (const char* text : {"", "{", "[]", "7", "\"hello\"", "{\"type\":", "\xff\xfe", "{\"type\":\"hello\"}x"}) {
        EXPECT_THAT(refusal(text), HasSubstr("10.0.0.9:4000: sent a message that cannot be read")) << text;
    }
}

TEST(Messages, NestedDeeplyAreRefusedBeforeTheyAreParsed) {
    EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested deeper than 16"));
}

TEST(Messages, WithBracketsInTextsAreNotNested) {
    Refused refused{.reason = std::string(200, '[') + "\"{{{", .flow = std::nullopt};
    EXPECT_EQ(parse_message(serialize(refused), "peer"), Message(refused));
}

TEST(Messages, LongerThanTheLimitAreRefused) {
    EXPECT_THAT(refusal(std::string(kMaxMessageBytes + 1, ' ')), HasSubstr("longer than"));
}

TEST(Messages, WithTextsThatAreTooLongAreRefused) {
    json message = as_json(hello());
    message["host"] = std::string(256, 'h');
    EXPECT_THAT(refusal(message.dump()), HasSubstr("'host' must be a text of at most 255 bytes"));
}

TEST(Messages, OfOurOwnAreShortenedToWhatAReaderTakes) {
    const auto read = parse_message(serialize(Refused{.reason = std::string(5000, 'r'), .flow = std::nullopt}), "peer");
    EXPECT_EQ(std::get<Refused>(read).reason.size(), kLongestReason);
}

TEST(Messages, AreShortenedBetweenCharactersNotWithinOne) {
    const std::string reason = std::string(kLongestReason - 1, 'r') + "\xc3\xa4";
    const auto read = parse_message(serialize(Refused{.reason = reason, .flow = std::nullopt}), "peer");
    EXPECT_EQ(std::get<Refused>(read).reason, std::string(kLongestReason - 1, 'r'));
}

TEST(Messages, ReplaceBytesThatAreNoText) {
    Hello strange = hello();
    strange.host = "\xff";
    EXPECT_EQ(std::get<Hello>(parse_message(serialize(strange), "peer")).host, "\xef\xbf\xbd");
}

TEST(Messages, WithMoreFlowsThanOneMessageMayHaveAreRefused) {
    OpenFlows open;
    for (std::uint32_t id = 1; id <= kMaxFlowsPerMessage + 1; ++id) {
        open.flows.push_back(flow(id));
    }
    EXPECT_THAT(refusal(serialize(open)), HasSubstr("'flows' must be an array of at most 1000"));
}

TEST(Messages, WithProgressOfTooManyFlowsOrOfATimeBeforeTheStartAreRefused) {
    json reply = as_json(ProgressReply{});
    reply["elapsed_ns"] = -1;
    EXPECT_THAT(refusal(reply.dump()), HasSubstr("'elapsed_ns' must be"));
    const ProgressReply many{.flows = std::vector<FlowSoFar>(kMaxFlowsPerMessage + 1, {.flow = FlowId{1}})};
    EXPECT_THAT(refusal(serialize(many)), HasSubstr("'flows' must be an array of at most 1000"));
}

ReceiverResults coalesced() {
    const Coalescing gro{.packets = 12, .since = wall_time_from_ns(1'700'000'000), .why = GroReason::drops};
    return {.flows = {{.flow = FlowId{1}, .state = "ok"},
                      {.flow = FlowId{2}, .state = "ok", .coalescing = gro},
                      {.flow = FlowId{3}, .state = "ok", .coalescing = Coalescing{}}},
            .log_error = "",
            .shipment = {}};
}

TEST(Messages, CarryWhichFlowsWereCoalesced) {
    EXPECT_EQ(parse_message(serialize(coalesced()), "peer"), Message(coalesced()));
}

TEST(Messages, WithCoalescingOfUnknownFlowsOrForNoKnownReasonAreRefused) {
    const json rows[] = {json::array({4, 1, 1, 0}),
                         json::array({0, 1, 1, 0}),
                         json::array({1, 1, 1, 3}),
                         json::array({1, 1, -1, 0}),
                         json::array({1, 1, 9'223'372'036'854'775'808U, 0}),
                         json::array({1, 1, 1})};
    for (const json& row : rows) {
        json message = as_json(coalesced());
        message["coalescing"] = json::array({row});
        EXPECT_NE(refusal(message.dump()), "accepted") << row;
    }
    json twice = as_json(coalesced());
    twice["coalescing"] = json::array({json::array({2, 1, 1, 0}), json::array({1, 1, 1, 0})});
    EXPECT_THAT(refusal(twice.dump()), HasSubstr("in their order"));
}

constexpr ArrivalDelays kDelays{.packets = 9,
                                .min = Nanos{-2'000'000},
                                .p025 = Nanos{1},
                                .p50 = Nanos{20},
                                .p90 = Nanos{30},
                                .p975 = Nanos{40},
                                .p99 = Nanos{40},
                                .p999 = Nanos{50},
                                .max = Nanos{60},
                                .mean_ns = 21.25,
                                .deviation_ns = 3.5,
                                .jitter_ns = 2.125};

ReceiverResults delayed() {
    return {.flows = {{.flow = FlowId{1}, .state = "ok"},
                      {.flow = FlowId{2}, .state = "ok", .delays = kDelays},
                      {.flow = FlowId{3}, .state = "ok", .delays = ArrivalDelays{}}},
            .log_error = "",
            .shipment = {},
            .delays = kDelays};
}

TEST(Messages, CarryDelaysOfFlowsAndOfAllTogether) {
    EXPECT_EQ(parse_message(serialize(delayed()), "peer"), Message(delayed()));
}

TEST(Messages, WithDelaysThatNoPacketsCanHaveAreRefused) {
    const json good = json::parse("[2,9,-2000000,1,20,30,40,40,50,60,21.25,3.5,2.125]");
    json message = as_json(delayed());
    message["delays"] = json::array({good});
    ASSERT_EQ(refusal(message.dump()), "accepted");
    const std::pair<std::size_t, json> changes[] = {{0, 4},   {1, -1},      {2, std::int64_t{1} << 62},
                                                    {3, -1},  {4, 31},      {8, 61},
                                                    {9, 49},  {10, 60.5},   {10, -0.5},
                                                    {11, 61}, {11, -1},     {12, 61},
                                                    {12, -1}, {12, nullptr}};
    for (const auto& [place, value] : changes) {
        json row = good;
        row[place] = value;
        message["delays"] = json::array({row});
        EXPECT_NE(refusal(message.dump()), "accepted") << row;
    }
}

TEST(Messages, CarryTheDelaysOfAsManyFlowsAsMayHaveThem) {
    ReceiverResults results;
    for (std::uint32_t id = 1; id <= kMaxFlowsWithDelays; ++id) {
        results.flows.push_back({.flow = FlowId{id}, .state = "ok", .delays = kDelays});
    }
    EXPECT_EQ(parse_message(serialize(results), "peer"), Message(results));
    results.flows.push_back({.flow = FlowId{kMaxFlowsWithDelays + 1}, .state = "ok", .delays = kDelays});
    EXPECT_NE(refusal(serialize(results)), "accepted");
}

TEST(Messages, CarryTheResultsOfAHundredThousandFlows) {
    ReceiverResults results;
    Finish finish;
    for (std::uint32_t id = 1; id <= kMaxFlowsInResults; ++id) {
        results.flows.push_back({.flow = FlowId{id}, .packets = 100'000, .bytes = 51'200'000, .state = "ok"});
        finish.flows.push_back({.flow = FlowId{id}, .packets = 100'000, .bytes = 51'200'000});
    }
    EXPECT_EQ(parse_message(serialize(results), "peer"), Message(results));
    EXPECT_EQ(parse_message(serialize(finish), "peer"), Message(finish));
}

TEST(Messages, ResultsNeedNotSayWhatTheyHaveCost) {
    const ReceiverResults results{.flows = {}, .log_error = ""};
    EXPECT_FALSE(as_json(results).contains("usage"));
    EXPECT_EQ(parse_message(serialize(results), "peer"), Message(results));
}

TEST(Messages, ACostThatIsNoneIsRefused) {
    json message = as_json(ReceiverResults{.flows = {}, .log_error = "", .usage = CpuUsage{}});
    message["usage"]["user_ns"] = -1;
    EXPECT_THAT(refusal(message.dump()),
                HasSubstr("'user_ns' must be a whole number from 0 to 4611686018427387904 (in 'usage')"));
    message["usage"] = 7;
    EXPECT_THAT(refusal(message.dump()), HasSubstr("'usage' must be an object"));
}

TEST(Messages, SayLittleOfAHostAndInTextsOnly) {
    json message = as_json(Welcome{.program = "groma-recv 0.1.0", .host = "beta", .boot_id = "b"});
    EXPECT_FALSE(message.contains("about"));
    message["about"] = {{"kernel", 6}};
    EXPECT_THAT(refusal(message.dump()), HasSubstr("'kernel' must be a text of at most 2000 bytes"));
    message["about"] = {{std::string(256, 'n'), "value"}};
    EXPECT_THAT(refusal(message.dump()), HasSubstr("'about' must be texts whose names have at most 255 bytes"));
    message["about"] = json::object();
    for (int i = 0; i < 33; ++i) {
        message["about"][std::to_string(i)] = "value";
    }
    EXPECT_THAT(refusal(message.dump()), HasSubstr("'about' must be an object of 1 to 32 texts"));
}

TEST(Messages, WithARunIdThatIsNoneAreRefused) {
    for (const char* id : {"", "0123", "0123456789ABCDEF0123456789ABCDEF", "../../../../../../../etc/passwd.."}) {
        json message = as_json(hello());
        message["run_id"] = id;
        EXPECT_THAT(refusal(message.dump()), HasSubstr("'run_id' must be 32 hexadecimal digits"));
    }
}

TEST(Messages, WithNumbersOutOfBoundsAreRefused) {
    struct Case {
        Message message;
        const char* field;
        json value;
    };
    const std::vector<Message> all = one_of_each();
    const std::vector<Case> cases{
        {all[0], "seed", -1},
        {all[0], "lowest_version", 4294967296},
        {all[3], "flows", json::array({json::array({1, 0})})},
        {all[3], "flows", json::array({json::array({1, 65536})})},
        {all[3], "flows", json::array({json::array({0, 9000})})},
        {all[3], "flows", json::array({json::array({1})})},
        {all[3], "flows", json::array({7})},
        {all[5], "received_ns", kMax64},
        {all[9], "wait_ns", 60'000'000'001},
        {all[9], "flows", json::array({json::array({1, -1, 0})})},
        {all[10], "flows", json::array({json::array({1, 0, 0, 0, 0, 0, 0, 0, 0})})},
        {all[10], "flows", json::array({json::array({1, 0, 0, 0, 0, 0, 0, 0, 0, 7})})},
        {all[14], "offset", 1},
        {all[14], "offset", -524288},
        {all[15], "bytes", "/w"},
        {all[15], "bytes", "\x01"},
    };
    for (const Case& one : cases) {
        json message = as_json(one.message);
        message[one.field] = one.value;
        EXPECT_THAT(refusal(message.dump()), HasSubstr("cannot be read: ")) << message;
    }
}

TEST(Messages, TakeASectionOfALogAndNoMuchLongerOne) {
    LogSection section{.log_bytes = kMax64, .bytes = std::vector<std::byte>(kLogSectionBytes, std::byte{0xff})};
    EXPECT_EQ(parse_message(serialize(section), "peer"), Message(section));
    section.bytes.resize(kLogSectionBytes + 2);
    EXPECT_THAT(refusal(serialize(section)), HasSubstr("'bytes' "));
}

TEST(Messages, CutAnywhereAreRefusedAndNothingElse) {
    for (const Message& message : one_of_each()) {
        const std::string text = serialize(message);
        for (std::size_t length = 0; length < text.size(); ++length) {
            EXPECT_NE(refusal(text.substr(0, length)), "accepted") << text.substr(0, length);
        }
    }
}

TEST(Messages, WithAnyByteChangedAreReadOrRefusedAndNothingElse) {
    for (const Message& message : one_of_each()) {
        const std::string text = serialize(message);
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::string damaged = text;
            damaged[i] = static_cast<char>(damaged[i] ^ 1);
            (void)refusal(damaged);  // anything but a ProtocolError fails the test
        }
    }
}

}  // namespace
}  // namespace groma
