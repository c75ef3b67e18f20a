// Reads options from a command line into a program's structure, as the option's row says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

/// An option that was given.
struct OptionValue {
    const CommandLine& line;
    UsageErrors& errors;
    std::string_view text;  ///< empty if there is none
    bool has_text = false;  ///< false: a flag, or an optional value that was left out
};

/// Stores the value in `options`. Throws: UsageError, reported as "--option: MESSAGE".
template <typename Options>
using ReadOption = void (*)(Options& options, const OptionValue& value);

/// The order of reading: options of an earlier turn are read, and their errors reported, first.
enum class ReadTurn : std::uint8_t { first, early, usual, late };

/// One option of a program.
template <typename Options>
struct ProgramOption {
    OptionRow row;
    ReadOption<Options> read = nullptr;  ///< null: read together with other options
    ReadTurn turn = ReadTurn::usual;
};

/// Reads the option if it was given.
template <typename Options>
void read_option(const CommandLine& line, UsageErrors& errors, std::string_view name, ReadOption<Options> read,
                 Options& options) {
    if (read == nullptr or not line.has(name)) {
        return;
    }
    const std::optional<std::string> text = line.value(name);
    try {
        read(options, {line, errors, text ? std::string_view(*text) : std::string_view(), text.has_value()});
    } catch (const UsageError& error) {
        errors.add(std::string(name) + ": " + error.what());
    }
}

/// Reads those that were given, turn after turn.
template <typename Options, std::size_t size>
void read_options(const CommandLine& line, UsageErrors& errors, const std::array<ProgramOption<Options>, size>& options,
                  Options& into) {
    for (const ReadTurn turn : {ReadTurn::first, ReadTurn::early, ReadTurn::usual, ReadTurn::late}) {
        for (const ProgramOption<Options>& option : options) {
            if (option.turn == turn) {
                read_option(line, errors, option.row.name, option.read, into);
            }
        }
    }
}

/// For the command table.
template <typename Options, std::size_t size>
constexpr std::array<OptionRow, size> rows_of(const std::array<ProgramOption<Options>, size>& options) {
    std::array<OptionRow, size> rows{};
    std::ranges::transform(options, rows.begin(), &ProgramOption<Options>::row);
    return rows;
}

/// Readers of one member.
namespace option_into {

template <typename Member>
struct Owner;
template <typename Options, typename Value>
struct Owner<Value Options::*> {
    using Type = Options;
};
template <auto member>
using OwnerOf = typename Owner<decltype(member)>::Type;

template <auto member, auto parse>
void parsed(OwnerOf<member>& options, const OptionValue& value) {
    options.*member = parse(value.text);
}
template <auto member, std::uint64_t low, std::uint64_t high>
void number(OwnerOf<member>& options, const OptionValue& value) {
    options.*member = parse_whole_number(value.text, low, high);
}
template <auto member>
void text(OwnerOf<member>& options, const OptionValue& value) {
    options.*member = value.text;
}
template <auto member>
void flag(OwnerOf<member>& options, const OptionValue& /*value*/) {
    options.*member = true;
}

}  // namespace option_into

}  // namespace groma
