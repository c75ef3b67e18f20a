#include "sender/plan/flow_secrets.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "common/access/random_secret.hpp"

namespace groma {

namespace {

Token random_token() {
    const Secret secret = random_secret();
    Token token{};
    std::ranges::copy(secret.bytes().first<token.size()>(), token.begin());
    return token;
}

}  // namespace

FlowSecrets draw_secrets(const std::vector<FlowSpec>& to_one_receiver, FlowSecrets& all) {
    FlowSecrets secrets;
    std::map<std::pair<Transport, std::uint32_t>, Token> associations;
    for (const FlowSpec& flow : to_one_receiver) {
        if (flow.seal != Sealing::on) {
            continue;
        }
        const auto known = all.find(flow.id);
        Token secret = known != all.end() ? known->second : random_token();
        if (const auto number = flow.options.association) {
            secret = associations.emplace(std::pair(flow.transport, *number), secret).first->second;
        }
        secrets.emplace(flow.id, secret);
        all.emplace(flow.id, secret);
    }
    return secrets;
}

}  // namespace groma
