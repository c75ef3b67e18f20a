// JSON texts that come from elsewhere, and JSON texts for others.
#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace groma {

/// What a text of JSON may cost: a value takes up to 100 bytes once it is parsed, and as few as 2 in the text.
struct JsonLimits {
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
    std::size_t depth = 16;                                        ///< nested arrays and objects
    std::size_t values = std::numeric_limits<std::size_t>::max();  ///< names of fields included
};

/// The text is untrusted. Throws: UsageError ("it is no JSON").
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// In one line, or indented. Bytes that form no character of UTF-8 are replaced: a name must not end a session or a
/// log. Characters that a terminal obeys (is_obeyed()) are escaped.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// At most so many bytes of a text: whole characters.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t most_bytes) noexcept;

}  // namespace groma
