// The cost of shipping records to a log server: a LogWriter, a LogShipper and a LogServer in one process, over the
// loopback interface, into files of a real directory. All three share the cores of one machine.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/log/log_writer.hpp"
#include "common/os/system_clock.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/links/link_openers.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "logserver/log_server.hpp"
#include "tests/kernel_clock.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::size_t kRecords = 4'000'000;
constexpr std::size_t kRecordsAtOnce = 1024;

/// Of all threads, in seconds.
double cpu_time() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class RunningServer {
public:
    explicit RunningServer(LogServerSettings settings) : server_(std::move(settings), clock_) {
        thread_ = std::thread([this] { server_.run(); });
    }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    ~RunningServer() {
        server_.stop();
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

private:
    SystemClock clock_;
    LogServer server_;
    std::thread thread_;
};

AccessKey bench_key() {
    const std::array<std::byte, Secret::kBytes> bytes{std::byte{1}};
    return {.grant = {.name = "bench", .roles = {Role::ship}}, .secret = Secret(bytes)};
}

std::filesystem::path folder_of_keys(const std::filesystem::path& parent) {
    namespace fs = std::filesystem;
    const fs::path keys = parent / "keys";
    fs::create_directory(keys);
    fs::permissions(keys, fs::perms::owner_all);
    std::ofstream(keys / "bench.key") << text_of(known_by_host(bench_key(), std::vector<std::string>{"server"}));
    fs::permissions(keys / "bench.key", fs::perms::owner_read);
    return keys;
}

LogServerSettings server_settings(const std::filesystem::path& folder, bool keyed) {
    LogServerSettings settings;
    settings.keys.folder = keyed ? folder_of_keys(folder) : std::filesystem::path();
    settings.listen.address = "127.0.0.1";
    settings.listen.port = 0;
    settings.directory = folder / "logs";
    settings.reserve = 0;
    return settings;
}

ShippingSettings shipping_settings(LogTransport transport, std::uint16_t port, bool keyed,
                                   const std::filesystem::path& spool) {
    const auto key = keyed ? std::optional(bench_key().offered_to("server")) : std::nullopt;
    const auto address = SocketAddress::from_literal("127.0.0.1", port);
    return {.open = transport == LogTransport::udp ? udp_link(address, "log server", key, std::nullopt, {})
                                                   : tcp_link(address, "log server", key, {}),
            .peer = "log server",
            .server = address.to_string(),
            .transport = transport,
            .node = "here",
            .program = "shipping_bench",
            .spool = spool,
            .limits = {},
            .report = {}};
}

/// 100,000 packets a second, each up to a microsecond late.
std::vector<SentRecord> sent_records() {
    std::mt19937_64 random(1);
    std::vector<SentRecord> records(kRecords);
    std::int64_t due = 1'700'000'000'000'000'000;
    for (std::size_t i = 0; i < kRecords; ++i) {
        due += 10'000;
        const auto lateness = static_cast<std::int64_t>(random() % 1000);
        records[i] = {i, wall_time_from_ns(due + lateness), Nanos{lateness}, 512, 1};
    }
    return records;
}

std::vector<ReceivedRecord> received_records() {
    std::mt19937_64 random(2);
    std::vector<ReceivedRecord> records;
    records.reserve(kRecords);
    for (const SentRecord& sent : sent_records()) {
        const Nanos delay{50'000 + static_cast<std::int64_t>(random() % 2000)};
        records.push_back({sent.seq, sent.sent_at, sent.sent_at + delay, sent.size});
    }
    return records;
}

/// Returns when the server has confirmed all of it. Returns: the bytes of the log.
template <typename Record>
std::uint64_t ship(LogShipper& shipper, const std::vector<Record>& records, std::int64_t number) {
    const auto log = shipper.open_log("bench-00000000", "log-" + std::to_string(number));
    LogWriter writer(*log, RunMetadata{});
    for (std::span<const Record> rest(records); not rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), kRecordsAtOnce));
        writer.add(FlowId{1}, some);
        rest = rest.subspan(some.size());
    }
    writer.close(LogTotals{});
    return writer.bytes();
}

template <typename Record>
void ship(benchmark::State& state, const std::vector<Record>& records) {
    const TemporaryFolder folder("groma-shipping");  // in $TMPDIR: the file system decides what the fsync costs
    const bool keyed = state.range(2) != 0;
    const RunningServer server(server_settings(folder.path(), keyed));
    const auto transport = state.range(0) == 0 ? LogTransport::tcp : LogTransport::udp;
    const auto spool = state.range(1) == 0 ? std::filesystem::path() : folder.path() / "spool";
    LogShipper shipper(shipping_settings(transport, server.port(), keyed, spool), kernel_clock());
    std::uint64_t bytes = 0;
    std::int64_t logs = 0;
    const double before = cpu_time();
    for (auto turn : state) {
        bytes += ship(shipper, records, logs++);
    }
    const double cpu = cpu_time() - before;
    const auto shipped = static_cast<double>(kRecords) * static_cast<double>(logs);
    state.SetItemsProcessed(static_cast<std::int64_t>(kRecords) * logs);
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.counters["bytes_a_record"] = static_cast<double>(bytes) / shipped;
    state.counters["cpu_seconds_a_log"] = cpu / static_cast<double>(logs);
    state.counters["records_a_cpu_second"] = shipped / cpu;
}

void ship_sent(benchmark::State& state) {
    ship(state, sent_records());
}
void ship_received(benchmark::State& state) {
    ship(state, received_records());
}

void each_way(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"udp", "spool", "keyed"})
        ->ArgsProduct({{0, 1}, {0, 1}, {0, 1}})
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK(ship_sent)->Apply(each_way);
BENCHMARK(ship_received)->Apply(each_way);

}  // namespace
