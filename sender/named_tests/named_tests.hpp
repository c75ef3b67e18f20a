// Tests that users run by their name (groma-send --test): the experiment files of examples/tests, built in.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace groma {

struct NamedTest {
    std::string_view name;
    std::string_view text;  ///< the experiment file; its first line is a comment that says what the test does
};

/// In the order of their names.
[[nodiscard]] std::span<const NamedTest> named_tests();

/// The experiment file of the test, with this host and control port as its receiver; empty: with that of the file.
/// Throws: UsageError, with a list of all tests, if there is none of this name; for a host that is none.
[[nodiscard]] std::string named_test_text(std::string_view name, std::string_view receiver);

/// A line for each test.
[[nodiscard]] std::string list_of_named_tests();

}  // namespace groma
