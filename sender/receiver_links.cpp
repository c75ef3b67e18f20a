#include "sender/receiver_links.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <future>

#include "common/base/errors.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr auto kTick = std::chrono::milliseconds(20);

template <typename Value>
struct Answer {
    Value value{};
    std::string error;  ///< empty: `value` counts
};

/// Waits for all futures, or until `give_up`.
template <typename Value>
std::vector<Answer<Value>> collect(std::vector<std::future<Value>> futures, const GiveUp& give_up) {
    std::vector<Answer<Value>> answers(futures.size());
    bool given_up = false;
    for (std::size_t i = 0; i < futures.size(); ++i) {
        while (not given_up and futures[i].wait_for(kTick) != std::future_status::ready) {
            given_up = give_up();
        }
        if (futures[i].wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
            answers[i].error = "interrupted while waiting for a receiver";
            continue;
        }
        try {
            answers[i].value = futures[i].get();
        } catch (const std::exception& error) {
            answers[i].error = error.what();
        }
    }
    return answers;
}

/// Throws: RunError with all that went wrong.
template <typename Value>
std::vector<Value> all_or_throw(std::vector<Answer<Value>> answers) {
    std::vector<Value> values;
    std::string wrong;
    for (Answer<Value>& answer : answers) {
        if (not answer.error.empty() and wrong.find(answer.error) == std::string::npos) {
            wrong += (wrong.empty() ? "" : "\n") + answer.error;
        }
        values.push_back(std::move(answer.value));
    }
    if (not wrong.empty()) {
        throw RunError(wrong);
    }
    return values;
}

}  // namespace

ReceiverLinks::ReceiverLinks(const std::vector<ReceiverPlan>& plans, Clock& clock)
    : io_(1), work_(asio::make_work_guard(io_)) {
    for (const ReceiverPlan& plan : plans) {
        links_.push_back(std::make_unique<ReceiverLink>(io_, plan, clock));
    }
    thread_ = std::thread([this] {
        set_thread_name("groma-control");
        io_.run();
    });
}

ReceiverLinks::~ReceiverLinks() {
    asio::post(io_, [this] {
        for (const auto& link : links_) {
            link->close();
        }
    });
    work_.reset();
    thread_.join();
}

std::vector<OpenedReceiver> ReceiverLinks::open(const Hello& hello, const GiveUp& give_up) {
    std::vector<std::future<OpenedReceiver>> futures;
    futures.reserve(links_.size());
    for (const auto& link : links_) {
        futures.push_back(asio::co_spawn(io_, link->open(hello), asio::use_future));
    }
    return all_or_throw(collect(std::move(futures), give_up));
}

std::vector<std::string> ReceiverLinks::start(const std::vector<Start>& starts, const GiveUp& give_up) {
    check(starts.size() == links_.size(), "each receiver has its start");
    std::vector<std::future<std::string>> futures;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        futures.push_back(asio::co_spawn(io_, links_[i]->start(starts[i]), asio::use_future));
    }
    return all_or_throw(collect(std::move(futures), give_up));
}

std::vector<FinishOutcome> ReceiverLinks::finish(const std::vector<Finish>& finishes, const GiveUp& give_up) {
    check(finishes.size() == links_.size(), "each receiver has its finish");
    std::vector<std::future<FinishedReceiver>> futures;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        futures.push_back(asio::co_spawn(io_, links_[i]->finish(finishes[i]), asio::use_future));
    }
    std::vector<FinishOutcome> outcomes;
    for (Answer<FinishedReceiver>& answer : collect(std::move(futures), give_up)) {
        outcomes.push_back({std::move(answer.value), std::move(answer.error)});
    }
    return outcomes;
}

}  // namespace groma
