// A simulated serial port: a character device in user space (CUSE, linux/fuse.h). It prints which of its control lines
// are raised and dropped, a line each ("raise 6", "drop 6"; TIOCM_ bits), after "ready". Arguments: /dev/cuse, the
// device's name.
#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

class Port {
public:
    Port(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

    bool answer_one() {
        std::array<char, 1 << 17> buffer{};
        const ssize_t size = ::read(fd_, buffer.data(), buffer.size());
        fuse_in_header header{};
        if (size < static_cast<ssize_t>(sizeof header)) {
            return size < 0 and (errno == EINTR or errno == EAGAIN);
        }
        std::memcpy(&header, buffer.data(), sizeof header);
        const char* const body = buffer.data() + sizeof header;
        switch (header.opcode) {
            case CUSE_INIT:
                begin(header);
                break;
            case FUSE_OPEN:
                reply(header, fuse_open_out{});
                break;
            case FUSE_IOCTL:
                control(header, body);
                break;
            case FUSE_RELEASE:
                reply_error(header, 0);
                break;
            case FUSE_INTERRUPT:
                break;
            default:
                reply_error(header, -ENOSYS);
        }
        return true;
    }

private:
    void begin(const fuse_in_header& header) {
        cuse_init_out init{};
        init.major = FUSE_KERNEL_VERSION;
        init.minor = FUSE_KERNEL_MINOR_VERSION;
        init.flags = CUSE_UNRESTRICTED_IOCTL;
        init.max_read = 4096;
        init.max_write = 4096;
        const std::string device = "DEVNAME=" + name_ + '\0';
        reply(header, init, device.data(), device.size());
        say("ready", 0);
    }

    // The lines are behind a pointer of the caller's: the kernel gets the pointer, and calls again with them.
    void control(const fuse_in_header& header, const char* body) {
        fuse_ioctl_in in{};
        std::memcpy(&in, body, sizeof in);
        fuse_ioctl_out out{};
        if (in.cmd != TIOCMBIS and in.cmd != TIOCMBIC) {
            reply_error(header, -ENOTTY);
        } else if (in.in_size < sizeof(int)) {
            out.flags = FUSE_IOCTL_RETRY;
            out.in_iovs = 1;
            const fuse_ioctl_iovec where{.base = in.arg, .len = sizeof(int)};
            reply(header, out, &where, sizeof where);
        } else {
            int lines = 0;
            std::memcpy(&lines, body + sizeof in, sizeof lines);
            say(in.cmd == TIOCMBIS ? "raise" : "drop", lines);
            reply(header, out);
        }
    }

    static void say(const char* what, int lines) {
        std::printf("%s %d\n", what, lines);
        std::fflush(stdout);
    }

    void reply_error(const fuse_in_header& header, int error) { write_all(header, error, {}); }

    template <typename Body>
    void reply(const fuse_in_header& header, const Body& body, const void* more = nullptr, std::size_t more_size = 0) {
        std::vector<char> bytes(sizeof body + more_size);
        std::memcpy(bytes.data(), &body, sizeof body);
        if (more_size > 0) {
            std::memcpy(bytes.data() + sizeof body, more, more_size);
        }
        write_all(header, 0, bytes);
    }

    void write_all(const fuse_in_header& header, int error, const std::vector<char>& body) {
        fuse_out_header out{};
        out.len = static_cast<std::uint32_t>(sizeof out + body.size());
        out.error = error;
        out.unique = header.unique;
        std::vector<char> bytes(out.len);
        std::memcpy(bytes.data(), &out, sizeof out);
        std::copy(body.begin(), body.end(), bytes.begin() + sizeof out);
        if (::write(fd_, bytes.data(), bytes.size()) < 0) {
            std::perror("answer the kernel");
        }
    }

    int fd_;
    std::string name_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: serial_port /dev/cuse NAME\n");
        return 2;
    }
    const int fd = ::open(argv[1], O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        std::perror("open /dev/cuse");
        return 1;
    }
    Port port(fd, argv[2]);
    while (port.answer_one()) {
    }
    return 1;
}
