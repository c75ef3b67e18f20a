#include "common/model/experiment/batch_errors.hpp"

namespace groma {

BatchErrors::BatchErrors(const std::vector<BatchKey>& keys) {
    for (const BatchKey& key : keys) {
        for (const Setting& value : key.values) {
            value_places_.emplace(value.value.line, value.value.column);
        }
    }
}

void BatchErrors::add(const std::vector<TextError>& errors, const std::string& combination) {
    std::set<Key> once;
    for (const TextError& error : errors) {
        once.emplace(error.line, error.column, error.what);
    }
    for (const Key& key : once) {
        ++found_.try_emplace(key, Seen{0, combination}).first->second.times;
    }
}

std::vector<TextError> BatchErrors::of(std::size_t combinations) const {
    std::vector<TextError> errors;
    for (const auto& [key, seen] : found_) {
        const auto& [line, column, what] = key;
        const bool clear = seen.times == combinations or value_places_.contains({line, column});
        errors.push_back({line, column, clear ? what : what + " (with " + seen.combination + ")"});
    }
    return errors;
}

}  // namespace groma
