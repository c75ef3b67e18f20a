#include "common/control/lobby.hpp"

#include <algorithm>
#include <utility>

namespace groma {

std::string source_of(const SocketAddress& peer) {
    constexpr std::size_t kNetworkBytes = 8;
    if (peer.is_loopback()) {
        return "loopback";
    }
    const HostKey key = peer.host_key();
    const std::size_t bytes = peer.is_ipv4() ? key.size() : kNetworkBytes;
    return {key.begin(), key.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

Lobby::Place::~Place() {
    if (waiting_->must_go) {
        lobby_.leaving_.erase(waiting_);
    } else {
        lobby_.forget(waiting_->host);
        lobby_.waiting_.erase(waiting_);
    }
}

Lobby::Place Lobby::enter(const std::string& host, std::function<void()> leave) {
    if (waiting_.size() >= places_) {
        const auto most = std::ranges::max_element(of_host_, {}, [](const auto& one) { return one.second; })->second;
        send_away(std::ranges::find_if(
            waiting_, [this, most](const Waiting& one) { return of_host_.find(one.host)->second == most; }));
    }
    ++of_host_[host];
    waiting_.push_back({.host = host, .leave = std::move(leave)});
    return {*this, std::prev(waiting_.end())};
}

void Lobby::clear() {
    while (not waiting_.empty()) {
        send_away(waiting_.begin());
    }
}

void Lobby::send_away(std::list<Waiting>::iterator one) {
    forget(one->host);
    one->must_go = true;
    leaving_.splice(leaving_.end(), waiting_, one);
    one->leave();
}

void Lobby::forget(const std::string& host) {
    const auto own = of_host_.find(host);
    if (--own->second == 0) {
        of_host_.erase(own);
    }
}

}  // namespace groma
