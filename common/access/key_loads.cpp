#include "common/access/key_loads.hpp"

#include <utility>

namespace groma {

KeyLoads::Share::Share(const Grant& grant, std::shared_ptr<Entries> all)
    : grant_(grant), entry_(std::make_shared<Entry>(Entry{.key = grant.name, .load = {}})), all_(std::move(all)) {
    std::erase_if(*all_, [](const auto& entry) { return entry.expired(); });
    all_->push_back(entry_);
}

std::string KeyLoads::Share::ask(const Load& load) {
    if (entry_ == nullptr) {
        return {};
    }
    Load beside{.sessions = 0};
    for (const auto& one : *all_) {
        const std::shared_ptr<const Entry> entry = one.lock();
        if (entry and entry != entry_ and entry->key == entry_->key) {
            beside.add(entry->load);
        }
    }
    std::string why = refusal_in_words(*grant_, load, beside);
    if (why.empty()) {
        entry_->load = load;
    }
    return why;
}

void KeyLoads::Share::rest() {
    if (entry_ != nullptr) {
        entry_->load = {};
    }
}

}  // namespace groma
