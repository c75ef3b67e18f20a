#include "sender/links/receiver_links.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <future>
#include <utility>

#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"
#include "common/os/process.hpp"
#include "common/os/thread_maker.hpp"
#include "sender/links/reception.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr auto kTick = std::chrono::milliseconds(20);

constexpr Nanos kLineInterval = std::chrono::seconds(1);
constexpr Nanos kResumePause = std::chrono::milliseconds(500);

/// "the receivers beta, gamma".
std::string in_words(const std::vector<std::string>& names) {
    if (names.size() == 1) {
        return names.front().empty() ? "a receiver" : "the receiver " + names.front();
    }
    std::string text = "the receivers ";
    for (const std::string& name : names) {
        text.append(&name == names.data() ? "" : ", ").append(name);
    }
    return text;
}

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

ReceiverLinks::ReceiverLinks(const std::vector<ReceiverPlan>& plans, Clock& clock, const SessionTimes& times)
    : io_(1), clock_(clock), times_(times), work_(asio::make_work_guard(io_)) {
    for (const ReceiverPlan& plan : plans) {
        links_.push_back(std::make_unique<ReceiverLink>(io_, plan, clock, times_));
    }
    thread_ = make_thread([this] {
        set_thread_name("groma-control");
        io_.run();
    });
}

ReceiverLinks::~ReceiverLinks() {
    asio::post(io_, [this] {
        for (const auto& link : links_) {
            link->close();
        }
        for (const auto& link : gone_) {
            link->close();
        }
    });
    work_.reset();
    thread_.join();
}

bool ReceiverLinks::seated(std::size_t which) const {
    return links_[which]->plan().address.valid() and not links_[which]->lost();
}

std::size_t ReceiverLinks::seat_of(const std::string& name) const {
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const std::string& awaited = links_[i]->plan().name;
        if (awaited == name or (awaited.empty() and not seated(i))) {
            return i;
        }
    }
    return links_.size();
}

std::vector<std::string> ReceiverLinks::missing() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (not seated(i)) {
            names.push_back(links_[i]->plan().name);
        }
    }
    return names;
}

std::string ReceiverLinks::refusal(const std::string& name) const {
    const std::size_t which = seat_of(name);
    if (which < links_.size()) {
        return seated(which) ? "a receiver called '" + name + "' has called already" : "";
    }
    const std::vector<std::string> names = missing();
    return "this sender awaits no receiver called '" + name + "': it awaits " +
           (names.empty() ? "no further receiver" : in_words(names)) + " (groma-recv --as NAME)";
}

void ReceiverLinks::replace(std::unique_ptr<ReceiverLink>& link, ReceiverPlan plan) {
    std::erase_if(gone_, [](const auto& one) { return one->at_rest(); });
    gone_.push_back(std::exchange(link, std::make_unique<ReceiverLink>(io_, std::move(plan), clock_, times_)));
}

// A receiver that went while others were awaited starts from the beginning when it calls again.
void ReceiverLinks::seat(const std::string& name, ControlConnection connection) {
    std::unique_ptr<ReceiverLink>& link = links_[seat_of(name)];
    if (link->plan().address.valid()) {
        replace(link, link->take_plan());
    }
    link->adopt(std::move(connection), name);
}

void ReceiverLinks::await(const Awaiting& awaiting, const GiveUp& give_up) {
    Reception reception(
        io_, awaiting.listen, times_,
        {.clock = clock_,
         .keys = awaiting.keys,
         .refusal = [this](const std::string& name) { return refusal(name); },
         .seat = [this](const std::string& name, ControlConnection connection) { seat(name, std::move(connection)); }});
    const auto missing_now = [this] { return asio::post(io_, asio::use_future([this] { return missing(); })).get(); };
    std::vector<std::string> names = missing_now();
    if (awaiting.say) {
        awaiting.say("awaiting " + in_words(names) + " on " + reception.where());
    }
    const MonoTime begin = clock_.now();
    MonoTime next_line = begin + kLineInterval;
    while (not names.empty()) {
        for (const std::string& line : reception.take_lines()) {
            if (awaiting.say) {
                awaiting.say(line);
            }
        }
        if (give_up()) {
            throw RunError("interrupted while waiting for " + in_words(names));
        }
        const MonoTime now = clock_.now();
        if (now - begin >= awaiting.limit) {
            throw RunError(in_words(names) + " did not call within " + human_time(awaiting.limit) +
                           ": is groma-recv --dial running there, can it reach " + reception.where() +
                           ", and is its name right (--as NAME)?");
        }
        if (awaiting.show_progress and now >= next_line) {
            awaiting.show_progress("awaiting " + in_words(names) + ", " +
                                   human_time(std::chrono::round<std::chrono::seconds>(now - begin)) + " of " +
                                   human_time(awaiting.limit));
            next_line += kLineInterval;
        }
        clock_.sleep_until(now + kTick);
        names = missing_now();
    }
}

