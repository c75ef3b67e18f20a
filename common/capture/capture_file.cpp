#include "common/capture/capture_file.hpp"

#include <pcap/pcap.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

namespace {

struct Closer {
    void operator()(pcap_t* capture) const noexcept { ::pcap_close(capture); }
};
using Capture = std::unique_ptr<pcap_t, Closer>;

Capture open_capture(const std::string& file) {
    std::array<char, PCAP_ERRBUF_SIZE> why{};
    Capture capture(::pcap_open_offline_with_tstamp_precision(file.c_str(), PCAP_TSTAMP_PRECISION_NANO, why.data()));
    if (capture == nullptr) {
        throw RunError("cannot read the capture " + file + ": " + why.data() +
                       "; give a file that tcpdump -w or Wireshark has written");
    }
    return capture;
}

LinkType link_of(pcap_t* capture, const std::string& file) {
    const int link = ::pcap_datalink(capture);
    for (const LinkType known : {LinkType::null, LinkType::ethernet, LinkType::raw, LinkType::loop, LinkType::linux_sll,
                                 LinkType::ipv4, LinkType::ipv6, LinkType::linux_sll2}) {
        if (link == static_cast<int>(known)) {
            return known;
        }
    }
    const char* const name = ::pcap_datalink_val_to_name(link);
    throw RunError("cannot read the capture " + file + ": its frames begin with headers of the kind " +
                   (name == nullptr ? std::to_string(link) : std::string(name)) +
                   "; known are Ethernet, Linux cooked, raw IP and loopback");
}

/// Offsets of pcapng interfaces (if_tsoffset) can move times to any year. Throws: RunError.
WallTime time_of(const pcap_pkthdr& header, const std::string& file) {
    constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(std::int64_t{header.ts.tv_sec}, kNanosPerSecond, &ns) or
        __builtin_add_overflow(ns, std::int64_t{header.ts.tv_usec}, &ns)) {
        throw RunError("the capture " + file + " is damaged: the time of a frame is before 1678 or after 2262");
    }
    return wall_time_from_ns(ns);
}

/// A filter compiled by libpcap.
class Program {
public:
    Program(pcap_t* capture, const std::string& filter) {
        if (::pcap_compile(capture, &program_, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
            throw UsageError("cannot use the filter '" + filter + "': " + ::pcap_geterr(capture) +
                             "; write it as for tcpdump, such as 'udp port 9000' (pcap-filter(7))");
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() { ::pcap_freecode(&program_); }

    bpf_program* get() { return &program_; }

private:
    bpf_program program_{};
};

void set_filter(pcap_t* capture, const std::string& filter, const std::string& file) {
    Program program(capture, filter);
    if (::pcap_setfilter(capture, program.get()) != 0) {
        throw RunError("cannot filter the capture " + file + ": " + ::pcap_geterr(capture));
    }
}

}  // namespace

void read_capture(const std::filesystem::path& path, const std::function<bool(const CapturedFrame&)>& take) {
    read_capture(path, std::string(), take);
}

void read_capture(const std::filesystem::path& path, const std::string& filter,
                  const std::function<bool(const CapturedFrame&)>& take) {
    const std::string file = path.string();
    const Capture capture = open_capture(file);
    const LinkType link = link_of(capture.get(), file);
    if (not filter.empty()) {
        set_filter(capture.get(), filter, file);
    }
    pcap_pkthdr* header = nullptr;
    const unsigned char* bytes = nullptr;
    int state = 0;
    while ((state = ::pcap_next_ex(capture.get(), &header, &bytes)) == 1) {
        const CapturedFrame frame{.at = time_of(*header, file),
                                  .length = header->len,
                                  .bytes = std::as_bytes(std::span(bytes, header->caplen)),
                                  .link = link};
        if (not take(frame)) {
            return;
        }
    }
    if (state != PCAP_ERROR_BREAK) {
        throw RunError("the capture " + file + " is damaged: " + ::pcap_geterr(capture.get()));
    }
}

}  // namespace groma
