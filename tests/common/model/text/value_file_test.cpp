#include "common/model/text/value_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::ElementsAre;

/// A folder in which every name is a file of these lines.
NamedFiles file_of(std::vector<std::string> lines) {
    return {.folder = "/here",
            .read_lines = [lines = std::move(lines)](const std::string& /*path*/, std::size_t longest,
                                                     const NamedFiles::TakeLine& take) {
                for (const std::string& line : lines) {
                    take(std::string_view(line).substr(0, longest + 1));
                }
            }};
}

double length_of(std::string_view text) {
    if (text == "bad") {
        throw UsageError("it is bad");
    }
    return static_cast<double>(text.size());
}

std::string refusal_of(const NamedFiles& files) {
    try {
        (void)read_values(files, "gaps.txt", length_of);
        return "accepted";
    } catch (const UsageError& error) {
        return error.what();
    }
}

TEST(ReadValues, GivesEachValueWithoutBlanksAndComments) {
    std::vector<std::string> texts;
    const auto keep = [&](std::string_view text) {
        texts.emplace_back(text);
        return static_cast<double>(texts.size());
    };
    const NamedFiles files = file_of({"# two", "", " 1 ms\t# a # b", "\t\r", "2#", "3\r"});
    EXPECT_THAT(read_values(files, "gaps.txt", keep), ElementsAre(1, 2, 3));
    EXPECT_THAT(texts, ElementsAre("1 ms", "2", "3"));
}

TEST(ReadValues, NamesTheFileAndTheLineOfAnError) {
    EXPECT_EQ(refusal_of(file_of({"1", "", "bad", "bad"})), "/here/gaps.txt:3: it is bad");
    EXPECT_EQ(refusal_of(file_of({"# none", " "})), "/here/gaps.txt has no values");
    EXPECT_EQ(refusal_of(NamedFiles{}), "no file can be named here");
}

TEST(ReadValues, TakesLinesOfAThousandBytesAndNoLongerOnes) {
    EXPECT_EQ(refusal_of(file_of({std::string(1000, '1')})), "accepted");
    EXPECT_EQ(refusal_of(file_of({"1", std::string(1001, '1')})), "/here/gaps.txt:2: the line is too long for a value");
}

TEST(ReadValues, TakesSoManyValuesAndNoMore) {
    std::vector<std::string> lines(kMaxFileValues, "1");
    lines.emplace_back("# not a value");
    EXPECT_EQ(read_values(file_of(lines), "gaps.txt", length_of).size(), kMaxFileValues);
    lines.emplace_back("1");
    EXPECT_EQ(refusal_of(file_of(lines)), "/here/gaps.txt:65538: more than 65536 values");
}

}  // namespace
}  // namespace groma
