// What keys of a flow do with a value, where they do more than to parse it into a member. Throws: UsageError, the flow
// stays as it was.
#pragma once

#include "common/model/flow/flow_keys.hpp"

namespace groma::flow_key {

void set_name(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_source(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_target(FlowDraft& draft, const Setting& setting, const FlowNames& names);
/// Settings beside a profile override it. A rate that was asked for before a profile or `idt` is forgotten.
void set_profile(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_idt(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_rate(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_port(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_packets(FlowDraft& draft, const Setting& setting, const FlowNames& names);
void set_count(FlowDraft& draft, const Setting& setting, const FlowNames& names);

}  // namespace groma::flow_key
