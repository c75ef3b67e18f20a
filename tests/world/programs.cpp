#include "tests/world/programs.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <thread>
#include <utility>

#include "common/os/system_clock.hpp"
#include "common/shipping/shipper/spool_delivery.hpp"
#include "logserver/log_server.hpp"
#include "receiver/receiver_server.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/run/send_run.hpp"
#include "tests/world/calls.hpp"
#include "tests/world/keys.hpp"
#include "tests/world/log_contents.hpp"
#include "tests/world/stranger.hpp"

namespace groma::world {

namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t kReceiverPort = 9000;
constexpr std::uint16_t kLogPort = 9001;

/// Acts when a scope is left, in whatever way.
struct Leaving {
    std::function<void()> act;
    ~Leaving() { act(); }
};

}  // namespace

Programs::Programs(World& world, std::function<void(const std::string&)> tell)
    : alpha(world.add_host("alpha")),
      beta(world.add_host("beta")),
      gamma(world.add_host("gamma")),
      delta(world.add_host("delta")),
      receiver{.program = "groma-recv", .host = &beta, .main = [this] { receive(); }},
      log_server{.program = "groma-log", .host = &gamma, .main = [this] { serve_logs(); }},
      world_(world),
      tell_(std::move(tell)) {}

/// As the main functions of programs do, reports what ends them.
Process& Programs::start(Host& host, const std::string& program, std::function<void()> main) {
    return world_.start(host, program, [this, program, main = std::move(main)] {
        try {
            main();
            const Inside here = simulated();
            tell_(program + " ended");
        } catch (const std::exception& error) {
            const Inside here = simulated();
            if (std::string_view(error.what()).find("another groma-log") != std::string_view::npos) {
                world_.faults.met("way: second server refused");
            }
            tell_(fmt::format("{} failed: {}", program, error.what()));
            throw;
        }
    });
}

void Programs::start_daemon(Daemon& daemon) {
    const bool runs = daemon.process != nullptr and not daemon.process->over;
    if (stopping_ or runs or not daemon.host->is_up) {
        return;
    }
    daemon.stop = {};
    daemon.process = &start(*daemon.host, daemon.program, [this, &daemon] {
        const Leaving leaving{
            [this, &daemon] { world_.tasks.at(world_.tasks.now() + 1s, [this, &daemon] { start_daemon(daemon); }); }};
        daemon.main();
    });
}

void Programs::kill(Daemon& daemon) {
    world_.kill(*daemon.process);
    world_.tasks.at(world_.tasks.now() + 1s, [this, &daemon] { start_daemon(daemon); });
}

void Programs::boot(Host& host) {
    world_.boot(host);
    note_torn_tails(host);
    for (Daemon* const daemon : {&receiver, &log_server}) {
        if (daemon->host == &host) {
            start_daemon(*daemon);
        }
    }
}

/// Notes what the loss of power left of unfinished logs: the log server continues after the readable part.
void Programs::note_torn_tails(const Host& host) {
    if (log_server.host != &host) {
        return;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(host.disk->root())) {
        if (entry.path().extension() != ".part") {
            continue;
        }
        try {
            if (not contents_of(entry.path()).gaps.empty()) {
                world_.faults.met("way: torn tail");
            }
        } catch (const std::exception&) {
            continue;  // what a stranger sent is not a log
        }
    }
}

void Programs::stop(Nanos patience) {
    stopping_ = true;
    ask_to_stop(receiver, patience);
    ask_to_stop(log_server, patience);
}

bool Programs::ask_to_stop(Daemon& daemon, Nanos patience) {
    if (not daemon.stop) {
        return false;
    }
    pthread_detach(world_.tasks.spawn(daemon.process->id, daemon.stop).thread);
    expect_end(*daemon.process, patience);
    return true;
}

void Programs::interrupt(const Process& sender, Nanos patience) {
    ++interrupts_[&sender];
    expect_end(sender, patience);
}

void Programs::expect_end(const Process& process, Nanos patience) {
    world_.tasks.at(world_.tasks.now() + patience, [this, &process, patience] {
        if (not process.over) {
            deaf.push_back(fmt::format("{} ends within {} s when it is asked to", process.program, patience / 1s));
        }
    });
}

std::size_t Programs::descriptors(const Process& process) {
    return static_cast<std::size_t>(std::ranges::count_if(process.descriptors, [](const auto& entry) {
        return dynamic_cast<const NullDevice*>(entry.second.get()) == nullptr;
    }));
}

void Programs::serve(Daemon& daemon, std::function<void()> stop, const std::function<void()>& run) {
    daemon.stop = std::move(stop);
    daemon.at_rest = descriptors(*daemon.process);
    const Leaving leaving{[&daemon] { daemon.stop = {}; }};
    run();
}

LogServerSettings Programs::log_settings() {
    LogServerSettings asked;
    asked.listen.reach.to_anyone = true;
    asked.listen.port = kLogPort;
    asked.listen.udp = true;
    asked.sync = settings.sync;
    asked.max_sessions = settings.log_sessions;
    asked.directory = gamma.disk->root() / "logs";
    asked.report = [this](const std::string& line) { hear("groma-log: " + line); };
    if (is_keyed()) {
        asked.keys.folder = settings.keys / "groma-log";
        asked.audit = [this](const AuditEvent& event) { judge(event); };
    }
    return asked;
}

Process& Programs::serve_logs_twice() {
    return start(gamma, "second groma-log", [this] {
        SystemClock clock;
        LogServerSettings asked = log_settings();
        asked.listen.port = kLogPort + 1;
        LogServer server(asked, clock);
        world_.faults.met("way: second server");
        server.run();
    });
}

