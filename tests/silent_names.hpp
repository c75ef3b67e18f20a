// Name servers of a test: some names have no answer until the test ends.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Names that begin with "slow" have no answer before release(); all others are at 127.0.0.1 at once.
class SilentNames {
public:
    SilentNames() = default;
    SilentNames(const SilentNames&) = delete;
    SilentNames& operator=(const SilentNames&) = delete;
    ~SilentNames() { release(); }

    /// Outlives the names: detached threads may be in it.
    [[nodiscard]] std::function<SocketAddress(const std::string&)> look_up() const {
        return [state = state_](const std::string& host) { return answer(*state, host); };
    }

    void release() {
        const std::scoped_lock lock(state_->mutex);
        state_->released = true;
        state_->changed.notify_all();
    }

    /// Returns when this number of names was requested in total.
    void wait_for(std::size_t asked) {
        std::unique_lock lock(state_->mutex);
        state_->changed.wait(lock, [&] { return state_->asked >= asked; });
    }
    [[nodiscard]] std::size_t asked() const {
        const std::scoped_lock lock(state_->mutex);
        return state_->asked;
    }

private:
    struct State {
        std::mutex mutex;  ///< guards all below
        std::condition_variable changed;
        std::size_t asked = 0;
        bool released = false;
    };

    static SocketAddress answer(State& state, const std::string& host) {
        std::unique_lock lock(state.mutex);
        ++state.asked;
        state.changed.notify_all();
        state.changed.wait(lock, [&] { return state.released or not host.starts_with("slow"); });
        return SocketAddress::from_literal("127.0.0.1", 0);
    }

    std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace groma
