#include "common/cli/manual_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace groma {

namespace {

constexpr std::size_t kLongestLine = 80;

bool is_capital(char c) {
    return c >= 'A' and c <= 'Z';
}

bool is_small(char c) {
    return c >= 'a' and c <= 'z';
}

bool is_of_word(char c) {
    return is_capital(c) or is_small(c) or (c >= '0' and c <= '9') or c == '_';
}

/// Verbatim: '-' is typed, not a typographic hyphen.
std::string literal(std::string_view text) {
    constexpr std::string_view kSpecial = "\\-'\"^~`";
    constexpr std::array kWritten{"\\e", "\\-", "\\(aq", "\\(dq", "\\(ha", "\\(ti", "\\(ga"};
    std::string out;
    for (const char c : text) {
        const std::size_t special = kSpecial.find(c);
        out += special == std::string_view::npos ? std::string(1, c) : kWritten.at(special);
    }
    return out;
}

std::string in_font(char font, std::string_view text) {
    return std::string("\\f") + font + literal(text) + "\\fR";
}

/// Length of the word at the start of `text`: "--log-server", "RESULTS.sqlite", "p99.9". 0: no word.
std::size_t word_length(std::string_view text) {
    std::size_t end = std::min(text.find_first_not_of('-'), text.size());
    if (end > 2 or end == text.size() or not is_of_word(text[end])) {
        return 0;
    }
    const auto goes_on = [&](std::size_t at) { return at < text.size() and is_of_word(text[at]); };
    while (goes_on(end) or (end < text.size() and (text[end] == '-' or text[end] == '.') and goes_on(end + 1))) {
        ++end;
    }
    return end;
}

bool has_word(std::string_view form, std::string_view word) {
    while (not form.empty()) {
        const std::size_t length = word_length(form);
        if (length > 0 and form.substr(0, length) == word) {
            return true;
        }
        form.remove_prefix(length > 0 ? length : 1);
    }
    return false;
}

/// "(1)" after the name of a program, which is part of it.
bool names_page(std::string_view rest) {
    return rest.size() >= 3 and rest[0] == '(' and rest[1] >= '1' and rest[1] <= '8' and rest[2] == ')';
}

/// One word of a sentence, with what is attached to it.
std::string in_sentence(std::string_view text, std::string_view form) {
    std::string out(text.starts_with('.') ? "\\&" : "");  // otherwise a roff request
    char before = '(';
    while (not text.empty()) {
        const std::size_t length = word_length(text);
        const std::string_view word = text.substr(0, length > 0 ? length : 1);
        text.remove_prefix(word.size());
        const bool program = (before == '(' and word.starts_with("groma-")) or names_page(text);
        const bool typed = length > 0 and (word.front() == '-' or program);
        const bool stands_for = is_capital(word.front()) and has_word(form, word);
        before = word.back();
        out += typed ? in_font('B', word) : stands_for ? in_font('I', word) : literal(word);
    }
    return out;
}

std::string as_sentences(std::string_view help, std::string_view more) {
    std::string text(help);
    if (not text.empty()) {
        text.front() = is_small(text.front()) ? static_cast<char>(text.front() - 'a' + 'A') : text.front();
        text += text.ends_with('.') ? "" : ".";
    }
    if (not more.empty()) {
        text += (text.empty() ? "" : " ") + std::string(more);
    }
    return text;
}

bool ends_sentence(std::string_view word, std::string_view rest) {
    return (word.ends_with('.') or word.ends_with(".)")) and not rest.empty() and
           (is_capital(rest.front()) or rest.starts_with("--"));
}

}  // namespace

std::string manual_form(std::string_view form) {
    std::string out;
    while (not form.empty()) {
        const std::size_t length = word_length(form);
        const std::string_view word = form.substr(0, length > 0 ? length : 1);
        form.remove_prefix(word.size());
        out += length == 0 ? literal(word) : in_font(is_capital(word.front()) ? 'I' : 'B', word);
    }
    return out;
}

std::string manual_text(std::string_view help, std::string_view more, std::string_view form) {
    const std::string all = as_sentences(help, more);
    std::string_view text = all;
    std::string out;
    std::string line;
    while (not text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string written = in_sentence(word, form);
        if (not line.empty() and line.size() + 1 + written.size() > kLongestLine) {
            out += std::exchange(line, "") + '\n';
        }
        line += (line.empty() ? "" : " ") + written;
        if (ends_sentence(word, text)) {
            out += std::exchange(line, "") + '\n';
        }
    }
    return line.empty() ? out : out + line + '\n';
}

}  // namespace groma
