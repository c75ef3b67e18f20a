#include "common/control/parsing_thread.hpp"

#include "common/os/process.hpp"

namespace groma {

FairTurns::Work FairTurns::take() {
    auto first = waiting_.begin();
    now_ = first->first;
    Work work = std::move(first->second);
    waiting_.erase(first);
    return work;
}

ParsingThread::~ParsingThread() {
    pool_.stop();
    pool_.join();
}

void ParsingThread::add(std::uint64_t size, FairTurns::Work work) {
    {
        const std::lock_guard lock(mutex_);
        turns_.add(size, std::move(work));
    }
    boost::asio::post(pool_, [this] {
        set_thread_name("groma-parse");
        FairTurns::Work next;
        {
            const std::lock_guard lock(mutex_);
            next = turns_.take();
        }
        next();
    });
}

}  // namespace groma
