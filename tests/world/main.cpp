// groma-world: runs histories of the simulated world. Use scripts/simulate; docs/design/simulation.md says how to read
// the output.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/os/temporary_folder.hpp"
#include "tests/world/runner.hpp"

namespace groma::world {
namespace {

volatile std::sig_atomic_t interrupted = 0;

constexpr const char* kUsage =
    R"(usage: groma-world --seeds N [--from S] [--jobs J]    N histories, from seed S (1) on, J (1) at a time
       groma-world --list FILE [--jobs J]   those of the list, which must meet all that it names
       groma-world --every-failure S [--jobs J]  of seed S with one failing call instead of troubles: for each call
       groma-world --seed S [--without K]...  one, with its story; without its trouble number K
       groma-world --seed S --fail PROGRAM:CALL:N  one, with that failing call instead of its troubles; N+: from then on;
                                                   N!: that call is the last before the power is lost
       groma-world --seed S ... --here      in this process, for a debugger
)";

constexpr std::uint32_t kMostOfAKind = 100;

struct Wanted {
    std::vector<HistoryOptions> histories;
    std::set<std::string> marks;  ///< that must be met
    bool help = false;
    bool here = false;
    int answer_to = -1;  ///< a pipe for the outcome of one history, for another groma-world
    std::filesystem::path folder;
    std::size_t jobs = 1;
};

std::uint64_t number(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() or error != std::errc() or end != text.data() + text.size()) {
        throw std::invalid_argument("'" + text + "' is not a whole number below 2^64");
    }
    return value;
}

void add_range(Wanted& wanted, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        wanted.histories.push_back({.seed = seed});
    }
}

/// Lines are "SEED", "SEED FAULT", "FIRST-LAST", "meets MARK"; # starts a comment.
void read_list(const std::string& file, Wanted& wanted) {
    std::ifstream in(file);
    if (not in) {
        throw std::invalid_argument("cannot read " + file);
    }
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string first;
        if (not(words >> first)) {
            continue;
        }
        if (first == "meets") {
            std::string mark;
            std::getline(words >> std::ws, mark);
            wanted.marks.insert(mark);
        } else {
            const std::size_t dash = first.find('-');
            const std::uint64_t begin = number(first.substr(0, dash));
            add_range(wanted, begin, dash == std::string::npos ? begin : number(first.substr(dash + 1)));
            if (std::string fault; words >> fault) {
                wanted.histories.back().faults.push_back(parse_fault(fault));
            }
        }
    }
}

/// "The n-th failure, for every n", as SQLite is tested: for each call that a history of that seed without troubles
/// makes until the end of troubles, histories in which it fails once, in which all fail from then on, and in which the
/// power is lost after it. Of each kind the first kMostOfAKind.
void add_every_failure(Wanted& wanted, std::uint64_t seed) {
    HistoryOptions options{.seed = seed, .faults = counting_faults()};
    const Outcome counted = run_apart(options);
    if (counted.failed()) {
        throw std::runtime_error(fmt::format("seed {} fails without any trouble: {}", seed, counted.why()));
    }
    const std::vector<std::uint32_t>& calls = counted.result.calls;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Fault& kind = options.faults[i];
        std::cout << fmt::format("{:8} calls of {}, {}\n", calls[i], name_of(kind.call), kind.program);
        for (std::uint32_t first = 1; first <= std::min(calls[i], kMostOfAKind); ++first) {
            for (const char* const times : {"", "+", "!"}) {
                if (*times == '!' and not is_of_disk(kind.call)) {
                    continue;
                }
                const std::string text = fmt::format("{}:{}:{}{}", kind.program, name_of(kind.call), first, times);
                wanted.histories.push_back({.seed = seed, .faults = {parse_fault(text)}});
            }
        }
    }
}

