#include "decoder/logs/flow_list.hpp"

#include <charconv>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

std::set<FlowId> parse_flow_list(std::string_view text) {
    std::set<FlowId> flows;
    for (const std::string_view number : split_list(text)) {
        FlowId flow;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), flow.value);
        if (error != std::errc() or end != number.data() + number.size() or flow.value == 0) {
            throw UsageError("'" + std::string(number) + "' is not a flow number: use numbers from 1 on, such as 1,3");
        }
        flows.insert(flow);
    }
    return flows;
}

}  // namespace groma
