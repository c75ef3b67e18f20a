// One line on a terminal that is written over again and again, and sentences that stay above it; of the line, nothing
// at all in a pipe or a file. Thread: any.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace groma {

class TerminalLine {
public:
    /// `fd`: not owned. `wanted`: whether anything is to be written.
    TerminalLine(int fd, bool wanted);

    /// What shows a line; empty when there is no terminal, or nothing is wanted. Refers to this object.
    [[nodiscard]] std::function<void(const std::string&)> shower();

    /// Writes a sentence that stays, on a line of its own.
    void say(const std::string& sentence);

    /// Leaves an empty line, ready for other text.
    void clear();

private:
    void write(const std::string& text) const;

    const int fd_;
    const bool wanted_;
    std::mutex mutex_;   ///< guards shown_ and the terminal
    std::string shown_;  ///< with the code that makes room for it; empty: nothing is shown
};

}  // namespace groma
