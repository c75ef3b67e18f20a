// Makes threads. Code that runs many of them takes a maker, so that a test can pass one that fails, as on a full host.
#pragma once

#include <functional>
#include <thread>

namespace groma {

/// Throws: SystemError if no thread can be made.
using ThreadMaker = std::function<std::thread(std::function<void()> body)>;

/// The maker that programs use.
[[nodiscard]] std::thread make_thread(std::function<void()> body);

}  // namespace groma
