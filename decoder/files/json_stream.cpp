#include "decoder/files/json_stream.hpp"

#include <algorithm>

#include "common/json/json_text.hpp"

namespace groma {

void JsonStream::key(std::string_view name) {
    next();
    write_(json_text(Json(name)) + ": ");
    after_key_ = true;
}

void JsonStream::value(const Json& value) {
    next();
    const std::string text = json_text(value, 1);
    const std::string indent(levels_.size(), ' ');
    std::string indented;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
        indented.append(text, from, end - from).append(end < text.size() ? indent : std::string());
        from = end;
    }
    write_(indented);
}

void JsonStream::members(const Json& object) {
    for (const auto& [name, member] : object.items()) {
        key(name);
        value(member);
    }
}

void JsonStream::begin(char opening, char closing) {
    next();
    write_(std::string_view(&opening, 1));
    levels_.push_back({.closing = closing});
}

void JsonStream::end() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (not level.empty) {
        new_line();
    }
    write_(std::string_view(&level.closing, 1));
}

void JsonStream::next() {
    if (levels_.empty() or std::exchange(after_key_, false)) {
        return;
    }
    if (not std::exchange(levels_.back().empty, false)) {
        write_(",");
    }
    new_line();
}

void JsonStream::new_line() {
    write_('\n' + std::string(levels_.size(), ' '));
}

}  // namespace groma
