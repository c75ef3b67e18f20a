// Runs the work of a log server that may block on its disk, without delay for connections.
#pragma once

#include <functional>

namespace groma {

class Background {
public:
    Background() = default;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    virtual ~Background() = default;

    /// Runs `work`, then `done` on the server's thread, possibly before run() returns.
    /// Requires: the previous work is done; `work` does not throw.
    virtual void run(std::function<void()> work, std::function<void()> done) = 0;
};

/// For tests and tools: runs immediately on the caller's thread.
class InlineBackground final : public Background {
public:
    void run(std::function<void()> work, std::function<void()> done) override {
        work();
        done();
    }
};

}  // namespace groma
