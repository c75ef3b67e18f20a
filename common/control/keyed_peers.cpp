#include "common/control/keyed_peers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace groma {

void KeyedPeers::add(Peer peer) {
    if (peers_.size() == peers_.capacity()) {
        std::erase_if(peers_, [](const Peer& one) { return one.alive.expired(); });
    }
    peers_.push_back(std::move(peer));
}

std::vector<KeyedPeers::Peer> KeyedPeers::end_without(const std::function<bool(const Token& key)>& valid) {
    const auto lost = std::ranges::stable_partition(peers_, [&valid](const Peer& peer) { return valid(peer.key); });
    std::vector<Peer> ended(std::make_move_iterator(lost.begin()), std::make_move_iterator(lost.end()));
    peers_.erase(lost.begin(), lost.end());
    std::erase_if(ended, [](const Peer& peer) { return peer.alive.expired(); });
    for (const Peer& peer : ended) {
        peer.end();
    }
    return ended;
}

}  // namespace groma
