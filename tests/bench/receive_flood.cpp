// Floods a groma-recv with valid packets of flows without a schedule, for benchmarks of the receiver: GSO sends of
// equal packets, as fast as possible or at a fixed rate. Prints what was sent and the receiver's results as JSON.
// usage: receive_flood IP:PORT [flows=1] [size=64] [segments=64] [pps=0] [seconds=3] [log=NAME]
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <cstring>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/system_clock.hpp"
#include "common/wire/packet_header.hpp"
#include "tests/receiver/test_sender.hpp"

namespace {

using namespace groma;  // a program of one file

struct Settings {
    SocketAddress receiver;
    std::uint32_t flows = 1;
    std::size_t size = 64;
    std::size_t segments = 64;
    std::uint64_t pps = 0;  ///< of all flows; 0: as fast as it goes
    double seconds = 3;
    std::string log;
};

Settings settings_of(int argc, char** argv) {
    std::map<std::string, std::string> given;
    for (int i = 2; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        given[argument.substr(0, equals)] = equals == std::string::npos ? "" : argument.substr(equals + 1);
    }
    const std::string receiver = argc > 1 ? argv[1] : "127.0.0.1:9000";
    const std::size_t colon = receiver.rfind(':');
    Settings settings;
    settings.receiver = SocketAddress::from_literal(receiver.substr(0, colon),
                                                    static_cast<std::uint16_t>(std::stoul(receiver.substr(colon + 1))));
    const auto number = [&given](const char* key, double usual) {
        return given.contains(key) ? std::stod(given[key]) : usual;
    };
    settings.flows = static_cast<std::uint32_t>(number("flows", 1));
    settings.size = static_cast<std::size_t>(number("size", 64));
    settings.segments = static_cast<std::size_t>(number("segments", 64));
    settings.pps = static_cast<std::uint64_t>(number("pps", 0));
    settings.seconds = number("seconds", 3);
    settings.log = given["log"];
    return settings;
}

/// One flow: a connected socket and a buffer of packets, of which only the headers change.
class Flood {
public:
    Flood(FlowId flow, const SocketAddress& to, const Settings& settings)
        : flow_(flow), size_(settings.size), packets_(settings.size * settings.segments) {
        socket_ = open_socket(to, SOCK_DGRAM);
        if (::connect(socket_.get(), to.data(), to.size()) < 0) {
            throw SystemError("connect", errno);
        }
        ask_for_buffer(socket_, SO_SNDBUF, 4 << 20);
        if (settings.segments > 1) {
            set_option(socket_, IPPROTO_UDP, UDP_SEGMENT, static_cast<int>(settings.size), "UDP_SEGMENT");
        }
    }

    void send(WallTime now) {
        std::uint32_t seq = static_cast<std::uint32_t>(sent_);
        for (std::size_t at = 0; at < packets_.size(); at += size_) {
            serialize(PacketHeader{.seq = seq++, .sent_at = now, .flow = flow_}, std::span(packets_).subspan(at),
                      header_size(size_, HeaderLevel::full));
        }
        if (::send(socket_.get(), packets_.data(), packets_.size(), 0) > 0) {
            sent_ += packets_.size() / size_;
        }
    }

    [[nodiscard]] SentFlow result() const { return {.flow = flow_, .packets = sent_, .bytes = sent_ * size_}; }

private:
    FlowId flow_;
    std::size_t size_;
    FileDescriptor socket_;
    std::vector<std::byte> packets_;
    std::uint64_t sent_ = 0;
};

std::vector<Flood> begin(TestSender& sender, const Settings& settings) {
    (void)sender.ask(TestSender::hello());
    std::vector<Flood> floods;
    for (std::uint32_t first = 1; first <= settings.flows; first += kMaxFlowsPerMessage) {
        OpenFlows open;
        for (std::uint32_t id = first; id < first + kMaxFlowsPerMessage and id <= settings.flows; ++id) {
            FlowSpec& spec = open.flows.emplace_back();
            spec.id = FlowId{id};
            spec.name = "flood-" + std::to_string(id);
            spec.stop.packets = std::uint64_t{1} << 40U;
        }
        const Message answer = sender.ask(std::move(open));
        if (const auto* const refused = std::get_if<Refused>(&answer)) {
            throw RunError(refused->reason);
        }
        for (const OpenedFlow& flow : std::get<FlowsOpened>(answer).flows) {
            floods.emplace_back(flow.flow, settings.receiver.with_port(flow.port), settings);
        }
    }
    (void)sender.ask(Start{.log_file = settings.log, .log_server = ""});
    return floods;
}

/// Returns: for how long, in seconds.
double flood(TestSender& sender, std::vector<Flood>& floods, const Settings& settings) {
    SystemClock clock;
    const MonoTime start = clock.now();
    const Nanos duration{static_cast<std::int64_t>(settings.seconds * 1e9)};
    const auto gap_ns = settings.pps == 0 ? 0 : settings.segments * 1'000'000'000 / settings.pps;
    MonoTime alive = start;
    std::uint64_t turn = 0;
    for (MonoTime now = start; now - start < duration; now = clock.now()) {
        if (now - start < Nanos{static_cast<std::int64_t>(turn * gap_ns)}) {
            continue;
        }
        floods[turn++ % floods.size()].send(clock.wall_now());
        if (now - alive > SessionTimes().keep_alive) {
            sender.write(KeepAlive{});
            alive = now;
        }
    }
    return static_cast<double>((clock.now() - start).count()) * 1e-9;
}

nlohmann::json report(const ReceiverResults& results, std::uint64_t sent, double seconds) {
    ReceivedFlow sum;
    for (const ReceivedFlow& flow : results.flows) {
        sum.packets += flow.packets;
        sum.kernel_drops += flow.kernel_drops;
        sum.records_lost += flow.records_lost;
        sum.malformed += flow.malformed;
    }
    return {{"sent", sent},
            {"sent_pps", static_cast<double>(sent) / seconds},
            {"received", sum.packets},
            {"received_pps", static_cast<double>(sum.packets) / seconds},
            {"kernel_drops", sum.kernel_drops},
            {"records_lost", sum.records_lost},
            {"malformed", sum.malformed},
            {"log_error", results.log_error}};
}

}  // namespace

int main(int argc, char** argv) try {
    const Settings settings = settings_of(argc, argv);
    TestSender sender(settings.receiver);
    std::vector<Flood> floods = begin(sender, settings);
    const double seconds = flood(sender, floods, settings);
    Finish finish{.interrupted = false, .wait = std::chrono::milliseconds(200), .flows = {}};
    std::uint64_t sent = 0;
    for (const Flood& one : floods) {
        finish.flows.push_back(one.result());
        sent += finish.flows.back().packets;
    }
    const Message answer = sender.ask(std::move(finish));
    std::cout << report(std::get<ReceiverResults>(answer), sent, seconds).dump() << '\n';
    return 0;
} catch (const std::exception& error) {
    std::cerr << "receive_flood: " << error.what() << '\n';
    return 1;
}
