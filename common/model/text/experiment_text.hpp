// Splits an experiment file into sections of settings, each with its place in the file. Reads TOML only;
// common/model/experiment/experiment.cpp interprets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {

inline constexpr std::size_t kMaxExperimentBytes = std::size_t{16} << 20U;

/// A place in a file, from 1.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct Setting {
    enum class Kind { text, integer, word, other };
    Kind kind = Kind::text;
    std::string text;  ///< the text, the integer's digits, a command line's word, or a name of the type ("a boolean")
    Place key;
    Place value;
};

struct Section {
    Place place;
    std::map<std::string, Setting, std::less<>> settings;
};

/// A key with one value or a list of them.
struct ListSetting {
    Place key;
    std::vector<Setting> values;
};

struct ListSection {
    Place place;
    std::map<std::string, ListSetting, std::less<>> settings;
};

struct ExperimentText {
    Section top;                                        ///< settings outside of any table
    Section defaults;                                   ///< [defaults]
    std::map<std::string, Section, std::less<>> hosts;  ///< alias = "ADDRESS" is { address = "ADDRESS" }
    Section ranks;                                      ///< [ranks]
    Section require;                                    ///< [require]
    std::vector<Section> flows;                         ///< [[flow]], in order
    std::optional<ListSection> batch;                   ///< [batch]
    std::vector<TextError> errors;                      ///< tables that are not tables
};

/// Throws: ParseError if the text is not TOML or is too long.
[[nodiscard]] ExperimentText read_experiment_text(std::string_view text, const std::string& file);

}  // namespace groma
