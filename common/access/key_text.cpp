#include "common/access/key_text.hpp"

#include <algorithm>

#include "common/access/access_key.hpp"
#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

nlohmann::json json_of_key(std::string_view text) {
    if (text.empty()) {
        throw UsageError("it is empty: write it again (groma-key)");
    }
    return parse_json(text, {.bytes = std::size_t{64} << 10U, .depth = 4, .values = 1024});
}

std::string kind_of_key(const nlohmann::json& json) {
    return json.is_object() and json.contains("groma_key")
               ? json_field<std::string>(json, "groma_key", UpTo{kLongestKeyName})
               : std::string();
}

void require_known(const nlohmann::json& json, std::span<const std::string_view> known) {
    for (const auto& item : json.items()) {
        if (std::ranges::find(known, item.key()) == known.end()) {
            throw UsageError("it has the field '" + plain_text(item.key(), kLongestKeyName) +
                             "', which this release does not know" + did_you_mean(item.key(), known));
        }
    }
}

}  // namespace groma
