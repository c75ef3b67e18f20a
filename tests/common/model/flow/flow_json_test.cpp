#include "common/model/flow/flow_json.hpp"
#include "common/json/json_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "tests/common/model/families.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

FlowSpec full_spec() {
    FlowSpec spec;
    spec.id = FlowId{7};
    spec.name = "seven \"7\"";
    spec.profile = "quake3";
    spec.transport = Transport::tcp;
    spec.target = Target{"fd00::1", 9100, 5000};
    spec.idt = Mixture{{0.6, 0.4}, {Exponential{4e6}, Discrete{{1, 2}, {1, 3}}}};
    spec.size = FromFile{"sizes.txt", {64, 1472}};
    spec.on_off = OnOff{Constant{1e9}, Pareto{1.5, 1e8}};
    spec.stop = {10s, 1000, Bytes{std::numeric_limits<std::uint64_t>::max()}};
    spec.start_delay = 500ms;
    spec.header = HeaderLevel::sequence;
    spec.seed = std::numeric_limits<std::uint64_t>::max();
    spec.meter = Meter::round_trip;
    spec.lateness = LatenessPolicy::shift;
    spec.payload = "pattern:00ff";
    spec.also_to = {Target{"beta", 9000, {}}, Target{"fd99::3", 9100, 5001}};
    return spec;
}

FlowSpec through_text(const FlowSpec& spec) {
    return from_json<FlowSpec>(json::parse(to_json(spec).dump()));
}

