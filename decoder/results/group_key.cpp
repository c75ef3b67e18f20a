#include "decoder/results/group_key.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::array kKeys{std::pair(GroupKey::hosts, std::string_view("hosts")),
                           std::pair(GroupKey::transport, std::string_view("transport")),
                           std::pair(GroupKey::profile, std::string_view("profile")),
                           std::pair(GroupKey::label, std::string_view("label"))};

GroupKey parse_key(std::string_view word, std::string_view text) {
    const auto* const found = std::ranges::find(kKeys, word, &std::pair<GroupKey, std::string_view>::second);
    if (found == kKeys.end()) {
        throw UsageError("'" + std::string(text) + "': flows cannot be grouped by '" + std::string(word) +
                         "'; give one or more of hosts, transport, profile, label");
    }
    return found->first;
}

}  // namespace

std::string_view to_string(GroupKey key) {
    return std::ranges::find(kKeys, key, &std::pair<GroupKey, std::string_view>::first)->second;
}

std::vector<GroupKey> parse_group_keys(std::string_view text) {
    std::vector<GroupKey> keys;
    std::string_view rest = text;
    while (true) {
        const std::string_view word = rest.substr(0, rest.find(','));
        const GroupKey key = parse_key(word, text);
        if (std::ranges::find(keys, key) != keys.end()) {
            throw UsageError("'" + std::string(text) + "': '" + std::string(word) + "' is there twice");
        }
        keys.push_back(key);
        if (word.size() == rest.size()) {
            return keys;
        }
        rest.remove_prefix(word.size() + 1);
    }
}

}  // namespace groma
