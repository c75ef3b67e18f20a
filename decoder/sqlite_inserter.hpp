// Fills a table of an SQLite file, a row at a time, a column after the other.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace groma {

/// Throws (all functions): SQLite::Exception.
class Inserter {
public:
    Inserter(SQLite::Database& database, const std::string& table, int columns)
        : statement_(database, "INSERT INTO " + table + " VALUES(?" + repeated(columns - 1) + ")") {}

    Inserter& operator<<(const std::string& text) { return bind(text); }
    Inserter& operator<<(std::string_view text) { return bind(std::string(text)); }
    Inserter& operator<<(double number) { return bind(number); }
    Inserter& operator<<(std::int64_t number) { return bind(number); }
    Inserter& operator<<(std::uint64_t number) { return bind(static_cast<std::int64_t>(number)); }
    Inserter& operator<<(std::uint32_t number) { return bind(static_cast<std::int64_t>(number)); }

    template <typename Value>
    Inserter& operator<<(const std::optional<Value>& value) {
        return value ? *this << *value : skip();
    }

    /// NULL from here on for so many columns.
    Inserter& skip(int columns = 1) {
        next_ += columns;
        return *this;
    }

    void end_row() {
        statement_.exec();
        statement_.reset();
        statement_.clearBindings();
        next_ = 1;
    }

private:
    static std::string repeated(int times) {
        std::string text;
        for (int i = 0; i < times; ++i) {
            text += ",?";
        }
        return text;
    }

    template <typename Value>
    Inserter& bind(const Value& value) {
        statement_.bind(next_++, value);
        return *this;
    }

    SQLite::Statement statement_;
    int next_ = 1;
};

}  // namespace groma