std::string refusal(const json& object) {
    try {
        static_cast<void>(from_json<FlowSpec>(object));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

/// The full spec with another value at "/FIELD" or "/FIELD/FIELD".
json with(const std::string& path, const json& value) {
    json object = to_json(full_spec());
    const std::size_t second = path.find('/', 1);
    if (second == std::string::npos) {
        object[path.substr(1)] = value;
    } else {
        object[path.substr(1, second - 1)][path.substr(second + 1)] = value;
    }
    return object;
}

TEST(FlowJson, ASpecComesBackAsItWas) {
    EXPECT_EQ(through_text(full_spec()), full_spec());
    FlowSpec plain;
    plain.target = parse_target("h");
    EXPECT_EQ(through_text(plain), plain);
    EXPECT_EQ(from_json<FlowSpec>(to_json(full_spec())), full_spec());
}

TEST(FlowJson, ARateOverTimeComesBackAsItWas) {
    FlowSpec spec = full_spec();
    spec.on_off.reset();
    for (const char* text : {"ramp:0Mbps:33.3Mbps:30s", "steps:1pps:1ns,3kpps:1h"}) {
        spec.rate_over_time = RateOverTime::parse(text);
        EXPECT_EQ(through_text(spec), spec);
    }
    spec.rate_over_time->file = "day.txt";
    EXPECT_EQ(through_text(spec), spec);
    const json good = to_json(spec);
    const auto refusal_with = [&good](const char* field, const json& value) {
        json object = good;
        object["rate_over_time"][field] = value;
        return refusal(object);
    };
    EXPECT_THAT(refusal_with("unit", 2), HasSubstr("unit"));
    EXPECT_THAT(refusal_with("file", "a\nb"), HasSubstr("control characters"));
    EXPECT_THAT(refusal_with("pieces", json::array()), HasSubstr("between 1 and"));
    EXPECT_THAT(refusal_with("pieces", {{-1, 1, 1}}), HasSubstr("lasts_ns"));
    EXPECT_THAT(refusal_with("pieces", {{1, -1, 1}}), HasSubstr("out of range"));
    EXPECT_THAT(refusal_with("pieces", std::vector<json>(70'000, json{1, 1, 1})), HasSubstr("65536"));
}

TEST(FlowJson, EveryFamilyComesBackAsItWas) {
    std::vector<NamedDistribution> all = continuous_families();
    const std::vector<NamedDistribution> discrete = discrete_families();
    all.insert(all.end(), discrete.begin(), discrete.end());
    for (const auto& [text, distribution] : all) {
        FlowSpec spec = full_spec();
        spec.idt = distribution;
        EXPECT_EQ(through_text(spec).idt, distribution) << text;
    }
    for (const Profile& candidate : profiles()) {
        FlowSpec spec = full_spec();
        apply(candidate, spec);
        EXPECT_EQ(through_text(spec), spec) << candidate.name;
    }
}

TEST(FlowJson, ASpecThatNamesNoGeneratorHasTheFirst) {
    json object = to_json(full_spec());
    EXPECT_EQ(object["generator"], "2");
    object.erase("generator");
    FlowSpec first = full_spec();
    first.generator = Generator::unit_32;
    EXPECT_EQ(from_json<FlowSpec>(object), first);
    EXPECT_EQ(through_text(first), first);
    EXPECT_FALSE(to_json(first).contains("generator"));
    EXPECT_NE(refusal(with("/generator", "3")).find("generator of random numbers"), std::string::npos);
}

TEST(FlowJson, NamesAFieldThatIsMissing) {
    for (const std::string field : {"id", "name", "profile", "transport", "target", "idt", "size", "stop",
                                    "start_delay_ns", "header", "seed", "on", "off"}) {
        json object = to_json(full_spec());
        object.erase(field);
        EXPECT_EQ(refusal(object), "'" + field + "' is missing");
    }
}

TEST(FlowJson, RefusesFieldsOfTheWrongType) {
    const json original = to_json(full_spec());
    for (const auto& [field, value] : original.items()) {
        for (const json& wrong : {json(true), json(-1), json(1.5), json::array({1}), json("?"), json::object()}) {
            const bool fits = (field == "name" or field == "profile") ? wrong.is_string()
                              : field == "stop"                       ? wrong.is_object()
                                                                      : false;
            json object = original;
            object[field] = wrong;
            EXPECT_EQ(refusal(object) == "accepted", fits) << field << " " << wrong;
        }
    }
    for (const json& wrong : {json(nullptr), json(3), json("x"), json::array(), json::object()}) {
        EXPECT_NE(refusal(wrong), "accepted") << wrong;
    }
}

TEST(FlowJson, RefusesValuesOutOfBounds) {
    EXPECT_NE(refusal(with("/id", 4294967296)), "accepted");
    EXPECT_NE(refusal(with("/target/control_port", 0)), "accepted");
    EXPECT_NE(refusal(with("/target/control_port", 65536)), "accepted");
    EXPECT_NE(refusal(with("/target/data_port", 0)), "accepted");
    EXPECT_NE(refusal(with("/start_delay_ns", std::uint64_t{1} << 63U)), "accepted");
    EXPECT_NE(refusal(with("/stop/duration_ns", -1)), "accepted");
    EXPECT_NE(refusal(with("/name", std::string(256, 'x'))), "accepted");
    EXPECT_NE(refusal(with("/target/host", std::string(256, 'x'))), "accepted");
    EXPECT_NE(refusal(with("/idt", {{"family", "exp"}, {"mean", 1e300}})), "accepted");
    EXPECT_NE(refusal(with("/idt", {{"family", "exp"}, {"mean", std::numeric_limits<double>::quiet_NaN()}})),
              "accepted");
    EXPECT_NE(refusal(with("/idt", {{"family", "exp"}, {"mean", 0}})), "accepted");
    EXPECT_NE(refusal(with("/idt", {{"family", "normal"}, {"mean", 1}})), "accepted");
    EXPECT_NE(refusal(with("/idt", {{"family", std::string(1000, 'x')}})), "accepted");
}

TEST(FlowJson, RefusesHugeArraysBeforeReadingThem) {
    const std::vector<double> many(70'000, 1.0);
    EXPECT_NE(refusal(with("/size", {{"family", "file"}, {"path", "x"}, {"values", many}})).find("at most 65536"),
              std::string::npos);
    EXPECT_NE(
        refusal(with("/size", {{"family", "discrete"}, {"values", many}, {"weights", many}})).find("at most 4096"),
        std::string::npos);
    const json component = {{"family", "const"}, {"value", 1}};
    EXPECT_NE(refusal(with("/size", {{"family", "mix"},
                                     {"weights", std::vector<double>(65, 1.0)},
                                     {"components", std::vector<json>(65, component)}}))
                  .find("at most 64"),
              std::string::npos);
}

TEST(FlowJson, RefusesMixturesOfMixturesHoweverDeep) {
    std::string deep = R"({"family": "const", "value": 1})";
    for (int i = 0; i < 1000; ++i) {
        deep = R"({"family": "mix", "weights": [1], "components": [)" + deep + "]}";
    }
    EXPECT_NE(refusal(with("/idt", json::parse(deep))), "accepted");
}

TEST(FlowJson, FieldsOfLaterVersionsAreIgnored) {
    EXPECT_EQ(refusal(with("/colour", "blue")), "accepted");
}

TEST(FlowJson, DoesNotRepeatControlCharactersOfThePeer) {
    EXPECT_EQ(refusal(with("/transport", "\x1b[2J")).find('\x1b'), std::string::npos);
    EXPECT_EQ(refusal(with("/idt/family", "\x1b[2J")).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace groma
