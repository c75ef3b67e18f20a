#include "common/model/flow/profiles.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr double kMs = 1e6;

struct Codec {
    const char* name;
    const char* summary;
    double packets_per_second;
    double frame_bytes;
    double frames;
};

constexpr std::array kCodecs = {Codec{"g711.1", "G.711, one 10 ms sample a packet", 100, 80, 1},
                                Codec{"g711.2", "G.711, two 10 ms samples a packet", 50, 80, 2},
                                Codec{"g729.2", "G.729, two 10 ms frames a packet", 50, 10, 2},
                                Codec{"g729.3", "G.729, three 10 ms frames a packet", 33, 10, 3},
                                Codec{"g723.1", "G.723.1, one frame a packet", 26, 30, 1}};

/// In these models voice activity detection makes each packet smaller, by the mean activity of speech; it omits no
/// packet.
constexpr double kVoiceActivity = 0.65;

Profile voip(const Codec& codec, bool compressed, bool voice_activity) {
    const double header = compressed ? 2 : 12;
    const double factor = voice_activity ? kVoiceActivity : 1;
    // The added 0.01 keeps 0.65 * 20 = 13 from becoming 12 if the product is rounded down.
    const double size = std::floor(factor * codec.frame_bytes * codec.frames + 0.01) + header;
    return {
        std::string("voip-") + codec.name + (compressed ? "-crtp" : "-rtp") + (voice_activity ? "-vad" : ""),
        std::string(codec.summary) + (compressed ? ", compressed RTP header" : ", RTP header") +
            (voice_activity ? ", voice activity detection" : ""),
        "codecs of RFC 3551, RTP header of RFC 3550 (12 bytes) or compressed (2 bytes, RFC 2508); packet rates, frames "
        "and the VAD factor 0.65 as used by D-ITG 2.8.1",
        Transport::udp,
        Constant{1e9 / codec.packets_per_second},
        Constant{size}};
}

std::vector<Profile> make_profiles() {
    std::vector<Profile> all;
    for (const Codec& codec : kCodecs) {
        for (const bool compressed : {false, true}) {
            for (const bool voice_activity : {false, true}) {
                all.push_back(voip(codec, compressed, voice_activity));
            }
        }
    }
    Discrete keystrokes;
    const std::array weights = {.65, .13, .07, .05, .03, .01, .01, .01, .01, .005, .005, .005, .005, .005, .005};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        keystrokes.values.push_back(static_cast<double>(i + 1));
        keystrokes.weights.push_back(weights[i]);
    }
    all.push_back({"telnet", "a person typing: 1 to 15 bytes, heavy-tailed gaps",
                   "Pareto gaps: Paxson and Floyd, IEEE/ACM Trans. Networking 3(3), 1995; parameters as used by D-ITG "
                   "2.8.1",
                   Transport::tcp, Pareto{0.95, 1.1 * kMs}, keystrokes});
    all.push_back({"dns", "queries and answers, 100 to 319 bytes, one in 1.8 s", "parameters as used by D-ITG 2.8.1",
                   Transport::udp, Constant{1e9 / 0.56}, Uniform{99.5, 319.5}});
    all.push_back({"quake3", "a Quake III player's packets to the server",
                   "parameters as used by D-ITG 2.8.1; compare Lang, Branch, Armitage, ACM ACE 2004", Transport::udp,
                   Mixture{{0.6, 0.4}, {Exponential{4.29 * kMs}, Constant{10.75 * kMs}}},
                   Normal{64.151757, 3.2035755}});
    all.push_back({"cs-active", "a Counter-Strike player in action, to the server",
                   "parameters as used by D-ITG 2.8.1; compare Faerber, NetGames 2002", Transport::udp,
                   StudentT{0.704073, 41.6994 * kMs, 0.104821 * kMs},
                   Mixture{{0.3732, 0.6268}, {Normal{34.8352, 4.3915}, Normal{49.4904, 3.6186}}}});
    all.push_back(
        {"cs-idle", "a Counter-Strike player who waits, to the server",
         "parameters as used by D-ITG 2.8.1; compare Faerber, NetGames 2002", Transport::udp,
         StudentT{1.08341, 41.6858 * kMs, 0.0694393 * kMs},
         Discrete{{27, 28, 29, 30, 31, 32, 33, 35}, {.8312, .0018, .0453, .0195, .0879, .0024, .0106, .0013}}});
    return all;
}

}  // namespace

std::span<const Profile> profiles() {
    static const std::vector<Profile> kProfiles = make_profiles();
    return kProfiles;
}

const Profile& profile(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Profile& candidate : profiles()) {
        if (candidate.name == name) {
            return candidate;
        }
        names.push_back(candidate.name);
    }
    throw UsageError("there is no profile '" + plain_text(name, 60) + "'" + did_you_mean(name, names) +
                     " (groma-send --list-profiles shows all)");
}

void apply(const Profile& profile, FlowSpec& spec) {
    spec.profile = profile.name;
    spec.transport = profile.transport;
    spec.idt = profile.idt;
    spec.size = profile.size;
}

}  // namespace groma
