#include "common/os/thread_maker.hpp"

#include <system_error>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

std::thread make_thread(std::function<void()> body) {
    try {
        return std::thread(std::move(body));
    } catch (const std::system_error& error) {
        throw SystemError("start one more thread", error.code().value(),
                          "make fewer runs at once, or allow more threads: ulimit -u, pids.max of the cgroup");
    }
}

}  // namespace groma
