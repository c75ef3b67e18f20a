#include "common/cli/detached_value.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Not;

bool taken_for_value(ValueKind kind, std::string_view placeholder, std::string_view word) {
    return detached_value({"--option", kind, placeholder, "Some", "help"}, word).has_value();
}

TEST(DetachedValue, IsAWordThatTheOptionCouldTake) {
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "FILE", "out.json"));
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "FILE", "5s"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "FILE", "-"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "FILE", "--quiet"));
    EXPECT_FALSE(taken_for_value(ValueKind::required, "FILE", "out.json"));
    EXPECT_FALSE(taken_for_value(ValueKind::none, "", "out.json"));
}

TEST(DetachedValue, OfATimeOrAPortBeginsWithADigit) {
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "TIME", "500ms"));
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "PORT", "9001"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "TIME", "send.glog"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "TIME", ""));
}

TEST(DetachedValue, OfAChoiceIsOneOfItsWords) {
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "text|json", "text"));
    EXPECT_TRUE(taken_for_value(ValueKind::optional, "text|json", "json"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "text|json", "jso"));
    EXPECT_FALSE(taken_for_value(ValueKind::optional, "text|json", "text|json"));
}

TEST(DetachedValue, ThatIsNoInputIsAErrorWithWhatToWrite) {
    const std::vector<DetachedValue> values{{"--json", "a.glog"}, {"--csv", "out.csv"}};
    const auto is_input = [](const std::string& word) { return word.ends_with(".glog"); };
    UsageErrors errors;
    EXPECT_FALSE(find_detached_values(values, "not a log", is_input, errors));
    try {
        errors.throw_if_any();
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "'out.csv' is not a log: if it is the value of --csv, write --csv=out.csv");
    }
}

TEST(DetachedValue, ThatIsInputIsNone) {
    const std::vector<DetachedValue> values{{"--json", "/dev/null"}};
    UsageErrors errors;
    EXPECT_TRUE(find_detached_values(values, "not a log", is_there, errors));
    EXPECT_TRUE(errors.none());
    EXPECT_NO_THROW(refuse_detached_values(values, "not a log"));
}

TEST(DetachedValue, IsSaidInPrintableCharacters) {
    EXPECT_THAT((DetachedValue{"--json", "a\x1b[2Jb"}.advice()), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace groma
