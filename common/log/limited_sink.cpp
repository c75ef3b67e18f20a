#include "common/log/limited_sink.hpp"

#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

class LimitedSink final : public LogSink {
public:
    LimitedSink(std::unique_ptr<LogSink> sink, std::uint64_t most_bytes, FullnessInWords why)
        : sink_(std::move(sink)), most_(most_bytes), why_(std::move(why)) {}

    void append(std::span<const std::byte> piece) override {
        full_ = full_ or piece.size() > most_ - bytes_;
        require_room();
        sink_->append(piece);
        bytes_ += piece.size();
    }

    void close() override {
        require_room();
        sink_->close();
    }

    void abandon() noexcept override { sink_->abandon(); }
    [[nodiscard]] std::string describe() const override { return sink_->describe(); }

private:
    void require_room() const {
        if (full_) {
            throw RunError(why_(bytes_));
        }
    }

    std::unique_ptr<LogSink> sink_;
    std::uint64_t most_;
    FullnessInWords why_;
    std::uint64_t bytes_ = 0;  ///< at most most_
    bool full_ = false;
};

}  // namespace

std::unique_ptr<LogSink> limited_sink(std::unique_ptr<LogSink> sink, std::uint64_t most_bytes, FullnessInWords why) {
    return std::make_unique<LimitedSink>(std::move(sink), most_bytes, std::move(why));
}

}  // namespace groma
