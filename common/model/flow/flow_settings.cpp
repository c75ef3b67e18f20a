#include "common/model/flow/flow_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMaxCount = std::numeric_limits<std::int64_t>::max();

/// An alias, an alias with another control port, or a host.
Target find_target(std::string_view text, const HostAliases& hosts) {
    if (const auto alias = hosts.find(text); alias != hosts.end()) {
        return alias->second;
    }
    Target target = parse_target(text);
    if (const auto alias = hosts.find(target.host); alias != hosts.end()) {
        target.host = alias->second.host;
    }
    return target;
}

/// "beta" or "beta, gamma": the first is the flow's target, the others receive the same packets (multicast).
void set_target(FlowDraft& draft, const Setting& setting, const FlowSettings& context) {
    const std::vector<std::string_view> names = split_list(text_setting(setting));
    std::vector<Target> targets;
    targets.reserve(names.size());
    for (const std::string_view name : names) {
        targets.push_back(find_target(name, context.hosts()));
    }
    const std::string first =
        context.hosts().contains(names.front()) ? std::string(names.front()) : parse_target(names.front()).host;
    targets.front().data_port = draft.spec.target.data_port;
    draft.spec.target = targets.front();
    draft.spec.also_to.assign(targets.begin() + 1, targets.end());
    draft.spec.to_host = context.hosts().contains(first) ? first : "";
}

void set_source(FlowDraft& draft, const Setting& setting, const FlowSettings& context) {
    const std::string& alias = text_setting(setting);
    if (not context.hosts().contains(alias)) {
        std::vector<std::string_view> known;
        for (const auto& [name, target] : context.hosts()) {
            known.push_back(name);
        }
        throw UsageError("there is no host '" + plain_text(alias, 40) + "' in [hosts]" + did_you_mean(alias, known));
    }
    draft.spec.from_host = alias;
}

void set_name(FlowDraft& draft, const Setting& setting) {
    if (setting.text.empty()) {
        throw UsageError("a name cannot be empty");
    }
    draft.spec.name = text_setting(setting);
}

void set_profile(FlowDraft& draft, const Setting& setting, const FlowSettings& /*context*/) {
    apply(profile(text_setting(setting)), draft.spec);
    draft.rate.reset();
}

void set_idt(FlowDraft& draft, const Setting& setting, const FlowSettings& context) {
    draft.spec.idt = parse_idt(text_setting(setting), context.files());
    draft.rate.reset();
}

void set_rate(FlowDraft& draft, const Setting& setting, const FlowSettings& /*context*/) {
    draft.rate = AskedRate{parse_rate(text_setting(setting)), setting.value};
}

struct Key {
    std::string_view name;
    void (*set)(FlowDraft&, const Setting&, const FlowSettings&);
};

