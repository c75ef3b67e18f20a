#include "decoder/analysis/groups.hpp"

#include <algorithm>
#include <map>

namespace groma {

namespace {

std::string label_of(const std::string& name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    const bool numbered = end != std::string::npos and end > 0 and end + 1 < name.size() and name[end] == '-';
    return numbered ? name.substr(0, end) : name;
}

std::string or_unknown(const std::string& host) {
    return host.empty() ? "?" : host;
}

}  // namespace

std::string group_value(GroupKey key, const FlowResult& flow) {
    switch (key) {
        case GroupKey::hosts:
            return or_unknown(flow.sender) + " > " + or_unknown(flow.receiver);
        case GroupKey::transport:
            return std::string(to_string(flow.spec.transport));
        case GroupKey::profile:
            return flow.spec.profile.empty() ? "none" : flow.spec.profile;
        case GroupKey::label:
            break;
    }
    return label_of(flow.spec.name);
}

std::vector<MemberGroup> grouped(const Members& members, const std::vector<GroupKey>& keys) {
    std::vector<MemberGroup> groups;
    std::map<std::vector<std::string>, std::size_t> places;
    for (Member member : members) {
        std::vector<std::string> values;
        values.reserve(keys.size());
        for (const GroupKey key : keys) {
            values.push_back(group_value(key, *member.result));
        }
        const auto [place, fresh] = places.emplace(values, groups.size());
        if (fresh) {
            groups.push_back({std::move(values), {}});
        }
        Members& group = groups[place->second].members;
        // The receivers of a flow are neighbours.
        member.first_of_flow = group.empty() or group.back().result->spec.id != member.result->spec.id;
        group.push_back(member);
    }
    return groups;
}

}  // namespace groma
