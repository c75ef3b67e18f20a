#include "common/log/limited_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

struct Kept {
    std::string text;
    bool closed = false;
    bool abandoned = false;
};

class KeepingSink final : public LogSink {
public:
    explicit KeepingSink(Kept& kept) : kept_(kept) {}

    void append(std::span<const std::byte> piece) override {
        kept_.text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    void close() override { kept_.closed = true; }
    void abandon() noexcept override { kept_.abandoned = true; }
    [[nodiscard]] std::string describe() const override { return "recv.glog"; }

private:
    Kept& kept_;
};

class LimitedSinkTest : public testing::Test {
protected:
    std::string error_of_append(std::string_view text) {
        try {
            sink_->append(std::as_bytes(std::span(text)));
        } catch (const RunError& error) {
            return error.what();
        }
        return {};
    }

    Kept kept_;
    std::unique_ptr<LogSink> sink_ = limited_sink(std::make_unique<KeepingSink>(kept_), 10, [](std::uint64_t bytes) {
        return "no more than " + std::to_string(bytes) + " bytes";
    });
};

TEST_F(LimitedSinkTest, TakesAllThatItMayAndIsComplete) {
    EXPECT_EQ(error_of_append("12345678"), "");
    EXPECT_EQ(error_of_append("90"), "");
    sink_->close();
    EXPECT_EQ(kept_.text, "1234567890");
    EXPECT_TRUE(kept_.closed);
    EXPECT_EQ(sink_->describe(), "recv.glog");
}

TEST_F(LimitedSinkTest, TakesNothingAfterAPieceThatDoesNotFitAndStaysIncomplete) {
    EXPECT_EQ(error_of_append("12345678"), "");
    EXPECT_EQ(error_of_append("9ab"), "no more than 8 bytes");
    EXPECT_EQ(error_of_append("9"), "no more than 8 bytes") << "a gap would be in it";
    EXPECT_THROW(sink_->close(), RunError);
    EXPECT_EQ(kept_.text, "12345678");
    EXPECT_FALSE(kept_.closed);
    sink_->abandon();
    EXPECT_TRUE(kept_.abandoned);
}

}  // namespace
}  // namespace groma
