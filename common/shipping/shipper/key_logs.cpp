#include "common/shipping/shipper/key_logs.hpp"

#include <cstdint>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/log_part.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

/// Complete, and as its part.
std::uint64_t bytes_of_log(const fs::path& file) noexcept {
    std::uint64_t bytes = 0;
    for (const fs::path& name : {file, fs::path(part_of_log(file.string()))}) {
        std::error_code gone;
        const std::uintmax_t size = fs::file_size(name, gone);
        bytes += gone ? 0 : size;
    }
    return bytes;
}

}  // namespace

/// Those of one key. Thread: any.
class KeyLogs::Logs {
public:
    /// Returns: why there is no room for so many bytes more; empty: there is, and they count from now on.
    [[nodiscard]] std::string take(std::uint64_t bytes, const Grant& grant) {
        const std::scoped_lock lock(mutex_);
        const std::uint64_t most = grant.limits.log_bytes->count;
        const auto fit = [&] { return written_ + kept_ <= most and bytes <= most - written_ - kept_; };
        if (not fit()) {
            count();
        }
        if (not fit()) {
            return fullness_in_words(grant, Bytes{written_ + kept_});
        }
        written_ += bytes;
        return {};
    }

    /// A log of so many bytes is not written any more.
    void end(std::uint64_t bytes, const fs::path& file) {
        const std::scoped_lock lock(mutex_);
        written_ -= bytes;
        if (not file.empty()) {
            std::uint64_t& known = files_[file];
            kept_ -= std::exchange(known, bytes_of_log(file));
            kept_ += known;
        }
    }

private:
    /// Others remove logs as well.
    void count() {
        kept_ = 0;
        for (auto one = files_.begin(); one != files_.end();) {
            one->second = bytes_of_log(one->first);
            kept_ += one->second;
            one = one->second == 0 ? files_.erase(one) : std::next(one);
        }
    }

    std::mutex mutex_;
    std::uint64_t written_ = 0;  ///< of logs that are being written
    std::uint64_t kept_ = 0;     ///< of files_, when they were counted
    std::map<fs::path, std::uint64_t> files_;
};

class KeyLogs::LimitedLog final : public LogSink {
public:
    LimitedLog(std::unique_ptr<LogSink> log, fs::path file, Grant grant, std::shared_ptr<Logs> all)
        : log_(std::move(log)), file_(std::move(file)), grant_(std::move(grant)), all_(std::move(all)) {}
    LimitedLog(const LimitedLog&) = delete;
    LimitedLog& operator=(const LimitedLog&) = delete;
    ~LimitedLog() override {
        log_.reset();  // its file has its last size then
        all_->end(bytes_, file_);
    }

    void append(std::span<const std::byte> piece) override {
        full_ = full_.empty() ? all_->take(piece.size(), grant_) : full_;
        require_room();
        bytes_ += piece.size();
        log_->append(piece);
    }

    void close() override {
        require_room();
        log_->close();
    }

    void abandon() noexcept override { log_->abandon(); }
    [[nodiscard]] std::string describe() const override { return log_->describe(); }

private:
    void require_room() const {
        if (not full_.empty()) {
            throw RunError(full_);
        }
    }

    std::unique_ptr<LogSink> log_;
    fs::path file_;
    Grant grant_;
    std::shared_ptr<Logs> all_;
    std::uint64_t bytes_ = 0;
    std::string full_;  ///< why it takes nothing more; empty: it does
};

std::unique_ptr<LogSink> KeyLogs::within_limits(std::unique_ptr<LogSink> log, const fs::path& file,
                                                const std::optional<Grant>& key) {
    if (not key or not key->limits.log_bytes) {
        return log;
    }
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Logs>& all = logs_[key->name];
    if (all == nullptr) {
        all = std::make_shared<Logs>();
    }
    return std::make_unique<LimitedLog>(std::move(log), file, *key, all);
}

}  // namespace groma
