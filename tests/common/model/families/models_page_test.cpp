// man/groma-models.7 against the parsers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

/// The page without fonts and escapes.
std::string models_page() {
    std::string page = content_of(GROMA_TEST_DATA "/../man/groma-models.7");
    page = std::regex_replace(page, std::regex(R"(\\f[BIR])"), "");
    page = std::regex_replace(page, std::regex(R"(\\-)"), "-");
    return std::regex_replace(page, std::regex(R"(\\\(ha)"), "^");
}

/// "poisson:MEAN[:UNIT]"; "file:" of a family with a form of its own.
template <typename Family>
std::string written_form() {
    std::string form(Family::kName);
    if constexpr (requires { Family::kParameters; }) {
        for (const auto& parameter : Family::kParameters) {
            std::string name(parameter.name);
            std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
            form += parameter.fitted == Fitted::given ? "[:" + name + ']' : ':' + name;
        }
        return form + '\n';
    } else {
        return form + ':';
    }
}

template <typename... Families>
std::vector<std::string> written_forms(const std::variant<Families...>& /*of*/) {
    return {written_form<Families>()...};
}

TEST(ModelsPage, HasEveryFamilyWithItsParameters) {
    const std::string page = models_page();
    for (const std::string& form : written_forms(SimpleDistribution())) {
        EXPECT_THAT(page, testing::HasSubstr(".TP\n" + form));
    }
    for (const std::string& form : {written_form<Mixture>(), std::string(Greedy::kName) + '\n'}) {
        EXPECT_THAT(page, testing::HasSubstr(".TP\n" + form));
    }
}

TEST(ModelsPage, HasExamplesThatAreRead) {
    const std::string page = models_page();
    const std::regex line("Example: (.*)\n");
    std::size_t examples = 0;
    for (auto at = std::sregex_iterator(page.begin(), page.end(), line); at != std::sregex_iterator(); ++at) {
        const std::string example = (*at)[1];
        ++examples;
        if (example.starts_with("file:")) {
            continue;  // read when the flow is
        }
        const bool sizes = example == "unif:64:1472" or example.starts_with("discrete:");
        EXPECT_NO_THROW((void)(sizes ? parse_size(example) : parse_idt(example))) << example;
    }
    EXPECT_EQ(examples, std::variant_size_v<Distribution>);
}

TEST(ModelsPage, HasUnitsThatAreRead) {
    const std::string page = models_page();
    std::smatch units;
    ASSERT_TRUE(std::regex_search(page, units,
                                  std::regex("\nTimes\n.B (.*)\n.TP\nRates of packets\n.B (.*)\n.TP\nRates of payload\n"
                                             ".B (.*)\n.TP\nBytes\n.B (.*)\n")));
    const auto each = [](const std::string& words, const auto& read) {
        const std::regex blank(" ");
        for (auto at = std::sregex_token_iterator(words.begin(), words.end(), blank, -1);
             at != std::sregex_token_iterator(); ++at) {
            EXPECT_NO_THROW(read("1" + at->str())) << *at;
        }
    };
    each(units[1], [](const std::string& text) { (void)parse_duration(text); });
    each(units[2], [](const std::string& text) { (void)parse_rate(text); });
    each(units[3], [](const std::string& text) { (void)parse_rate(text); });
    each(units[4], [](const std::string& text) { (void)parse_bytes(text); });
}

}  // namespace
}  // namespace groma
