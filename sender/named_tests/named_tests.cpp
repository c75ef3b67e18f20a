#include "sender/named_tests/named_tests.hpp"

#include <algorithm>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {

namespace {

constexpr std::string_view kReceiver = "\"127.0.0.1\"";  // in the files

}  // namespace

std::string named_test_text(std::string_view name, std::string_view receiver) {
    const std::span<const NamedTest> all = named_tests();
    const auto test = std::ranges::find(all, name, &NamedTest::name);
    if (test == all.end()) {
        std::vector<std::string_view> names;
        for (const NamedTest& one : all) {
            names.push_back(one.name);
        }
        throw UsageError("there is no test '" + plain_text(name, 40) + "'" + did_you_mean(name, names) +
                         "\nThere are:\n" + list_of_named_tests());
    }
    std::string text(test->text);
    if (not receiver.empty()) {
        text.replace(text.find(kReceiver), kReceiver.size(), '"' + to_string(parse_target(receiver)) + '"');
    }
    return text;
}

std::string list_of_named_tests() {
    std::string list;
    for (const NamedTest& test : named_tests()) {
        const std::string_view line = test.text.substr(0, test.text.find('\n'));
        list.append("  ").append(test.name).append(20 - std::min<std::size_t>(test.name.size(), 19), ' ');
        list.append(line.substr(std::string_view("# ").size())).append("\n");
    }
    return list;
}

}  // namespace groma