Wanted parse(const std::vector<std::string>& arguments) {
    Wanted wanted;
    std::uint64_t count = 0;
    std::uint64_t from = 1;
    std::set<std::string> ways;  ///< options that choose histories
    HistoryOptions one{.tells = true};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& name = arguments[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == arguments.size()) {
                throw std::invalid_argument(name + " needs a value");
            }
            return arguments[++i];
        };
        if (name == "--seeds" or name == "--list" or name == "--seed" or name == "--every-failure") {
            ways.insert(name);
        }
        if (name == "--help" or name == "-h") {
            wanted.help = true;
            return wanted;
        }
        if (name == "--seeds") {
            count = number(value());
        } else if (name == "--from") {
            from = number(value());
        } else if (name == "--list") {
            read_list(value(), wanted);
        } else if (name == "--seed") {
            one.seed = number(value());
        } else if (name == "--without") {
            one.without.push_back(number(value()));
        } else if (name == "--fail") {
            one.faults.push_back(parse_fault(value()));
        } else if (name == "--every-failure") {
            add_every_failure(wanted, number(value()));
        } else if (name == "--jobs") {
            wanted.jobs = std::max<std::size_t>(number(value()), 1);
        } else if (name == "--here") {
            wanted.here = true;
        } else if (name == "--answer-to") {
            wanted.answer_to = static_cast<int>(number(value()));
            wanted.folder = value();
            one.tells = false;
        } else if (name == "--tell") {
            one.tells = true;
        } else {
            throw std::invalid_argument("there is no option " + name);
        }
    }
    if (count > 0) {
        add_range(wanted, from, from + count - 1);
    }
    if (one.seed > 0) {
        wanted.histories.push_back(one);
    }
    if (ways.size() != 1 or wanted.histories.empty()) {
        throw std::invalid_argument(
            "say in one way which seeds, from 1 on: --seeds, --list, --every-failure or --seed");
    }
    if ((not one.without.empty() or not one.faults.empty()) and not ways.contains("--seed")) {
        throw std::invalid_argument("--without and --fail are for one history: --seed says which");
    }
    return wanted;
}

/// The outcome of all histories.
struct Summary {
    std::map<std::string, std::uint64_t> marks;
    std::uint64_t not_as_asked = 0;
    double virtual_seconds = 0;
    std::uint64_t histories = 0;
    std::uint64_t failed = 0;
};

std::string name_of(const HistoryOptions& options) {
    return options.faults.empty() ? fmt::format("seed {}", options.seed)
                                  : fmt::format("seed {}, {}", options.seed, text_of(options.faults.front()));
}

/// Prints the necessary troubles of a seed that failed, and its story with those alone.
void explain(HistoryOptions options, const Outcome& outcome) {
    std::cout << fmt::format("{} fails: {}\n", name_of(options), outcome.why());
    options.without = shrink(options, outcome.result.troubles);
    std::cout << fmt::format("  again, with what it takes alone: {}\n", fmt::join(arguments_of(options), " "));
    for (const std::string& line : run_apart(options).result.story) {
        std::cout << "  " << line.substr(0, 240) << '\n';
    }
    std::cout << std::flush;
}

void show_progress(const Summary& summary, std::size_t all) {
    if (isatty(STDERR_FILENO) != 0) {
        std::cerr << fmt::format("\r{} of {} histories, {} failed", summary.histories, all, summary.failed)
                  << std::flush;
    }
}

/// Names an omitted trouble or a failing call that this history does not have; empty if it has all.
std::string why_not_as_asked(const HistoryOptions& options, const HistoryResult& result) {
    for (std::size_t i = 0; i < std::min(options.faults.size(), result.calls.size()); ++i) {
        if (result.calls[i] < options.faults[i].first) {
            return fmt::format("{} fails nothing: there are {} such calls while things go wrong",
                               text_of(options.faults[i]), result.calls[i]);
        }
    }
    for (const std::size_t trouble : options.without) {
        if (trouble >= result.troubles) {
            return fmt::format("--without {} leaves nothing out: there are {} troubles, the first is 0", trouble,
                               result.troubles);
        }
    }
    return {};
}

void take(Summary& summary, HistoryOptions options, const Outcome& outcome) {
    if (outcome.failed()) {
        ++summary.failed;
        if (options.tells) {
            std::cout << fmt::format("{} fails: {}\n", name_of(options), outcome.why()) << std::flush;
        } else {
            explain(std::move(options), outcome);
        }
    }
    if (const std::string why = why_not_as_asked(options, outcome.result); not outcome.failed() and not why.empty()) {
        ++summary.not_as_asked;
        std::cout << fmt::format("{}: {}\n", name_of(options), why) << std::flush;
    }
    for (const auto& [mark, times] : outcome.result.marks) {
        summary.marks[mark] += times;
    }
    summary.virtual_seconds += outcome.result.virtual_seconds;
    ++summary.histories;
}

