// One line on a terminal that is written over again and again; nothing at all in a pipe or a file.
#pragma once

#include <functional>
#include <string>

namespace groma {

class TerminalLine {
public:
    /// `fd`: where it is shown if that is a terminal and `wanted` is set; not owned.
    TerminalLine(int fd, bool wanted);

    /// What shows a line; empty when nothing is to be shown. Refers to this object.
    [[nodiscard]] std::function<void(const std::string&)> shower();

    /// Leaves an empty line, ready for other text.
    void clear();

private:
    void write(const std::string& text) const;

    int fd_;
    bool shown_ = false;
    bool wanted_;
};

}  // namespace groma
