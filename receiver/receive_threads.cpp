#include "receiver/receive_threads.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "common/os/scheduling.hpp"

namespace groma {

namespace {

std::vector<std::string> take_place(const std::vector<unsigned>& pin, std::size_t number, Realtime realtime) {
    std::vector<std::string> refusals;
    if (not pin.empty()) {
        refusals.push_back(run_on_cores(std::span(&pin[number % pin.size()], 1)));
    }
    if (realtime != Realtime::off) {
        std::string refusal = become_realtime();
        if (realtime == Realtime::on) {
            refusals.push_back(std::move(refusal));
        }
    }
    std::erase(refusals, "");
    return refusals;
}

}  // namespace

unsigned default_receive_threads(std::size_t cores) {
    constexpr std::size_t kMost = 4;
    return static_cast<unsigned>(std::clamp<std::size_t>(cores - std::min<std::size_t>(cores, 1), 1, kMost));
}

ReceiveWorkers start_receiving(const ReceiveThreads& threads, const std::function<void(const std::string&)>& say) {
    const std::size_t cores = threads.pin.empty() ? usable_cores().size() : threads.pin.size() + 1;
    const unsigned count = threads.count > 0 ? threads.count : default_receive_threads(cores);
    ReceiveWorkers workers;
    for (unsigned i = 0; i < count; ++i) {
        const std::string name = "receive-" + std::to_string(i + 1);
        workers.push_back(std::make_unique<ReceiveWorker>(name));
        std::vector<std::string> refusals;
        workers.back()->run([&] { refusals = take_place(threads.pin, i, threads.realtime); });
        for (const std::string& refusal : refusals) {
            say(name + ": " + refusal);
        }
    }
    if (threads.realtime != Realtime::off) {
        if (const std::string refusal = lock_memory(); threads.realtime == Realtime::on and not refusal.empty()) {
            say(refusal);
        }
    }
    return workers;
}

}  // namespace groma
