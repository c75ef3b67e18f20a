#include "common/model/experiment/batch_errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;

/// A key with one value, at this place of the file.
BatchKey key_with_value_at(std::uint32_t line, std::uint32_t column) {
    return {.name = "size",
            .values = {{.kind = Setting::Kind::text, .text = "64", .key = {}, .value = {line, column}}}};
}

TEST(BatchErrors, AnErrorOfAllCombinationsNamesNone) {
    BatchErrors errors({});
    EXPECT_TRUE(errors.empty());
    errors.add({{3, 1, "too long"}}, "size 64");
    errors.add({{3, 1, "too long"}}, "size 512");
    EXPECT_FALSE(errors.empty());
    EXPECT_THAT(errors.of(2), ElementsAre(TextError{3, 1, "too long"}));
}

TEST(BatchErrors, AnErrorOfSomeCombinationsNamesTheFirstOfThem) {
    BatchErrors errors({});
    errors.add({}, "size 64");
    errors.add({{3, 1, "too long"}}, "size 512");
    errors.add({{3, 1, "too long"}}, "size 1472");
    EXPECT_THAT(errors.of(3), ElementsAre(TextError{3, 1, "too long (with size 512)"}));
}

TEST(BatchErrors, AnErrorAtAValueOfTheBatchNamesNoCombination) {
    BatchErrors errors({key_with_value_at(7, 9)});
    errors.add({{7, 9, "not a size"}, {7, 8, "elsewhere"}}, "size 64");
    errors.add({}, "size 512");
    EXPECT_THAT(errors.of(2), ElementsAre(TextError{7, 8, "elsewhere (with size 64)"}, TextError{7, 9, "not a size"}));
}

// Several flows of a combination may have the same error: it is not an error of that many combinations.
TEST(BatchErrors, AnErrorThatOneCombinationHasTwiceCountsOnce) {
    BatchErrors errors({});
    errors.add({{3, 1, "too long"}, {3, 1, "too long"}}, "size 512");
    errors.add({}, "size 64");
    EXPECT_THAT(errors.of(2), ElementsAre(TextError{3, 1, "too long (with size 512)"}));
}

TEST(BatchErrors, AreInTheOrderOfTheirPlaces) {
    BatchErrors errors({});
    errors.add({{10, 2, "c"}, {9, 12, "b"}, {9, 3, "z"}, {9, 3, "a"}}, "");
    EXPECT_THAT(errors.of(1),
                ElementsAre(TextError{9, 3, "a"}, TextError{9, 3, "z"}, TextError{9, 12, "b"}, TextError{10, 2, "c"}));
}

}  // namespace
}  // namespace groma
