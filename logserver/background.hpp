// Where a log server does what may wait for its disk, so that no connection waits with it.
#pragma once

#include <functional>

namespace groma {

class Background {
public:
    Background() = default;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    virtual ~Background() = default;

    /// Runs `work`, and then `done` on the server's thread, which may be before run() returns.
    /// Requires: the work before is done; `work` does not throw.
    virtual void run(std::function<void()> work, std::function<void()> done) = 0;
};

/// For tests and tools: at once, on the caller's thread.
class InlineBackground final : public Background {
public:
    void run(std::function<void()> work, std::function<void()> done) override {
        work();
        done();
    }
};

}  // namespace groma