void ReceiverLinks::await_call(AwaitedCall& call, const std::string& name, Nanos limit, const GiveUp& give_up) {
    const MonoTime end = clock_.now() + limit;
    while (true) {
        if (std::optional<ControlConnection> connection = call.take(io_, times_, clock_)) {
            const auto adopt = [&] { links_.front()->adopt(*std::move(connection), name); };
            asio::post(io_, asio::use_future(adopt)).get();
            return;
        }
        if (give_up()) {
            throw RunError("interrupted while waiting for the call of " + name);
        }
        if (clock_.now() >= end) {
            throw RunError(name + " asked for flows, and did not call in for them within " + human_time(limit));
        }
        clock_.sleep_until(clock_.now() + kTick);
    }
}

void ReceiverLinks::await_flows_at(std::size_t which, std::vector<DialTarget> dial) {
    links_[which]->await_flows_at(std::move(dial));
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

void ReceiverLinks::ask_progress(const ProgressRequest& request) {
    asio::post(io_, [this, request] {
        for (const auto& link : links_) {
            link->ask_progress(request);
        }
    });
}

std::optional<std::vector<ProgressReply>> ReceiverLinks::progress() const {
    std::vector<ProgressReply> replies;
    for (const auto& link : links_) {
        std::optional<ProgressReply> reply = link->progress();
        if (not reply) {
            return std::nullopt;
        }
        replies.push_back(*std::move(reply));
    }
    return replies;
}

std::vector<FinishOutcome> ReceiverLinks::finish(const std::vector<Finish>& finishes, const GiveUp& give_up) {
    check(finishes.size() == links_.size(), "each receiver has its finish");
    std::vector<std::future<ReceiverResults>> futures;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        futures.push_back(asio::co_spawn(io_, links_[i]->finish(finishes[i]), asio::use_future));
    }
    std::vector<FinishOutcome> outcomes;
    for (Answer<ReceiverResults>& answer : collect(std::move(futures), give_up)) {
        outcomes.push_back({std::move(answer.value), std::move(answer.error)});
    }
    return outcomes;
}

std::vector<SectionOutcome> ReceiverLinks::fetch_logs(const std::vector<SectionRequest>& requests,
                                                      const GiveUp& give_up) {
    std::vector<std::future<LogSection>> futures;
    futures.reserve(requests.size());
    for (const SectionRequest& request : requests) {
        futures.push_back(asio::co_spawn(io_, links_[request.receiver]->fetch_log(request.offset), asio::use_future));
    }
    std::vector<SectionOutcome> outcomes;
    for (Answer<LogSection>& answer : collect(std::move(futures), give_up)) {
        outcomes.push_back({std::move(answer.value), std::move(answer.error)});
    }
    return outcomes;
}

bool ReceiverLinks::resume_fetch(std::size_t which, Nanos patience, const GiveUp& give_up) {
    const auto connect_again = [this, which] {
        const std::optional<Token> token = links_[which]->fetch_token();
        if (token) {
            links_[which]->close();
            const ReceiverPlan& plan = links_[which]->plan();
            replace(links_[which], {.address = plan.address, .flows = {}, .key = plan.key});
        }
        return token;
    };
    const MonoTime end = clock_.now() + patience;
    while (not give_up() and clock_.now() < end) {
        const std::optional<Token> token = asio::post(io_, asio::use_future(connect_again)).get();
        if (not token) {
            return false;
        }
        std::vector<std::future<FetchResumed>> futures;
        futures.push_back(asio::co_spawn(io_, links_[which]->resume_fetch(*token), asio::use_future));
        if (collect(std::move(futures), give_up).front().error.empty()) {
            return true;
        }
        clock_.sleep_until(clock_.now() + kResumePause);
    }
    return false;
}

std::string ReceiverLinks::remove_log(std::size_t which, const GiveUp& give_up) {
    std::vector<std::future<LogRemoved>> futures;
    futures.push_back(asio::co_spawn(io_, links_[which]->remove_log(), asio::use_future));
    return collect(std::move(futures), give_up).front().error;
}

std::vector<std::vector<ClockProbe>> ReceiverLinks::probes() {
    const auto of_all = [this] {
        std::vector<std::vector<ClockProbe>> all;
        all.reserve(links_.size());
        for (const auto& link : links_) {
            all.push_back(link->probes());
        }
        return all;
    };
    return asio::post(io_, asio::use_future(of_all)).get();
}

}  // namespace groma
