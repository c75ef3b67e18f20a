#include "sender/plan/flow_secrets.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "common/access/random_secret.hpp"

namespace groma {

namespace {

FlowSecret random_key(FlowId flow) {
    const Secret random = random_secret();
    FlowSecret secret{.flow = flow};
    std::ranges::copy(random.bytes().first<std::tuple_size_v<Token>>(), secret.key.begin());
    return secret;
}

}  // namespace

FlowSecrets draw_secrets(const std::vector<FlowSpec>& to_one_receiver, FlowSecrets& all) {
    FlowSecrets secrets;
    std::map<std::pair<Transport, std::uint32_t>, FlowSecret> associations;
    for (const FlowSpec& flow : to_one_receiver) {
        if (flow.seal != Sealing::on) {
            continue;
        }
        const auto known = all.find(flow.id);
        FlowSecret secret = known != all.end() ? known->second : random_key(flow.id);
        if (const auto number = flow.options.association) {
            secret.key = associations.emplace(std::pair(flow.transport, *number), secret).first->second.key;
        }
        secrets.emplace(flow.id, secret);
        all.emplace(flow.id, secret);
    }
    return secrets;
}

}  // namespace groma
