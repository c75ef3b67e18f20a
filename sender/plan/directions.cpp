#include "sender/plan/directions.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "common/base/plain_text.hpp"

namespace groma {

std::vector<std::string> split_both(std::vector<FlowSpec>& flows) {
    std::vector<std::string> errors;
    std::vector<FlowSpec> back;
    std::set<std::string> names;
    std::uint32_t last = 0;
    for (FlowSpec& flow : flows) {
        names.insert(flow.name);
        last = std::max(last, flow.id.value);
        if (flow.direction == Direction::both) {
            flow.direction = Direction::forward;
            FlowSpec& other = back.emplace_back(flow);
            other.direction = Direction::reverse;
            other.name += "-reverse";
            other.target.data_port.reset();
        }
    }
    for (FlowSpec& flow : back) {
        flow.id = FlowId{++last};
        if (not names.insert(flow.name).second) {
            errors.push_back("there are two flows named '" + plain_text(flow.name, 60) + "': rename one of them");
        }
    }
    flows.insert(flows.end(), std::make_move_iterator(back.begin()), std::make_move_iterator(back.end()));
    return errors;
}

bool has_reverse(const std::vector<FlowSpec>& flows) {
    return std::ranges::any_of(flows, [](const FlowSpec& flow) { return flow.direction == Direction::reverse; });
}

std::vector<FlowSpec> take_reverse(std::vector<FlowSpec>& flows) {
    const auto first = std::stable_partition(flows.begin(), flows.end(),
                                             [](const FlowSpec& flow) { return flow.direction != Direction::reverse; });
    std::vector<FlowSpec> taken(std::make_move_iterator(first), std::make_move_iterator(flows.end()));
    flows.erase(first, flows.end());
    return taken;
}

std::string with_mark(const std::string& file, const std::string& mark) {
    if (file.empty()) {
        return file;
    }
    const std::filesystem::path path(file);
    return (path.parent_path() / (path.stem().string() + "-" + mark + path.extension().string())).string();
}

}  // namespace groma