// `profile` comes first: what stands beside it in a section wins over it; `rate` comes after the `idt` that it changes.
constexpr std::array kKeys = {
    Key{"profile", set_profile},
    Key{"name", [](FlowDraft& d, const Setting& s, const FlowSettings&) { set_name(d, s); }},
    Key{"from", set_source},
    Key{"to", set_target},
    Key{"port",
        [](FlowDraft& d, const Setting& s, const FlowSettings&) {
            d.spec.target.data_port = static_cast<std::uint16_t>(integer_setting(s, 1, 65535));
        }},
    Key{"transport", [](FlowDraft& d, const Setting& s,
                        const FlowSettings&) { d.spec.transport = parse_transport(text_setting(s)); }},
    Key{"idt", set_idt},
    Key{"rate", set_rate},
    Key{"size", [](FlowDraft& d, const Setting& s,
                   const FlowSettings& c) { d.spec.size = parse_size(text_setting(s), c.files()); }},
    Key{"on",
        [](FlowDraft& d, const Setting& s, const FlowSettings& c) { d.on = parse_period(text_setting(s), c.files()); }},
    Key{"off", [](FlowDraft& d, const Setting& s,
                  const FlowSettings& c) { d.off = parse_period(text_setting(s), c.files()); }},
    Key{"duration", [](FlowDraft& d, const Setting& s,
                       const FlowSettings&) { d.spec.stop.duration = parse_duration(text_setting(s)); }},
    Key{"packets", [](FlowDraft& d, const Setting& s,
                      const FlowSettings&) { d.spec.stop.packets = integer_setting(s, 1, kMaxCount); }},
    Key{"bytes",
        [](FlowDraft& d, const Setting& s, const FlowSettings&) { d.spec.stop.bytes = parse_bytes(text_setting(s)); }},
    Key{"start", [](FlowDraft& d, const Setting& s,
                    const FlowSettings&) { d.spec.start_delay = parse_duration(text_setting(s)); }},
    Key{"header",
        [](FlowDraft& d, const Setting& s, const FlowSettings&) { d.spec.header = parse_header(text_setting(s)); }},
    Key{"meter",
        [](FlowDraft& d, const Setting& s, const FlowSettings&) { d.spec.meter = parse_meter(text_setting(s)); }},
    Key{"lateness",
        [](FlowDraft& d, const Setting& s, const FlowSettings&) { d.spec.lateness = parse_lateness(text_setting(s)); }},
    Key{"payload", [](FlowDraft& d, const Setting& s,
                      const FlowSettings& c) { d.spec.payload = parse_payload(text_setting(s), c.files()); }},
    Key{"count", [](FlowDraft& d, const Setting& s, const FlowSettings&) {
            d.count = static_cast<std::uint32_t>(integer_setting(s, 1, kMaxFlows));
        }}};

/// Of everything that a flow can be given.
const std::vector<std::string_view>& key_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        all.reserve(kKeys.size() + transport_option_rows().size());
        for (const Key& key : kKeys) {
            all.push_back(key.name);
        }
        for (const TransportOptionRow& row : transport_option_rows()) {
            all.push_back(row.key);
        }
        return all;
    }();
    return names;
}

/// Does what `set` does with the section's setting of this name, if there is one; notes the mistake if it throws.
template <typename Set>
void set_if_given(const Section& section, std::string_view name, std::vector<TextMistake>& mistakes, const Set& set) {
    const auto found = section.settings.find(name);
    if (found == section.settings.end()) {
        return;
    }
    try {
        set(found->second);
    } catch (const UsageError& error) {
        note(mistakes, name, found->second, error.what());
    } catch (const SystemError& error) {
        note(mistakes, name, found->second, error.what());
    }
}

}  // namespace

void note(std::vector<TextMistake>& mistakes, std::string_view key, const Setting& setting, std::string_view what) {
    mistakes.push_back({setting.value.line, setting.value.column, plain_text(key, 40) + ": " + std::string(what)});
}

void note_unknown(std::vector<TextMistake>& mistakes, std::string_view key, const Setting& setting,
                  std::span<const std::string_view> known_keys) {
    mistakes.push_back({setting.key.line, setting.key.column,
                        "unknown key '" + plain_text(key, 40) + "'" + did_you_mean(key, known_keys)});
}

std::uint64_t integer_setting(const Setting& setting, std::uint64_t least, std::uint64_t most) {
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
    for (const Key& key : kKeys) {
        set_if_given(section, key.name, mistakes_, [&](const Setting& setting) { key.set(draft, setting, *this); });
    }
    for (const TransportOptionRow& row : transport_option_rows()) {
        set_if_given(section, row.key, mistakes_,
                     [&](const Setting& setting) { row.set(draft.spec.options, text_setting(setting)); });
    }
    for (const auto& [name, setting] : section.settings) {
        if (std::ranges::find(key_names(), name) == key_names().end()) {
            note_unknown(mistakes_, name, setting, key_names());
        }
    }
}

}  // namespace groma
