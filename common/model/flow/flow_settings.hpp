// The settings that a flow can have in an experiment file (docs/reference/experiment-file.md), applied to a flow one
// section after the other.
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
/// Notes that a key is unknown, with the nearest of the known ones.
void note_unknown(std::vector<TextError>& errors, std::string_view key, const Setting& setting,
                  std::span<const std::string_view> known);

/// Returns: the integer. Throws: UsageError when the setting is none, or is out of bounds or of those of a file, 2^63.
[[nodiscard]] std::uint64_t integer_setting(const Setting& setting, std::uint64_t least, std::uint64_t most);
/// Returns: the text, or an integer's digits. Throws: UsageError for anything else.
[[nodiscard]] const std::string& text_setting(const Setting& setting);

class FlowSettings {
public:
    /// `files`: those that settings name. All references outlive this.
    FlowSettings(const HostAliases& hosts, const NamedFiles& files, std::vector<TextError>& errors)
        : names_{hosts, files}, errors_(errors) {}

    /// Puts what a section says into the draft; a profile first, so that settings beside it win. Errors are noted
    /// and leave the draft as it was.
    void apply(const Section& section, FlowDraft& draft) const;

private:
    FlowNames names_;
    std::vector<TextError>& errors_;
};

}  // namespace groma
