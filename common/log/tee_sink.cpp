#include "common/log/tee_sink.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

class NullSink final : public LogSink {
public:
    void append(std::span<const std::byte> /*piece*/) override {}
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "no log"; }
};

class TeeSink final : public LogSink {
public:
    explicit TeeSink(std::vector<std::unique_ptr<LogSink>> sinks) {
        for (auto& sink : sinks) {
            branches_.push_back({std::move(sink), {}});
        }
    }

    void append(std::span<const std::byte> piece) override {
        for_each_sound([&](LogSink& sink) { sink.append(piece); });
        const bool any_left = std::ranges::any_of(branches_, [](const Branch& branch) { return branch.error.empty(); });
        if (not any_left and not branches_.empty()) {
            throw RunError(all_errors());
        }
    }

    void close() override {
        for_each_sound([](LogSink& sink) { sink.close(); });
        if (const std::string errors = all_errors(); not errors.empty()) {
            throw RunError(errors);
        }
    }

    void abandon() noexcept override {
        for (const Branch& branch : branches_) {
            branch.sink->abandon();
        }
    }

    [[nodiscard]] std::string describe() const override {
        std::string text;
        for (const Branch& branch : branches_) {
            text += (text.empty() ? "" : " and ") + branch.sink->describe();
        }
        return text;
    }

private:
    struct Branch {
        std::unique_ptr<LogSink> sink;
        std::string error;  ///< why it failed; empty while it works
    };

    template <typename Action>
    void for_each_sound(Action action) {
        for (Branch& branch : branches_) {
            if (not branch.error.empty()) {
                continue;
            }
            try {
                action(*branch.sink);
            } catch (const std::exception& error) {
                branch.error = "the log in " + branch.sink->describe() + " is not complete: " + error.what();
            }
        }
    }

    [[nodiscard]] std::string all_errors() const {
        std::string text;
        for (const Branch& branch : branches_) {
            if (not branch.error.empty()) {
                text += (text.empty() ? "" : "\n") + branch.error;
            }
        }
        return text;
    }

    std::vector<Branch> branches_;
};

}  // namespace

std::unique_ptr<LogSink> tee(std::vector<std::unique_ptr<LogSink>> sinks) {
    return std::make_unique<TeeSink>(std::move(sinks));
}

std::unique_ptr<LogSink> null_sink() {
    return std::make_unique<NullSink>();
}

}  // namespace groma
