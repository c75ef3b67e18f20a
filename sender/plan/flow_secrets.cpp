#include "sender/plan/flow_secrets.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

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

FlowSecrets draw_secrets(const std::vector<FlowSpec>& flows) {
    FlowSecrets secrets;
    std::map<std::tuple<Transport, std::uint32_t, std::string, std::uint16_t>, Token> associations;
    for (const FlowSpec& flow : flows) {
        if (flow.seal != Sealing::on) {
            continue;
        }
        Token& secret = secrets[flow.id] = random_token();
        if (const auto number = flow.options.association) {
            const auto shared = associations.emplace(
                std::tuple(flow.transport, *number, flow.target.host, flow.target.control_port), secret);
            secret = shared.first->second;
        }
    }
    return secrets;
}

}  // namespace groma