Summary run_all(const Wanted& wanted) {
    Summary summary;
    std::deque<HistoryProcess> running;  ///< in the order of the histories
    for (std::size_t next = 0;;) {
        const bool is_more = interrupted == 0 and next < wanted.histories.size();
        if (is_more and running.size() < wanted.jobs) {
            running.emplace_back(wanted.histories[next++]);
            continue;
        }
        if (running.empty()) {
            break;
        }
        const Outcome outcome = running.front().result();
        running.pop_front();
        take(summary, wanted.histories[summary.histories], outcome);
        show_progress(summary, wanted.histories.size());
    }
    if (isatty(STDERR_FILENO) != 0) {
        std::cerr << '\n';
    }
    return summary;
}

/// Asked to stop, it starts no more histories; asked again, it ends at once.
void heed_signals() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

int run(const Wanted& wanted) {
    heed_signals();
    const auto begin = std::chrono::steady_clock::now();
    const Summary summary = run_all(wanted);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const auto& [mark, times] : summary.marks) {
        std::cout << fmt::format("{:8} {}\n", times, mark);
    }
    if (interrupted != 0) {
        std::cout << fmt::format("interrupted: {} of {} histories were run\n", summary.histories,
                                 wanted.histories.size());
    }
    std::uint64_t missed = 0;
    for (const std::string& mark : wanted.marks) {
        if (interrupted == 0 and not summary.marks.contains(mark)) {
            std::cout << fmt::format(
                "no seed of the list meets \"{}\" any more: look for one that does, scripts/simulate --seeds 1000\n",
                mark);
            ++missed;
        }
    }
    std::cout << fmt::format("{} histories, {:.1f} virtual hours, {:.1f} histories/s; {} failed\n", summary.histories,
                             summary.virtual_seconds / 3600, static_cast<double>(summary.histories) / seconds,
                             summary.failed);
    return summary.failed + summary.not_as_asked + missed == 0 and interrupted == 0 ? 0 : 1;
}

/// Returns: the status to end with.
int run_here(const HistoryOptions& options) {
    const TemporaryFolder folder("groma-world");
    const HistoryResult result = run_history(options, folder.path());
    std::cout << fmt::format("{}\n", fmt::join(result.broken, "\n")) << std::flush;
    return result.broken.empty() ? 0 : 1;
}

/// With a random memory layout, orders that depend on addresses are random too, and a seed has several histories. Each
/// history allocates the buffers of five programs: memory that is kept and comes in large pages makes it nearly twice
/// as fast (glibc's manual, "Memory Allocation Tunables").
void lay_out_memory(char** argv) {
    constexpr const char* kTried = "GROMA_WORLD_HAS_ITS_MEMORY";
    if (std::getenv(kTried) == nullptr) {
        if (personality(ADDR_NO_RANDOMIZE) < 0) {
            std::cerr << "groma-world: this machine lays out memory at random (personality(2)): a seed may have one "
                         "history here and another elsewhere\n";
        }
        setenv(kTried, "", 1);
        setenv("GLIBC_TUNABLES",
               "glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=4294967296:"
               "glibc.malloc.top_pad=134217728:glibc.malloc.hugetlb=1",
               0);
        execv("/proc/self/exe", argv);
    }
}

}  // namespace
}  // namespace groma::world

int main(int argc, char** argv) {
    groma::world::lay_out_memory(argv);
    if (access("/dev/shm", W_OK) == 0) {
        setenv("TMPDIR", "/dev/shm", 1);  // the disks of hosts
    }
    groma::world::Wanted wanted;
    try {
        wanted = groma::world::parse({argv + 1, argv + argc});
    } catch (const std::invalid_argument& error) {
        std::cerr << "groma-world: " << error.what() << '\n' << groma::world::kUsage;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "groma-world: " << error.what() << '\n';
        return 1;
    }
    if (wanted.help) {
        std::cout << groma::world::kUsage;
        return 0;
    }
    if (wanted.answer_to >= 0) {
        groma::world::answer(wanted.histories.front(), wanted.folder, wanted.answer_to);
    }
    if (wanted.here) {
        _exit(groma::world::run_here(wanted.histories.front()));
    }
    return groma::world::run(wanted);
}
