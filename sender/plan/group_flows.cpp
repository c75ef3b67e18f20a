#include "sender/plan/group_flows.hpp"

#include <charconv>

namespace groma {

namespace {

constexpr PortRange kDynamicPorts{49152, 65535};
constexpr std::size_t kDigits = 8;  ///< of a run's id, a random hexadecimal number

}  // namespace

std::uint16_t group_port(const FlowSpec& flow, std::string_view run_id) {
    const std::string_view digits = run_id.substr(0, kDigits);
    std::uint32_t random = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), random, 16);
    const PortRange range = flow.options.ports.value_or(kDynamicPorts);
    const std::uint64_t ports = std::uint64_t{range.last} - range.first + 1;
    return static_cast<std::uint16_t>(range.first + (std::uint64_t{random} + flow.id.value) % ports);
}

std::vector<FlowSpec> one_for_each_receiver(const std::vector<FlowSpec>& flows) {
    std::vector<FlowSpec> all;
    all.reserve(flows.size());
    for (const FlowSpec& flow : flows) {
        all.push_back(flow);
        for (const Target& target : flow.also_to) {
            FlowSpec& other = all.emplace_back(flow);
            other.target = target;
            other.target.data_port = flow.target.data_port;
            other.to_host.clear();
        }
    }
    return all;
}

}  // namespace groma
