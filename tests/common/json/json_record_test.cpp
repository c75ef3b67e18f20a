#include "common/json/json_record.hpp"

#include <gmock/gmock.h>

#include "common/json/json_message.hpp"

namespace groma {

enum class Coat : std::uint8_t { wool, silk };

struct Leg {
    FlowId number;
    std::string shoe{};
    std::uint64_t steps = 0;
    bool operator==(const Leg&) const = default;
};

struct Animal {
    std::string name;
    std::uint16_t age = 0;
    Coat coat = Coat::wool;
    Nanos nap{0};
    WallTime born{};
    Bytes food;
    Token token{};
    double weight = 0;
    bool tame = false;
    std::optional<std::uint8_t> teeth{};
    std::vector<Leg> legs{};
    std::vector<Leg> wings{};
    std::vector<std::string> sounds{};
    std::map<std::string, std::string> about{};
    bool operator==(const Animal&) const = default;
};

template <typename Fields>
void describe(Fields& fields, As<Fields, Leg>& leg) {
    fields("number", leg.number, Within<std::uint32_t>{1, 100});
    fields.unless({}, "shoe", leg.shoe, CutTo{10});
    fields.unless(0, "steps", leg.steps);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Animal>& animal) {
    fields("name", animal.name, UpTo{8});
    fields("age", animal.age);
    fields("coat", animal.coat, Within{Coat::wool, Coat::silk});
    fields("nap_ns", animal.nap);
    fields("born_ns", animal.born);
    fields("food", animal.food);
    fields("token", animal.token);
    fields("weight", animal.weight);
    fields("tame", animal.tame);
    fields("teeth", animal.teeth);
    fields("legs", animal.legs, Most{4});
    fields.rows_if_any("wings", animal.wings, Most{2});
    fields("sounds", animal.sounds, FirstOf{2}, CutTo{4});
    fields.unless({}, "about", animal.about, Most{2}, CutTo{4}, CutTo{8});
    fields.require(animal.name != "none", "'name' must not be none");
}

namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Animal cat() {
    return {.name = "Tom",
            .age = 3,
            .coat = Coat::silk,
            .nap = Nanos(-5),
            .born = wall_time_from_ns(7),
            .food = Bytes{9},
            .token = token_from_hex("00112233445566778899aabbccddeeff"),
            .weight = 4.5,
            .tame = true,
            .teeth = 30,
            .legs = {{FlowId{1}, "red", 5}, {FlowId{2}}},
            .wings = {{FlowId{1}, "", 4}, {FlowId{2}}},
            .sounds = {"miao"},
            .about = {{"eyes", "green"}}};
}

std::string error_of(const json& value) {
    try {
        static_cast<void>(from_json<Animal>(value));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string error_with(const std::string& pointer, const json& value) {
    json whole = to_json(cat());
    whole[json::json_pointer(pointer)] = value;
    return error_of(whole);
}

TEST(JsonRecord, ComesBackAsItWas) {
    EXPECT_EQ(from_json<Animal>(json::parse(json_text(to_json(cat())))), cat());
    EXPECT_EQ(from_json<Animal>(to_json(Animal{})), Animal{});
}

TEST(JsonRecord, LeavesOutWhatIsNotThere) {
    const json plain = to_json(Animal{});
    EXPECT_FALSE(plain.contains("teeth"));
    EXPECT_FALSE(plain.contains("wings"));
    EXPECT_FALSE(plain.contains("about"));
    EXPECT_EQ(to_json(cat())["legs"][1], json({{"number", 2}}));
}

TEST(JsonRecord, RowsHaveValuesInOrderUpToTheLastThatIsNeeded) {
    EXPECT_EQ(to_json(cat())["wings"], json::parse(R"([[1, "", 4], [2]])"));
}

TEST(JsonRecord, NamesTheFieldItsRuleAndItsPlace) {
    json whole = to_json(cat());
    whole.erase("age");
    EXPECT_EQ(error_of(whole), "'age' is missing");
    EXPECT_EQ(error_of(json::array()), "it is no JSON object");
    EXPECT_EQ(error_with("/age", 65536), "'age' must be a whole number from 0 to 65535");
    EXPECT_EQ(error_with("/legs/1", json::object()), "'number' is missing (in 'legs[1]')");
    EXPECT_EQ(error_with("/legs/1/number", 0), "'number' must be a whole number from 1 to 100 (in 'legs[1]')");
    EXPECT_EQ(error_with("/legs/0", 7), "'legs[0]' must be an object");
    EXPECT_EQ(error_with("/wings/1", json::object()), "'wings[1]' must be an array");
    EXPECT_EQ(error_with("/wings/1", json::array()), "'number' is missing (in 'wings[1]')");
    EXPECT_EQ(error_with("/wings", json::array()), "'wings' must be absent, not empty");
    EXPECT_EQ(error_with("/sounds/0", 7), "'sounds[0]' must be a text of at most 4 bytes");
    EXPECT_EQ(error_with("/about/eyes", 7), "'eyes' must be a text of at most 8 bytes (in 'about')");
    EXPECT_EQ(error_with("/name", "none"), "'name' must not be none");
}

TEST(JsonRecord, RefusesValuesOfAnotherTypeOrOutOfBounds) {
    EXPECT_THAT(error_with("/name", "123456789"), HasSubstr("'name' must be a text of at most 8 bytes"));
    EXPECT_THAT(error_with("/age", -1), HasSubstr("'age' must be a whole number"));
    EXPECT_THAT(error_with("/age", 1.5), HasSubstr("'age' must be a whole number"));
    EXPECT_THAT(error_with("/coat", 2), HasSubstr("'coat' must be a whole number from 0 to 1"));
    EXPECT_THAT(error_with("/nap_ns", std::uint64_t{1} << 63U), HasSubstr("'nap_ns' must be a whole number"));
    EXPECT_THAT(error_with("/token", "00"), HasSubstr("'token' must be a token of 32 hexadecimal digits"));
    EXPECT_THAT(error_with("/weight", std::numeric_limits<double>::quiet_NaN()),
                HasSubstr("'weight' must be a number"));
    EXPECT_THAT(error_with("/tame", 1), HasSubstr("'tame' must be true or false"));
    EXPECT_THAT(error_with("/teeth", nullptr), HasSubstr("'teeth' must be a whole number from 0 to 255"));
    EXPECT_THAT(error_with("/legs", json::array_t(5, json::object())),
                HasSubstr("'legs' must be an array of at most 4"));
    EXPECT_THAT(error_with("/about", {{"a", "1"}, {"b", "2"}, {"c", "3"}}), HasSubstr("an object of 1 to 2 texts"));
    EXPECT_THAT(error_with("/about", {{"longer", "1"}}), HasSubstr("names have at most 4 bytes"));
}

TEST(JsonRecord, CutsWhatMayBeCutAndNothingElse) {
    Animal loud = cat();
    loud.sounds = {"miaoww", "purr", "hiss"};
    loud.name = "a name of many letters";
    const json whole = to_json(loud);
    EXPECT_EQ(whole["sounds"], json({"miao", "purr"}));
    EXPECT_EQ(whole["name"], loud.name);
}

TEST(JsonText, IsBoundedBeforeItIsParsed) {
    const JsonLimits limits{.bytes = 20, .depth = 2, .values = 4};
    EXPECT_EQ(parse_json("[[1, 2]]", limits), json::parse("[[1, 2]]"));
    EXPECT_THROW((void)parse_json("[\"a long text of letters\"]", limits), UsageError);
    EXPECT_THROW((void)parse_json("[[[1]]]", limits), UsageError);
    EXPECT_THROW((void)parse_json("[1, 2, 3, 4]", limits), UsageError);
    EXPECT_THROW((void)parse_json("[1", limits), UsageError);
    EXPECT_EQ(parse_json(R"(["[[[[,,,,"])", limits)[0], "[[[[,,,,") << "not in texts";
}

TEST(JsonText, ReplacesWhatIsNoUtf8AndCutsBetweenCharacters) {
    EXPECT_EQ(json_text(json("a\xff")), "\"a\xef\xbf\xbd\"");
    EXPECT_EQ(json_text(json("\x1b[2J \u202e \u009b \x7f h\u00f6he")),
              "\"\\u001b[2J \\u202e \\u009b \\u007f h\u00f6he\"");
    EXPECT_EQ(cut_text("h\xc3\xb6he", 2), "h");
    EXPECT_EQ(cut_text("h\xc3\xb6he", 3), "h\xc3\xb6");
    EXPECT_EQ(cut_text("\x80\x80\x80", 2), "\x80\x80") << "no character at all: bytes";
}

using Sound = std::variant<Leg, Animal>;
constexpr MessageTypes<Sound> kSounds{"leg", "animal"};

TEST(JsonMessage, IsToldByItsType) {
    const Sound sound = Leg{FlowId{3}, "red", 1};
    EXPECT_EQ(message_text(sound, kSounds), R"({"number":3,"shoe":"red","steps":1,"type":"leg"})");
    EXPECT_EQ(message_from_text<Sound>(message_text(sound, kSounds), "peer", kSounds, {}), sound);
    EXPECT_EQ(std::get<Animal>(message_from_text<Sound>(message_text<Sound>(cat(), kSounds), "peer", kSounds, {})),
              cat());
}

TEST(JsonMessage, ThatCannotBeReadNamesPeerAndType) {
    const auto error = [](const char* text) {
        try {
            static_cast<void>(message_from_text<Sound>(text, "10.0.0.9", kSounds, {}));
        } catch (const ProtocolError& refused) {
            return std::string(refused.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(error(R"({"type":"leg"})"), HasSubstr("sent a message 'leg' that cannot be read: 'number' is missing"));
    EXPECT_THAT(error(R"({"type":"arm"})"), HasSubstr("unknown type 'arm'"));
    EXPECT_THAT(error("{}"), HasSubstr("'type' is missing"));
    EXPECT_THAT(error("{"), HasSubstr("it is no JSON"));
}

}  // namespace
}  // namespace groma
