#include "common/model/value_file.hpp"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distribution_check.hpp"

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

[[noreturn]] void refuse(const std::filesystem::path& file, std::size_t line, std::string_view what) {
    throw UsageError(plain_text(file.string()) + ":" + std::to_string(line) + ": " + std::string(what));
}

/// A line at most kMaxLineBytes long; longer ones are refused before they fill the memory.
bool next_line(std::ifstream& in, std::string& line, const std::filesystem::path& file, std::size_t number) {
    line.clear();
    char c = 0;
    while (in.get(c)) {
        if (c == '\n') {
            return true;
        }
        if (line.size() == kMaxLineBytes) {
            refuse(file, number, "the line is too long for a value");
        }
        line += c;
    }
    return not line.empty();
}

}  // namespace

std::vector<double> read_values(const std::filesystem::path& file,
                                const std::function<double(std::string_view)>& parse_value) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(file, ignored);
    errno = 0;
    std::ifstream in(file);
    if (folder or not in) {
        throw SystemError("read the values in " + plain_text(file.string()),
                          folder       ? EISDIR
                          : errno != 0 ? errno
                                       : EIO,
                          "'file:PATH' names a text file with one value a line");
    }
    std::vector<double> values;
    std::string line;
    for (std::size_t number = 1; next_line(in, line, file, number); ++number) {
        const std::string_view text = without_comment(line);
        if (text.empty()) {
            continue;
        }
        if (values.size() == kMaxFileValues) {
            refuse(file, number, "more than " + std::to_string(kMaxFileValues) + " values");
        }
        try {
            values.push_back(parse_value(text));
        } catch (const UsageError& error) {
            refuse(file, number, error.what());
        }
    }
    if (values.empty()) {
        throw UsageError(plain_text(file.string()) + " has no values");
    }
    return values;
}

}  // namespace groma
