#include "common/model/experiment/batch_names.hpp"

#include <algorithm>
#include <string_view>

#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxValueBytes = 24;
constexpr std::size_t kMaxFolderBytes = 96;
constexpr std::size_t kMaxTitleBytes = 100;

std::string harmless(std::string_view text) {
    constexpr std::string_view kFine = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+";
    std::string result(text.substr(0, kMaxValueBytes));
    std::ranges::replace_if(
        result, [&](char c) { return kFine.find(c) == std::string_view::npos; }, '_');
    return result;
}

/// Values that speak for themselves stand without their key.
bool speaks_for_itself(std::string_view key) {
    return key == "transport" or key == "profile" or key == "idt";
}

}  // namespace

VariedValues varied_values(const std::vector<BatchKey>& keys, const std::vector<std::size_t>& point) {
    VariedValues varied;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].values.size() > 1) {
            varied.emplace_back(keys[i].name, keys[i].values[point[i]].text);
        }
    }
    return varied;
}

std::string combination_text(const std::vector<BatchKey>& keys, const std::vector<std::size_t>& point) {
    std::string text;
    for (const auto& [key, value] : varied_values(keys, point)) {
        text += (text.empty() ? "" : ", ") + key + " " + plain_text(value, 60);
    }
    return text;
}

std::string folder_name(const BatchRun& run, std::size_t runs, const VariedValues& varied) {
    const std::string number = std::to_string(run.number);
    const std::size_t digits = std::max<std::size_t>(3, std::to_string(runs).size());
    std::string name = std::string(digits - number.size(), '0') + number;
    for (const auto& [key, value] : varied) {
        std::string part = speaks_for_itself(key) ? std::string("-") : "-" + key;
        part += harmless(value);
        if (name.size() + part.size() <= kMaxFolderBytes) {
            name += part;
        }
    }
    return name;
}

std::string run_title(const std::string& batch, const BatchRun& run) {
    const std::string tail = "-" + run.name;
    std::size_t kept = std::min(batch.size(), kMaxTitleBytes - std::min(tail.size(), kMaxTitleBytes));
    while (kept < batch.size() and kept > 0 and (static_cast<unsigned char>(batch[kept]) & 0xc0U) == 0x80U) {
        --kept;  // not within a character
    }
    return kept == 0 ? run.name.substr(0, kMaxTitleBytes) : batch.substr(0, kept) + tail;
}

}  // namespace groma
