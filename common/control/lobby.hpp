// Connections whose peers have not proved a key yet: a bounded number. When another comes, the oldest of the hosts that
// have most must go, so that who opens very many keeps nobody else out. Thread: one.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <string>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// All addresses that one host has without effort: those of loopback, those of an IPv6 network (RFC 4291, 2.5.4).
[[nodiscard]] std::string source_of(const SocketAddress& peer);

class Lobby {
    struct Waiting {
        std::string host;
        std::function<void()> leave;
        bool must_go = false;
    };

public:
    explicit Lobby(std::size_t places) : places_(places) {}
    Lobby(const Lobby&) = delete;
    Lobby& operator=(const Lobby&) = delete;

    /// Free again when it is destroyed. The lobby outlives it.
    class Place {
    public:
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place();

    private:
        friend class Lobby;
        Place(Lobby& lobby, std::list<Waiting>::iterator waiting) : lobby_(lobby), waiting_(waiting) {}

        Lobby& lobby_;
        std::list<Waiting>::iterator waiting_;
    };

    /// `leave` closes the connection; it is called when another needs the place, from another's enter(), once.
    [[nodiscard]] Place enter(const std::string& host, std::function<void()> leave);
    /// All must go.
    void clear();

private:
    void send_away(std::list<Waiting>::iterator one);
    void forget(const std::string& host);

    std::size_t places_;
    std::list<Waiting> waiting_;                  ///< the oldest first
    std::list<Waiting> leaving_;                  ///< those that must go, until they are gone
    std::map<std::string, std::size_t> of_host_;  ///< of those that wait
};

}  // namespace groma
