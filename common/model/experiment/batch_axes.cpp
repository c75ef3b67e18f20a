#include "common/model/experiment/batch_axes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_settings.hpp"

namespace groma {

namespace {

constexpr std::string_view kRepetitions = "repetitions";
constexpr std::string_view kOrder = "order";

/// Keys of flows, and those of the batch itself.
const std::vector<std::string_view>& batch_key_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const FlowKeyRow& key : flow_keys()) {
            if (key.in_batch) {
                all.push_back(name_in_batch(key));
            }
        }
        all.insert(all.end(), {kRepetitions, kOrder});
        return all;
    }();
    return names;
}

class AxesReader {
public:
    [[nodiscard]] BatchAxes read(const ListSection& section) {
        for (const auto* entry : in_order(section)) {
            const auto& [name, list] = *entry;
            if (std::ranges::find(batch_key_names(), name) == batch_key_names().end()) {
                note_unknown(axes_.errors, name, Setting{{}, {}, list.key, {}}, batch_key_names());
            } else if (list.values.empty()) {
                axes_.errors.push_back({list.key.line, list.key.column, name + ": needs at least one value"});
            } else if (name == kRepetitions or name == kOrder) {
                read_one(name, list);
            } else {
                read_axis(name, list);
            }
        }
        refuse_two_rates(section);
        refuse_too_many(section.place);
        return std::move(axes_);
    }

private:
    using Entry = std::pair<const std::string, ListSetting>;

    static std::vector<const Entry*> in_order(const ListSection& section) {
        std::vector<const Entry*> entries;
        entries.reserve(section.settings.size());
        for (const Entry& entry : section.settings) {
            entries.push_back(&entry);
        }
        std::ranges::sort(entries, {}, [](const Entry* entry) {
            return std::pair(entry->second.key.line, entry->second.key.column);
        });
        return entries;
    }

    void read_one(std::string_view name, const ListSetting& list) {
        const Setting& value = list.values.front();
        try {
            if (list.values.size() > 1) {
                throw UsageError("has one value, not a list");
            }
            name == kOrder ? read_order(value) : read_repetitions(value);
        } catch (const UsageError& error) {
            note(axes_.errors, name, value, error.what());
        }
    }

    void read_order(const Setting& value) {
        const std::string& text = text_setting(value);
        if (text != "as written" and text != "shuffled") {
            throw UsageError("there is no order '" + plain_text(text, 40) +
                             "' (there are: \"as written\" \"shuffled\")");
        }
        axes_.shuffled = text == "shuffled";
    }

    void read_repetitions(const Setting& value) {
        axes_.repetitions = static_cast<std::uint32_t>(integer_setting(value, 1, kMaxBatchRuns));
        axes_.repetitions_before = axes_.keys.size();
        repetitions_seen_ = true;
    }

    void read_axis(std::string_view name, const ListSetting& list) {
        std::set<std::string_view> seen;
        for (const Setting& value : list.values) {
            if (not seen.insert(value.text).second) {
                note(axes_.errors, name, value, plain_text(value.text, 60) + " is in the list twice");
            }
            if (value.kind == Setting::Kind::other) {
                note(axes_.errors, name, value, "must be a whole number or text in quotes, not " + value.text);
            }
        }
        axes_.keys.push_back({std::string(name), list.values});
    }

    void refuse_two_rates(const ListSection& section) {
        const auto rate = section.settings.find("rate");
        if (rate != section.settings.end() and section.settings.contains("idt")) {
            const Place place = rate->second.key;
            axes_.errors.push_back({place.line, place.column,
                                    "'rate' and 'idt' cannot both be in [batch]: each sets "
                                    "the inter-departure times"});
        }
    }

    void refuse_too_many(Place place) {
        std::size_t runs = axes_.repetitions;
        for (const BatchKey& key : axes_.keys) {
            runs = std::min<std::size_t>(runs * key.values.size(), std::size_t{kMaxBatchRuns} + 1);
        }
        if (runs > kMaxBatchRuns) {
            axes_.errors.push_back(
                {place.line, place.column, "[batch] makes more than " + std::to_string(kMaxBatchRuns) + " runs"});
        }
        if (not repetitions_seen_) {
            axes_.repetitions_before = axes_.keys.size();
        }
    }

    BatchAxes axes_;
    bool repetitions_seen_ = false;
};

}  // namespace

BatchAxes read_batch_axes(const ListSection& section) {
    return AxesReader().read(section);
}

void put_batch_value(std::string_view key, const Setting& value, Section& flow) {
    const auto in_flow = std::ranges::find(flow_keys(), key, name_in_batch);
    flow.settings.insert_or_assign(std::string(in_flow->key), value);
    if (key == "idt") {
        flow.settings.erase("rate");
    }
}

}  // namespace groma