void Programs::serve_logs() {
    SystemClock clock;
    LogServer server(log_settings(), clock);
    serve(
        log_server, [&server] { server.stop(); }, [&server] { server.run(); });
}

void Programs::receive() {
    SystemClock clock;
    ReceiverServerOptions options;
    options.listen = {SocketAddress::from_literal("0.0.0.0", kReceiverPort)};
    options.log_dir = beta.disk->root();
    options.max_sessions = settings.receiver_sessions;
    options.spool = beta.disk->root() / "spool";
    options.shipping.memory_bytes = settings.shipping.memory_bytes;
    options.shipping.spool_bytes = settings.shipping.spool_bytes;
    options.spool_budget = std::make_shared<SpoolBudget>(options.shipping.spool_bytes);
    options.say = [this](const std::string& line) { hear("groma-recv: " + line); };
    if (is_keyed()) {
        options.keys.folder = settings.keys / "groma-recv";
        options.log_servers = parse_log_servers("10.0.0.3");
        options.offer = offers_of(keys().receiver);
        options.audit = [this](const AuditEvent& event) { judge(event); };
    }
    SpoolDelivery delivery({.folder = options.spool,
                            .program = "groma-recv",
                            .of_program = "groma-recv",
                            .limits = options.shipping,
                            .budget = options.spool_budget,
                            .offer = options.offer,
                            .say = [this](const std::string& line) { hear("groma-recv: spool: " + line); }},
                           clock);
    ReceiverServer server(std::move(options), clock);
    std::thread delivering([&delivery] { delivery.run_until_stopped(60s); });
    const Leaving leaving{[&] {
        delivery.stop();
        delivering.join();
    }};
    serve(
        receiver, [&server] { server.stop(); }, [&server] { server.run(); });
}

void Programs::send(Run& run) {
    run.process = &start(*run.from, "groma-send", [this, &run] {
        const unsigned& interrupts = interrupts_[&world_.current()];
        SystemClock clock;
        const std::string log = run.experiment.stem().string() + ".glog";
        std::vector<std::string> arguments{run.experiment};
        const auto add = [&](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
        if (settings.sender_ships) {
            add({"--log-server", "10.0.0.3", "--log-transport", settings.transport});
        } else {
            add({"--log", run.from->disk->root() / log});
        }
        if (settings.receiver_ships) {
            add({"--receiver-log-server", "10.0.0.3", "--receiver-log-transport", settings.receiver_transport});
        } else {
            add({"--receiver-log-server", "none", "--receiver-log", log});
        }
        SenderOptions options = SenderOptions::parse(arguments, 1);
        options.spool_dir = run.from->disk->root() / "spool";
        options.shipping.memory_bytes = settings.shipping.memory_bytes;
        options.shipping.spool_bytes = settings.shipping.spool_bytes;
        options.key = is_keyed() ? std::optional(keys().sender) : std::nullopt;
        run.report =
            send_run(std::move(options), {.clock = clock,
                                          .stop_requests = [&interrupts] { return interrupts; },
                                          .show_progress = {},
                                          .say = [this](const std::string& line) { hear("groma-send: " + line); }});
        for (const std::string& failure : failures(*run.report)) {
            tell_("groma-send: " + failure);
        }
    });
}

Process& Programs::resume() {
    return start(alpha, "groma-send --resume-spool", [this] {
        SystemClock clock;
        for (int attempt = 0; attempt < 10; ++attempt) {
            SpoolDelivery delivery({.folder = alpha.disk->root() / "spool",
                                    .program = "groma-send",
                                    .offer = offers_of(is_keyed() ? std::optional(keys().sender) : std::nullopt),
                                    .say = [this](const std::string& line) { hear("groma-send: spool: " + line); }},
                                   clock);
            if (delivery.run().all()) {
                return;
            }
            clock.sleep_until(clock.now() + 10s);
        }
    });
}

Process& Programs::be_stranger(std::uint64_t seed) {
    return start(delta, "stranger", [this, seed] {
        Stranger(seed, {beta.address, kReceiverPort}, {gamma.address, kLogPort}, is_keyed()).run();
    });
}

/// Takes what a daemon has decided about a peer.
void Programs::judge(const AuditEvent& event) {
    const Inside here = simulated();
    const bool is_ours = event.key == keys().sender.key.grant.name or event.key == keys().receiver.key.grant.name;
    if (event.allowed and not is_ours) {
        intruders.push_back(
            fmt::format("{} with the key '{}': {} {}", event.from, event.key, event.what, event.subject));
    }
    if (not event.allowed and not is_ours) {
        world_.faults.met(event.key.empty() ? "way: no key" : "way: key without the role");
    }
}

/// Takes a program's message, and notes whether it is of a rare path.
void Programs::hear(const std::string& line) {
    const Inside here = simulated();
    tell_(line);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kRare{
        {{"from piece", "resumption"},
         {"reached its limit", "spool full"},
         {"takes nothing for now", "hold"},
         {"goes to the spool", "spool"},
         {"spool: delivered", "delivery later"},
         {"its writer ended", "log without an end"},
         {"no file descriptors left", "refused slot"},
         {"clock was set", "step seen"}}};
    for (const auto& [words, way] : kRare) {
        if (line.find(words) != std::string::npos) {
            world_.faults.met(fmt::format("way: {}", way));
        }
    }
}

}  // namespace groma::world
