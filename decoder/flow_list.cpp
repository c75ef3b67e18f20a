#include "decoder/flow_list.hpp"

#include <charconv>
#include <string_view>

#include "common/base/errors.hpp"

namespace groma {

std::set<FlowId> parse_flow_list(const std::string& option, const std::string& text) {
    std::set<FlowId> flows;
    std::string_view rest = text;
    while (true) {
        const std::string_view number = rest.substr(0, rest.find(','));
        FlowId flow;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), flow.value);
        if (error != std::errc() or end != number.data() + number.size() or flow.value == 0) {
            throw UsageError(option + " " + text + ": '" + std::string(number) +
                             "' is no number of a flow; give numbers from 1 on, such as " + option + " 1,3");
        }
        flows.insert(flow);
        if (number.size() == rest.size()) {
            return flows;
        }
        rest.remove_prefix(number.size() + 1);
    }
}

}  // namespace groma
