// Parses JSON texts from elsewhere, and writes JSON texts.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace groma {

/// Limits on the cost of a JSON text: a parsed value takes up to 100 bytes, its text as few as 2.
struct JsonLimits {
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
    std::size_t depth = 16;                                        ///< nested arrays and objects
    std::size_t values = std::numeric_limits<std::size_t>::max();  ///< names of fields included
};

/// The text is untrusted. Throws: UsageError ("it is no JSON").
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// In one line, or indented. Replaces invalid UTF-8: a name must not end a session or a log. Escapes characters that a
/// terminal obeys (is_obeyed()).
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// Cuts a text to at most `most_bytes`, between characters.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t most_bytes) noexcept;

}  // namespace groma
