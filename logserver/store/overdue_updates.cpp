#include "logserver/store/overdue_updates.hpp"

#include <algorithm>
#include <iterator>

#include "common/base/plain_text.hpp"

namespace groma {

void OverdueUpdates::add_incomplete(const CatalogueEntry& entry, const std::string& why) {
    due_.push_back({entry.id, LogState::incomplete, plain_text(why), entry.pieces, entry.bytes, entry.hash});
}

void OverdueUpdates::drop(std::int64_t log) {
    std::erase_if(due_, [log](const CatalogueUpdate& update) { return update.id == log; });
}

void OverdueUpdates::apply(LogCatalogue& catalogue, WallTime now,
                           const std::function<bool(std::int64_t)>& claimed) noexcept {
    try {
        const auto may_go = [&claimed](const CatalogueUpdate& update) { return not claimed(update.id); };
        std::vector<CatalogueUpdate> going;
        std::ranges::copy_if(due_, std::back_inserter(going), may_go);
        if (going.empty()) {
            return;
        }
        catalogue.apply(going, now, Durability::process);
        std::erase_if(due_, may_go);
    } catch (const std::exception&) {
        // The disk is full or faulty: the updates stay due.
    }
}

}  // namespace groma
