// A progress line on a terminal, overwritten in place, with permanent sentences above it. A pipe or a file gets no
// progress line. Thread: any.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace groma {

class TerminalLine {
public:
    /// `fd`: not owned. `wanted`: whether to write anything.
    TerminalLine(int fd, bool wanted);

    /// The function that shows a line; empty without a terminal or if not wanted. Refers to this object.
    [[nodiscard]] std::function<void(const std::string&)> shower();

    /// Writes a permanent sentence on its own line.
    void say(const std::string& sentence);

    /// Clears the line for other text.
    void clear();

private:
    void write(const std::string& text) const;

    const int fd_;
    const bool wanted_;
    std::mutex mutex_;   ///< guards shown_ and the terminal
    std::string shown_;  ///< including the code that makes room for it; empty: no line shown
};

}  // namespace groma
