// The peers that have proved a key and are served, so that they can be ended with it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/token.hpp"

namespace groma {

/// Why it is ended.
inline constexpr const char* kKeyIsLost = "its key was removed here, or has expired";

class KeyedPeers {
public:
    struct Peer {
        Token key{};
        std::string caller;               ///< for the operator: "10.0.0.1:4711 with the key lab"
        std::weak_ptr<const void> alive;  ///< `end` may be called as long as this lives
        std::function<void()> end;
    };

    void add(Peer peer);

    /// Ends those whose key is not `valid` any more. Returns: these.
    std::vector<Peer> end_without(const std::function<bool(const Token& key)>& valid);

private:
    std::vector<Peer> peers_;
};

}  // namespace groma
