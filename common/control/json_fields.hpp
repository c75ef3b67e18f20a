// Reads the fields of a JSON object that came from elsewhere: every access names the field and bounds the value.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "common/base/ids.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// How deep arrays and objects are nested in a JSON text, strings left out. A text that is no JSON gets some number.
[[nodiscard]] std::size_t json_depth(std::string_view text) noexcept;

/// A look at one object, which outlives it. All functions throw UsageError ("'port' must be ...") when the field is
/// missing, of another type or out of bounds.
class JsonFields {
public:
    explicit JsonFields(const nlohmann::json& object);

    [[nodiscard]] const nlohmann::json& at(const char* name) const;
    [[nodiscard]] std::string text(const char* name, std::size_t longest) const;
    [[nodiscard]] std::uint64_t number(const char* name, std::uint64_t lowest, std::uint64_t highest) const;
    [[nodiscard]] std::int64_t signed_number(const char* name) const;
    [[nodiscard]] double real(const char* name) const;  ///< any but NaN
    [[nodiscard]] bool flag(const char* name) const;
    [[nodiscard]] const nlohmann::json& array(const char* name, std::size_t longest) const;
    [[nodiscard]] bool has(const char* name) const;

private:
    const nlohmann::json& object_;
};

/// The element `index` of a JSON array, as a number. Throws: UsageError naming `what`.
[[nodiscard]] std::uint64_t number_at(const nlohmann::json& array, std::size_t index, const char* what);
[[nodiscard]] std::string text_at(const nlohmann::json& array, std::size_t index, const char* what,
                                  std::size_t longest);

}  // namespace groma
