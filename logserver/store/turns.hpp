// Selects the next items round robin by host, so that a host with many items does not delay the others. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace groma {

/// Returns: at most `most` items: the first of each host, then the second of each, and so on. A host's items keep their
/// order.
template <typename Item, typename HostOf>
[[nodiscard]] std::vector<Item> by_turns(const std::vector<Item>& items, const HostOf& host_of, std::size_t most) {
    std::map<std::string, std::size_t> before;  // the host's items so far
    std::vector<std::pair<std::size_t, Item>> ranked;
    ranked.reserve(items.size());
    for (const Item& item : items) {
        ranked.emplace_back(before[host_of(item)]++, item);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Item>::first);
    std::vector<Item> chosen;
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
        chosen.push_back(ranked[i].second);
    }
    return chosen;
}

}  // namespace groma
