// Makes threads. Who runs many of them takes a maker, so that a test can give one that fails, as a full host does.
#pragma once

#include <functional>
#include <thread>

namespace groma {

/// Throws: SystemError when there is no thread to be had.
using ThreadMaker = std::function<std::thread(std::function<void()> body)>;

/// The maker that programs use.
[[nodiscard]] std::thread make_thread(std::function<void()> body);

}  // namespace groma
