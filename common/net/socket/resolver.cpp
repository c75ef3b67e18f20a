#include "common/net/socket/resolver.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// How often one who waits looks at the clock, and whether the address is still wanted.
constexpr Nanos kLookAgain = std::chrono::milliseconds(50);

[[noreturn]] void not_found(const std::string& host, const std::string& why) {
    throw RunError("cannot find the host " + plain_text(host, 255) + ": " + why);
}

}  // namespace

struct Resolver::Lookup {
    std::string peer;  ///< who asked first
    bool over = false;
    SocketAddress address;
    std::string failure;  ///< empty: there is an address
};

struct Resolver::State {
    ResolverSettings settings;
    std::mutex mutex;  ///< guards all below, and the look-ups
    std::condition_variable answered;
    std::map<std::string, std::shared_ptr<Lookup>> under_way;  ///< by name

    void look_up(const std::string& host, Lookup& lookup) noexcept;
};

void Resolver::State::look_up(const std::string& host, Lookup& lookup) noexcept {
    set_thread_name("groma-lookup");
    SocketAddress address;
    std::string failure;
    try {
        address = settings.look_up(host);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::scoped_lock lock(mutex);
    lookup.address = address;
    lookup.failure = std::move(failure);
    lookup.over = true;
    under_way.erase(host);
    answered.notify_all();
}

Resolver::Resolver(ResolverSettings settings, Clock& clock) : state_(std::make_shared<State>()), clock_(clock) {
    state_->settings = std::move(settings);
}

Resolver::~Resolver() = default;

SocketAddress Resolver::resolve(std::string_view host, std::uint16_t port, const Asker& asker) {
    if (const auto literal = SocketAddress::parse_literal(host)) {
        return literal->with_port(port);
    }
    const MonoTime deadline = clock_.now() + state_->settings.time;
    const std::string name(host);
    std::unique_lock lock(state_->mutex);
    const std::shared_ptr<Lookup> lookup = begin(name, asker.peer);
    while (not lookup->over) {
        if (asker.gave_up and asker.gave_up()) {
            not_found(name, "stopped before there was an answer");
        }
        if (clock_.now() >= deadline) {
            not_found(name,
                      "no answer within " +
                          std::to_string(std::chrono::round<std::chrono::seconds>(state_->settings.time).count()) +
                          " s (check the spelling and /etc/resolv.conf, or give its address)");
        }
        state_->answered.wait_for(lock, kLookAgain);
    }
    if (not lookup->failure.empty()) {
        throw RunError(lookup->failure);
    }
    return lookup->address.with_port(port);
}

/// Requires: the lock.
std::shared_ptr<Resolver::Lookup> Resolver::begin(const std::string& host, const std::string& peer) {
    auto& under_way = state_->under_way;
    if (const auto found = under_way.find(host); found != under_way.end()) {
        return found->second;
    }
    const auto of_peer = static_cast<std::size_t>(
        std::ranges::count_if(under_way, [&peer](const auto& entry) { return entry.second->peer == peer; }));
    const ResolverSettings& settings = state_->settings;
    if (under_way.size() >= settings.lookups or of_peer >= settings.lookups_of_peer) {
        not_found(host, "name servers have not answered for " + std::to_string(under_way.size()) + " other names, " +
                            std::to_string(of_peer) +
                            " of them asked for by the same host (give its address, or try again in a while)");
    }
    const auto lookup = std::make_shared<Lookup>(Lookup{.peer = peer, .over = false, .address = {}, .failure = {}});
    const auto begun = under_way.emplace(host, lookup).first;
    try {
        settings.make_thread([state = state_, host, lookup] { state->look_up(host, *lookup); }).detach();
    } catch (...) {
        under_way.erase(begun);
        throw;
    }
    return lookup;
}

}  // namespace groma
