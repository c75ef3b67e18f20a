#include "common/shipping/shipper/key_logs.hpp"

#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/log_part.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_of(const fs::path& file) noexcept {
    std::error_code gone;
    const std::uintmax_t size = fs::file_size(file, gone);
    return gone ? 0 : size;
}

}  // namespace

/// Those of one key. Thread: any.
class KeyLogs::Logs {
public:
    void begin(const fs::path& file) {
        const std::scoped_lock lock(mutex_);
        being_written_.insert(file);
    }

    /// Returns: why there is no room for so many bytes more; empty: there is, and they count from now on.
    [[nodiscard]] std::string take(std::uint64_t bytes, const Grant& grant) {
        const std::scoped_lock lock(mutex_);
        if (not fit(bytes, grant)) {
            count();
        }
        if (not fit(bytes, grant)) {
            return fullness_in_words(grant, Bytes{written_ + kept_});
        }
        written_ += bytes;
        return {};
    }

    /// A log of so many bytes is not written any more.
    void end(std::uint64_t bytes, const fs::path& file) {
        const std::scoped_lock lock(mutex_);
        written_ -= bytes;
        being_written_.erase(being_written_.find(file));
        if (file.empty()) {
            return;
        }
        keep(file);
        if (files_.size() > 2 * counted_ + kFewFiles) {
            count();
        }
    }

    /// Another's log has this name by now.
    void forget(const fs::path& file) {
        const std::scoped_lock lock(mutex_);
        if (const auto found = files_.find(file); found != files_.end()) {
            kept_ -= found->second;
            files_.erase(found);
        }
    }

private:
    static constexpr std::size_t kFewFiles = 100;

    [[nodiscard]] bool fit(std::uint64_t bytes, const Grant& grant) const {
        const std::uint64_t used = written_ + kept_;
        return not grant.limits.log_bytes or
               (used <= grant.limits.log_bytes->count and bytes <= grant.limits.log_bytes->count - used);
    }

    /// What is on the disk of it: the log, and its part unless that is being written.
    [[nodiscard]] std::uint64_t on_disk(const fs::path& file) const {
        return bytes_of(file) + (being_written_.contains(file) ? 0 : bytes_of(part_of_log(file.string())));
    }

    void keep(const fs::path& file) {
        std::uint64_t& known = files_[file];
        kept_ -= std::exchange(known, on_disk(file));
        kept_ += known;
        if (known == 0) {
            files_.erase(file);
        }
    }

    /// Others remove logs as well.
    void count() {
        kept_ = 0;
        for (auto one = files_.begin(); one != files_.end();) {
            one->second = on_disk(one->first);
            kept_ += one->second;
            one = one->second == 0 ? files_.erase(one) : std::next(one);
        }
        counted_ = files_.size();
    }

    std::mutex mutex_;
    std::uint64_t written_ = 0;                ///< of logs that are being written
    std::multiset<fs::path> being_written_;    ///< their files; empty for one that is not here
    std::uint64_t kept_ = 0;                   ///< of files_, when they were counted
    std::map<fs::path, std::uint64_t> files_;  ///< of logs that were written
    std::size_t counted_ = 0;                  ///< of files_, the last time
};

class KeyLogs::LimitedLog final : public LogSink {
public:
    LimitedLog(std::unique_ptr<LogSink> log, fs::path file, Grant grant, std::shared_ptr<Logs> all)
        : log_(std::move(log)), file_(std::move(file)), grant_(std::move(grant)), all_(std::move(all)) {
        all_->begin(file_);
    }
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
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, logs] : logs_) {
        if (not key or name != key->name) {
            logs->forget(file);
        }
    }
    if (not key) {
        return log;
    }
    std::shared_ptr<Logs>& all = logs_[key->name];
    if (all == nullptr) {
        all = std::make_shared<Logs>();
    }
    return std::make_unique<LimitedLog>(std::move(log), file, *key, all);
}

}  // namespace groma
