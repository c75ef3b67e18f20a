#include "common/model/flow/flow_key_values.hpp"

#include <limits>
#include <vector>

#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_settings.hpp"
#include "common/model/flow/profiles.hpp"

namespace groma::flow_key {

void set_target(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    set_receivers(draft.spec, text_setting(setting), names.hosts);
}

void set_source(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    const std::string& alias = text_setting(setting);
    if (not names.hosts.contains(alias)) {
        std::vector<std::string_view> known;
        for (const auto& [name, target] : names.hosts) {
            known.push_back(name);
        }
        throw UsageError("there is no host '" + plain_text(alias, 40) + "' in [hosts]" + did_you_mean(alias, known));
    }
    draft.spec.from_host = alias;
}

void set_name(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    if (setting.text.empty()) {
        throw UsageError("a name cannot be empty");
    }
    draft.spec.name = text_setting(setting);
}

void set_profile(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    apply(profile(text_setting(setting)), draft.spec);
    draft.rate.reset();
}

void set_idt(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.idt = parse_idt(text_setting(setting), names.files);
    draft.rate.reset();
}

void set_rate(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.rate = AskedRate{parse_rate(text_setting(setting)), setting.value};
}

void set_port(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.target.data_port = static_cast<std::uint16_t>(integer_setting(setting, 1, 65535));
}

void set_count(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.count = static_cast<std::uint32_t>(integer_setting(setting, 1, kMaxFlows));
}

void set_packets(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.stop.packets = integer_setting(setting, 1, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace groma::flow_key
