// Applies the settings of an experiment file (docs/reference/experiment-file.md) to a flow, section by section.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// Notes an error at the setting's value: "KEY: WHAT".
void note(std::vector<TextError>& errors, std::string_view key, const Setting& setting, std::string_view what);
/// Notes an unknown key, with the nearest known one.
void note_unknown(std::vector<TextError>& errors, std::string_view key, const Setting& setting,
                  std::span<const std::string_view> known);

/// Returns: the integer. Throws: UsageError if the setting is not an integer, or is out of bounds or not below 2^63,
/// the limit of files.
[[nodiscard]] std::uint64_t integer_setting(const Setting& setting, std::uint64_t least, std::uint64_t most);
/// Returns: the text, or an integer's digits. Throws: UsageError for anything else.
[[nodiscard]] const std::string& text_setting(const Setting& setting);

class FlowSettings {
public:
    /// `files`: the files that settings name. All references outlive this.
    FlowSettings(const HostAliases& hosts, const NamedFiles& files, std::vector<TextError>& errors)
        : names_{hosts, files}, errors_(errors) {}

    /// Applies a section to the draft; the profile first, so that the section's other settings override it. Errors are
    /// noted and do not change the draft.
    void apply(const Section& section, FlowDraft& draft) const;

private:
    FlowNames names_;
    std::vector<TextError>& errors_;
};

}  // namespace groma
