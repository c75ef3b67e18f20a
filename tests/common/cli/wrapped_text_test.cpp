#include "common/cli/wrapped_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace groma {
namespace {

std::string wrapped_words(const std::string& text) {
    std::string out = "--x";
    append_wrapped(out, 3, 10, text);
    return out;
}

TEST(WrappedText, GoesOnInItsColumn) {
    const std::string long_word(80, 'a');
    EXPECT_EQ(wrapped_words("one two"), "--x one two\n");
    EXPECT_EQ(wrapped_words("one " + long_word + " " + long_word + " two"),
              "--x one " + long_word + "\n          " + long_word + " two\n");
}

TEST(WrappedText, CutsAListThatIsLongerThanALine) {
    const std::string part(60, 'b');
    EXPECT_EQ(wrapped_words(part + "," + part + "+c d"), "--x " + part + ",\n          " + part + "+c d\n");
    const std::string solid(120, 'e');
    EXPECT_EQ(wrapped_words(solid), "--x\n          " + solid + "\n");
}

}  // namespace
}  // namespace groma
