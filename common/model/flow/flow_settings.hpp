// The settings that a flow can have in an experiment file (docs/reference/experiment-file.md), applied to a flow one
// section after the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/named_files.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

using HostAliases = std::map<std::string, Target, std::less<>>;

/// "rate = ...": what the mean of the inter-departure times is to become once a flow's idt and size are known.
struct AskedRate {
    Rate rate;
    Place place;
};

/// A flow on its way to a spec.
struct FlowDraft {
    FlowSpec spec;
    std::optional<AskedRate> rate;
    std::optional<Distribution> on;
    std::optional<Distribution> off;
    std::uint32_t count = 1;
};

inline constexpr std::uint32_t kMaxFlows = 100'000;

/// Notes a mistake at the setting's value: "KEY: WHAT".
void note(std::vector<TextMistake>& mistakes, std::string_view key, const Setting& setting, std::string_view what);
/// Notes that a key is unknown, with the nearest of the known ones.
void note_unknown(std::vector<TextMistake>& mistakes, std::string_view key, const Setting& setting,
                  std::span<const std::string_view> known);

/// Returns: the integer. Throws: UsageError when the setting is none or out of bounds.
[[nodiscard]] std::uint64_t integer_setting(const Setting& setting, std::uint64_t least, std::uint64_t most);
/// Returns: the text, or an integer's digits. Throws: UsageError for anything else.
[[nodiscard]] const std::string& text_setting(const Setting& setting);

class FlowSettings {
public:
    /// `files`: those that settings name. All references outlive this.
    FlowSettings(const HostAliases& hosts, const NamedFiles& files, std::vector<TextMistake>& mistakes)
        : hosts_(hosts), files_(files), mistakes_(mistakes) {}

    /// Puts what a section says into the draft; a profile first, so that settings beside it win. Mistakes are noted
    /// and leave the draft as it was.
    void apply(const Section& section, FlowDraft& draft) const;

    [[nodiscard]] const HostAliases& hosts() const { return hosts_; }
    [[nodiscard]] const NamedFiles& files() const { return files_; }

private:
    const HostAliases& hosts_;
    const NamedFiles& files_;
    std::vector<TextMistake>& mistakes_;
};

}  // namespace groma
