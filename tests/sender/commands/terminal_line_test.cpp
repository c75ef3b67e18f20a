// The progress line, on a pseudo-terminal and in a pipe.
#include "sender/commands/terminal_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {
namespace {

class Pipe {
public:
    Pipe() {
        std::array<int, 2> ends{};
        checked("make a pipe", ::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK));
        in_ = FileDescriptor(ends[0]);
        out_ = FileDescriptor(ends[1]);
    }
    [[nodiscard]] int fd() const { return out_.get(); }
    [[nodiscard]] std::string content() const {
        std::string text(1000, '\0');
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(in_.get(), text.data(), text.size()), 0)));
        return text;
    }

private:
    FileDescriptor in_;
    FileDescriptor out_;
};

class Terminal {
public:
    Terminal() : in_(checked("open a terminal", ::posix_openpt(O_RDWR | O_NOCTTY))) {
        checked("grant", ::grantpt(in_.get()));
        checked("unlock", ::unlockpt(in_.get()));
        out_ = FileDescriptor(checked("open its other side", ::open(::ptsname(in_.get()), O_RDWR | O_NOCTTY)));
    }
    [[nodiscard]] int fd() const { return out_.get(); }
    /// The written text. The kernel delivers it in order, but with a delay: it is complete when a mark after it has
    /// come.
    [[nodiscard]] std::string content() const {
        constexpr char mark = '\0';
        checked("write the mark", ::write(out_.get(), &mark, 1));
        std::string text;
        std::array<char, 1000> some{};
        while (text.empty() or text.back() != mark) {
            text.append(some.data(), static_cast<std::size_t>(
                                         checked("read the terminal", ::read(in_.get(), some.data(), some.size()))));
        }
        text.pop_back();
        return text;
    }

private:
    FileDescriptor in_;
    FileDescriptor out_;
};

TEST(TerminalLine, ASentenceStaysAboveTheLineThatIsShown) {
    const Terminal terminal;
    TerminalLine line(terminal.fd(), true);
    const auto show = line.shower();
    ASSERT_TRUE(show);
    show("1 s of 2 s");
    line.say("lost");
    line.clear();
    line.say("over");
    EXPECT_EQ(terminal.content(), "\r\x1b[K1 s of 2 s\r\x1b[Klost\r\n\r\x1b[K1 s of 2 s\r\x1b[Kover\r\n");
}

TEST(TerminalLine, APipeGetsTheSentencesAlone) {
    const Pipe pipe;
    TerminalLine line(pipe.fd(), true);
    EXPECT_FALSE(line.shower());
    line.say("lost");
    line.clear();
    EXPECT_EQ(pipe.content(), "lost\n");
}

TEST(TerminalLine, WhoeverWantsNothingGetsNothing) {
    const Pipe pipe;
    TerminalLine line(pipe.fd(), false);
    line.say("lost");
    EXPECT_EQ(pipe.content(), "");
}

}  // namespace
}  // namespace groma
