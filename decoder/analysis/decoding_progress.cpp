#include "decoder/analysis/decoding_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "common/base/plain_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kWorthALine = 32U << 20;  // bytes: less is read in about a second
constexpr Nanos kBetweenLines{250'000'000};

}  // namespace

std::string progress_line(const std::string& log, std::uint64_t done, std::uint64_t all, Nanos elapsed) {
    const double seconds = to_seconds(elapsed);
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    const std::uint64_t rest = all - std::min(all, done);
    std::string line = fmt::format("reading {}: {} of {}", plain_text(log, 60), human_bytes(done), human_bytes(all));
    if (rate >= 1) {
        const Nanos left{static_cast<std::int64_t>(std::min(static_cast<double>(rest) / rate * 1e9, 1e18))};
        line += fmt::format(", {}/s, {} left", human_bytes(static_cast<std::uint64_t>(rate)), human_time(left));
    }
    return line;
}

DecodingProgress::DecodingProgress(std::uint64_t all_bytes, bool quiet, Clock& clock)
    : clock_(clock),
      all_bytes_(all_bytes),
      silent_(quiet or all_bytes < kWorthALine or ::isatty(STDERR_FILENO) == 0),
      started_(clock_.now()),
      shown_(started_) {}

ReadProgress DecodingProgress::callback() {
    if (silent_) {
        return {};
    }
    return [this](const LogSource& log, std::uint64_t bytes) { show(log, bytes); };
}

void DecodingProgress::show(const LogSource& log, std::uint64_t bytes) {
    if (log_ != &log) {
        finished_bytes_ += log_ == nullptr ? 0 : log_->bytes;
        log_ = &log;
    }
    const MonoTime now = clock_.now();
    if (now - shown_ < kBetweenLines) {
        return;
    }
    shown_ = now;
    visible_ = true;
    const std::string line = progress_line(log.name, finished_bytes_ + bytes, all_bytes_, now - started_);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
}

void DecodingProgress::end() {
    if (visible_) {
        std::fputs("\r\033[K", stderr);
    }
}

}  // namespace groma
