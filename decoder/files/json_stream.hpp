// A JSON text that is written value by value, indented by one space, as json_text() would write the whole of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decoder/files/json_parts.hpp"

namespace groma {

class JsonStream {
public:
    using Write = std::function<void(std::string_view)>;

    explicit JsonStream(Write write) : write_(std::move(write)) {}

    /// The next value belongs to this key. Requires: in an object.
    void key(std::string_view name);
    void value(const Json& value);
    /// An object's members, one after the other.
    void members(const Json& object);
    void begin_object() { begin('{', '}'); }
    void begin_array() { begin('[', ']'); }
    /// Of the innermost object or array.
    void end();

private:
    struct Level {
        char closing = '}';
        bool empty = true;
    };

    void begin(char opening, char closing);
    /// In front of a key or an item.
    void next();
    void new_line();

    Write write_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace groma
