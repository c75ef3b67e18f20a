#include "common/base/errors.hpp"

#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace groma {

namespace {

std::string joined(const std::string& file, const std::vector<TextError>& errors) {
    std::string text;
    for (const TextError& error : errors) {
        if (not text.empty()) {
            text += '\n';
        }
        text += file;
        if (error.line > 0) {
            text += ':' + std::to_string(error.line) + ':' + std::to_string(error.column);
        }
        text += ": " + error.what;
    }
    return text;
}

std::string refused_by_kernel(std::string_view attempt, int errno_value, std::string_view advice) {
    std::string text = "cannot ";
    text += attempt;
    text += ": " + std::generic_category().message(errno_value);
    if (not advice.empty()) {
        text += " (";
        text += advice;
        text += ')';
    }
    return text;
}

}  // namespace

ParseError::ParseError(std::string file, std::vector<TextError> errors)
    : std::runtime_error(joined(file, errors)), errors_(std::move(errors)) {}

SystemError::SystemError(std::string_view attempt, int errno_value, std::string_view advice)
    : std::runtime_error(refused_by_kernel(attempt, errno_value, advice)), errno_value_(errno_value) {}

ProtocolError::ProtocolError(std::string_view peer, std::string_view what)
    : std::runtime_error(std::string(peer) + ": " + std::string(what)) {}

void check(bool condition, std::string_view why, std::source_location where) {
    if (condition) [[likely]] {
        return;
    }
    std::fprintf(stderr, "%s:%u: internal error: %.*s\n", where.file_name(), where.line(), static_cast<int>(why.size()),
                 why.data());
    std::abort();
}

}  // namespace groma
