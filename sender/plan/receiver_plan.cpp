#include "sender/plan/receiver_plan.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {

namespace {

/// As JSON they are twice to three times as long (kMaxMessageBytes).
constexpr std::size_t kMostValueBytes = std::size_t{4} << 20U;

}  // namespace

std::vector<ReceiverPlan> group_by_receiver(const std::vector<FlowSpec>& flows,
                                            std::span<const SocketAddress> addresses) {
    check(flows.size() == addresses.size(), "each flow has an address");
    std::vector<ReceiverPlan> plans;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        auto plan = std::find_if(plans.begin(), plans.end(),
                                 [&](const ReceiverPlan& one) { return one.address == addresses[i]; });
        if (plan == plans.end()) {
            plan = plans.insert(plans.end(),
                                ReceiverPlan{.address = addresses[i], .flows = {}, .host = flows[i].target.host});
        }
        plan->flows.push_back(flows[i]);
    }
    return plans;
}

std::vector<ReceiverPlan> group_by_name(const std::vector<FlowSpec>& flows) {
    std::vector<ReceiverPlan> plans;
    for (const FlowSpec& flow : flows) {
        std::string name = flow.to_host.empty() ? flow.target.host : flow.to_host;
        name = name == kWhoeverCalls ? "" : name;
        auto plan = std::ranges::find(plans, name, &ReceiverPlan::name);
        if (plan == plans.end()) {
            plan = plans.insert(plans.end(), ReceiverPlan{.address = {}, .flows = {}, .name = name});
        }
        plan->flows.push_back(flow);
    }
    return plans;
}

std::vector<OpenFlows> in_pieces(const std::vector<FlowSpec>& flows, const std::vector<DialTarget>& dial,
                                 const FlowSecrets& secrets) {
    std::vector<OpenFlows> pieces;
    for (std::size_t done = 0, next = 0; done < flows.size(); done = next) {
        for (std::size_t bytes = 0; next < flows.size() and next - done < kMaxFlowsPerMessage; ++next) {
            bytes += value_bytes(flows[next]);
            if (next > done and bytes > kMostValueBytes) {
                break;
            }
        }
        const auto first = flows.begin() + static_cast<std::ptrdiff_t>(done);
        const auto count = static_cast<std::ptrdiff_t>(next - done);
        OpenFlows& piece = pieces.emplace_back(OpenFlows{std::vector<FlowSpec>(first, first + count)});
        for (const FlowSpec& flow : piece.flows) {
            if (const auto key = secrets.find(flow.id); key != secrets.end()) {
                piece.secrets.push_back(key->second);
            }
        }
        if (not dial.empty()) {
            const auto first_target = dial.begin() + static_cast<std::ptrdiff_t>(done);
            piece.dial.assign(first_target, first_target + count);
        }
    }
    return pieces;
}

std::string file_name_part(std::string address) {
    std::ranges::replace_if(
        address, [](char c) { return c == ':' or c == '%' or c == '/'; }, '_');
    return address;
}

std::string receiver_log_name(std::string_view base, const std::vector<ReceiverPlan>& plans, std::size_t which) {
    if (base.empty() or plans.size() == 1) {
        return std::string(base);
    }
    const SocketAddress& own = plans[which].address;
    const bool neighbours = std::count_if(plans.begin(), plans.end(),
                                          [&](const ReceiverPlan& plan) { return plan.address.same_host(own); }) > 1;
    std::string mark = plans[which].name.empty() ? own.host_to_string() : plans[which].name;
    if (neighbours and plans[which].name.empty()) {
        mark += '-';
        mark += std::to_string(own.port());
    }
    mark = file_name_part(std::move(mark));
    const std::size_t dot = base.rfind('.');
    const std::string_view stem = dot == std::string_view::npos or dot == 0 ? base : base.substr(0, dot);
    return std::string(stem) + '-' + mark + std::string(base.substr(stem.size()));
}

std::string shared_receiver_log_name(const ReceiverPlan& plan, std::string_view sender) {
    const std::string& alias = plan.flows.front().to_host;
    std::string name = "receiver-" + (alias.empty() ? plan.address.host_to_string() : alias) + "-from-";
    name += sender;
    return file_name_part(std::move(name));
}

void check_ports(const ReceiverPlan& plan, const std::vector<OpenedFlow>& ports) {
    const bool fits = std::equal(
        plan.flows.begin(), plan.flows.end(), ports.begin(), ports.end(),
        [](const FlowSpec& asked, const OpenedFlow& opened) { return asked.id == opened.flow and opened.port != 0; });
    if (not fits) {
        throw RunError("the receiver at " + plan.address.to_string() +
                       " opened other flows than it was asked for: install the same release on both hosts");
    }
}

}  // namespace groma
