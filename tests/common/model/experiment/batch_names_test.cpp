#include "common/model/experiment/batch_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

BatchKey key_of(std::string name, const std::vector<std::string>& values) {
    BatchKey key{.name = std::move(name), .values = {}};
    for (const std::string& value : values) {
        key.values.push_back({.kind = Setting::Kind::text, .text = value, .key = {}, .value = {}});
    }
    return key;
}

BatchRun numbered(std::uint32_t number) {
    BatchRun run;
    run.number = number;
    return run;
}

BatchRun named(std::string name) {
    BatchRun run;
    run.name = std::move(name);
    return run;
}

TEST(BatchNames, HaveTheKeysThatVary) {
    const std::vector<BatchKey> keys{key_of("rate", {"1kpps", "2kpps"}), key_of("size", {"64"}),
                                     key_of("transport", {"udp", "tcp", "sctp"})};
    EXPECT_THAT(varied_values(keys, {1, 0, 2}), ElementsAre(Pair("rate", "2kpps"), Pair("transport", "sctp")));
    EXPECT_EQ(combination_text(keys, {0, 0, 1}), "rate 1kpps, transport tcp");
    EXPECT_THAT(combination_text({keys[1]}, {0}), IsEmpty());
}

TEST(BatchNames, OfFoldersBeginWithANumberThatSortsAsTheRunsDo) {
    EXPECT_EQ(folder_name(numbered(7), 9, {}), "007");
    EXPECT_EQ(folder_name(numbered(7), 9999, {}), "0007");
    EXPECT_EQ(folder_name(numbered(10'000), 10'000, {}), "10000");
}

TEST(BatchNames, OfFoldersNameKeysWhoseValuesDoNotSpeakForThemselves) {
    EXPECT_EQ(folder_name(numbered(1), 1, {{"transport", "udp"}, {"size", "64"}, {"idt", "exp:1ms"}}),
              "001-udp-size64-exp_1ms");
}

TEST(BatchNames, OfFoldersHaveHarmlessCharactersOnly) {
    EXPECT_EQ(folder_name(numbered(1), 1, {{"payload", "../a b\n\xc3\xa4+1_"}}), "001-payload.._a_b___+1_");
    EXPECT_EQ(folder_name(numbered(1), 1, {{"size", std::string(25, 'x')}}), "001-size" + std::string(24, 'x'));
}

TEST(BatchNames, OfFoldersLeaveOutWhatMakesThemLongerThan96Bytes) {
    const std::string value(24, 'v');
    const VariedValues four{{"aaaa", value}, {"bbbb", value}, {"cccc", value}, {"d", "1"}};
    EXPECT_EQ(folder_name(numbered(1), 1, four), "001-aaaa" + value + "-bbbb" + value + "-cccc" + value + "-d1");
    const VariedValues five{{"aaaa", value}, {"bbbb", value}, {"cccc", value}, {"dddd", value}, {"e", "123"}};
    const std::string longest = folder_name(numbered(1), 1, five);
    EXPECT_EQ(longest, "001-aaaa" + value + "-bbbb" + value + "-cccc" + value + "-e123");
    EXPECT_EQ(longest.size(), 95U);
    EXPECT_EQ(folder_name(numbered(1), 1, {five[0], five[1], five[2], {"e", "1234"}}).size(), 96U);
    EXPECT_EQ(folder_name(numbered(1), 1, {five[0], five[1], five[2], {"e", "12345"}}).size(), 90U);
}

TEST(BatchNames, OfExperimentsAreCutToAHundredBytes) {
    EXPECT_EQ(run_title("grid", named("001-udp")), "grid-001-udp");
    EXPECT_EQ(run_title(std::string(92, 'g'), named("001-udp")), std::string(92, 'g') + "-001-udp");
    EXPECT_EQ(run_title(std::string(93, 'g'), named("001-udp")), std::string(92, 'g') + "-001-udp");
}

TEST(BatchNames, OfExperimentsAreNotCutWithinACharacter) {
    const std::string before(90, 'g');
    EXPECT_EQ(run_title(before + "\xe2\x82\xac", named("001-udp")), before + "-001-udp");
    EXPECT_EQ(run_title(before + "\xc3\xa4gg", named("001-udp")), before + "\xc3\xa4-001-udp");
}

TEST(BatchNames, OfExperimentsAreThoseOfTheRunsWhereTheyLeaveNoRoom) {
    EXPECT_EQ(run_title("grid", named(std::string(98, 'r'))), "g-" + std::string(98, 'r'));
    EXPECT_EQ(run_title("grid", named(std::string(99, 'r'))), std::string(99, 'r'));
    EXPECT_EQ(run_title("grid", named(std::string(120, 'r'))), std::string(100, 'r'));
}

}  // namespace
}  // namespace groma
