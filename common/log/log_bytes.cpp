#include "common/log/log_bytes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "common/log/open_log.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr std::size_t kReadSize = 256 * 1024;

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& file, WaitForMore wait_for_more, std::uint64_t most)
    : file_(file), fd_(open_log(file)), wait_for_more_(std::move(wait_for_more)), most_(most) {}

std::span<const std::byte> FileBytes::peek(std::size_t size) {
    if (end_ - begin_ < size and not at_end_) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
        while (end_ < size and not at_end_) {
            read_more();
        }
    }
    return std::span<const std::byte>(buffer_).subspan(begin_, end_ - begin_);
}

void FileBytes::read_more() {
    buffer_.resize(std::max(buffer_.size(), end_ + kReadSize));
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - end_, most_ - read_));
    ssize_t got = 0;
    do {
        got = ::read(fd_.get(), buffer_.data() + end_, room);
    } while (got < 0 and errno == EINTR);
    end_ += static_cast<std::size_t>(checked("read " + file_.string(), got));
    read_ += static_cast<std::uint64_t>(got);
    at_end_ = got == 0 and not(wait_for_more_ and wait_for_more_(read_));
}

}  // namespace groma
