#include "mpi/roles/sought_hosts.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "mpi/roles/meeting_address.hpp"

namespace groma {

namespace {

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// "node7" for "node7.cluster.example".
std::string_view short_name(std::string_view name) {
    return name.substr(0, name.find('.'));
}

bool loopback(std::string_view address) {
    return address.starts_with("127.") or address == "::1" or address == "localhost";
}

}  // namespace

std::string sender_of(const FlowSpec& flow) {
    return flow.from_host;
}

std::string receiver_of(const FlowSpec& flow) {
    return flow.to_host.empty() ? flow.target.host : flow.to_host;
}

std::vector<SoughtHost> sought_hosts(const Experiment& experiment) {
    std::vector<SoughtHost> hosts;
    std::set<std::string> used;
    for (const FlowSpec& flow : experiment.flows) {
        used.insert(sender_of(flow));
        used.insert(receiver_of(flow));
    }
    if (used.erase(std::string(kNamelessSender)) > 0) {
        hosts.push_back({});
    }
    for (const ExperimentHost& host : experiment.hosts) {
        if (used.erase(host.alias) > 0) {
            hosts.push_back({host.alias, host.target.host});
        }
    }
    for (const FlowSpec& flow : experiment.flows) {
        if (used.erase(receiver_of(flow)) > 0) {
            hosts.push_back({receiver_of(flow), flow.target.host});
        }
    }
    return hosts;
}

bool runs_on(const RankIdentity& rank, const SoughtHost& host) {
    if (not host.name.empty() and (same_name(rank.host, host.name) or same_name(short_name(rank.host), host.name))) {
        return true;
    }
    return not host.address.empty() and not loopback(host.address) and
           (same_name(rank.host, host.address) or is_own_address(rank, host.address));
}

}  // namespace groma
