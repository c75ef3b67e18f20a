#include "common/model/flow/flow_settings.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMostInFile = std::numeric_limits<std::int64_t>::max();  // TOML has no larger integers

/// Names of all settings of a flow.
const std::vector<std::string_view>& key_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        all.reserve(flow_keys().size() + transport_option_rows().size());
        for (const FlowKeyRow& key : flow_keys()) {
            all.push_back(key.key);
        }
        for (const TransportOptionRow& row : transport_option_rows()) {
            all.push_back(row.key);
        }
        return all;
    }();
    return names;
}

/// Calls `set` with the section's setting of this name, if it exists; notes the error if it throws.
template <typename Set>
void set_if_given(const Section& section, std::string_view name, std::vector<TextError>& errors, const Set& set) {
    const auto found = section.settings.find(name);
    if (found == section.settings.end()) {
        return;
    }
    try {
        set(found->second);
    } catch (const UsageError& error) {
        note(errors, name, found->second, error.what());
    } catch (const SystemError& error) {
        note(errors, name, found->second, error.what());
    }
}

}  // namespace

void note(std::vector<TextError>& errors, std::string_view key, const Setting& setting, std::string_view what) {
    errors.push_back({setting.value.line, setting.value.column, plain_text(key, 40) + ": " + std::string(what)});
}

void note_unknown(std::vector<TextError>& errors, std::string_view key, const Setting& setting,
                  std::span<const std::string_view> known_keys) {
    errors.push_back({setting.key.line, setting.key.column,
                      "unknown key '" + plain_text(key, 40) + "'" + did_you_mean(key, known_keys)});
}

std::uint64_t integer_setting(const Setting& setting, std::uint64_t least, std::uint64_t most) {
    if (setting.kind == Setting::Kind::word) {
        return parse_whole_number(setting.text, least, most);
    }
    most = std::min(most, kMostInFile);
    std::uint64_t value = 0;
    const char* const last = setting.text.data() + setting.text.size();
    const auto [end, error] = std::from_chars(setting.text.data(), last, value);
    if (setting.kind != Setting::Kind::integer or error != std::errc() or end != last or value < least or
        value > most) {
        throw UsageError("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
                         (setting.kind == Setting::Kind::text ? ", without quotes" : ""));
    }
    return value;
}

const std::string& text_setting(const Setting& setting) {
    if (setting.kind == Setting::Kind::other) {
        throw UsageError("must be text in quotes, not " + setting.text);
    }
    return setting.text;
}

void FlowSettings::apply(const Section& section, FlowDraft& draft) const {
    for (const FlowKeyRow& key : flow_keys_by_turn()) {
        set_if_given(section, key.key, errors_, [&](const Setting& setting) { key.set(draft, setting, names_); });
    }
    for (const TransportOptionRow& row : transport_option_rows()) {
        set_if_given(section, row.key, errors_,
                     [&](const Setting& setting) { row.set(draft.spec.options, text_setting(setting)); });
    }
    for (const auto& [name, setting] : section.settings) {
        if (std::ranges::find(key_names(), name) == key_names().end()) {
            note_unknown(errors_, name, setting, key_names());
        }
    }
}

}  // namespace groma
