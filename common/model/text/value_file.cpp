#include "common/model/text/value_file.hpp"

#include <string>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxLineBytes = 1000;

std::string_view without_comment(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

[[noreturn]] void refuse(const std::string& file, std::size_t line, std::string_view what) {
    throw UsageError(plain_text(file) + ":" + std::to_string(line) + ": " + std::string(what));
}

}  // namespace

void read_value_lines(const NamedFiles& files, std::string_view name,
                      const std::function<void(std::string_view)>& take) {
    if (not files.read_lines) {
        throw UsageError("no file can be named here");
    }
    const std::string file = files.path(name);
    std::size_t number = 0;
    std::size_t taken = 0;
    files.read_lines(file, kMaxLineBytes, [&](std::string_view line) {
        ++number;
        if (line.size() > kMaxLineBytes) {
            refuse(file, number, "the line is too long for a value");
        }
        const std::string_view text = without_comment(line);
        if (text.empty()) {
            return;
        }
        if (taken++ == kMaxFileValues) {
            refuse(file, number, "more than " + std::to_string(kMaxFileValues) + " values");
        }
        try {
            take(text);
        } catch (const UsageError& error) {
            refuse(file, number, error.what());
        }
    });
    if (taken == 0) {
        throw UsageError(plain_text(file) + " has no values");
    }
}

std::vector<double> read_values(const NamedFiles& files, std::string_view name,
                                const std::function<double(std::string_view)>& parse_value) {
    std::vector<double> values;
    read_value_lines(files, name, [&](std::string_view text) { values.push_back(parse_value(text)); });
    return values;
}

}  // namespace groma
