#include "sender/commands/sender_commands.hpp"

#include <cstddef>
#include <iostream>
#include <string>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/shipping/shipper/spool_delivery.hpp"

namespace groma {

int spool_command(const SenderOptions& options, Clock& clock) {
    SpoolDelivery delivery({.folder = options.spool_dir,
                            .server = options.log_server,
                            .transport = options.log_transport,
                            .bytes_per_second = options.log_rate,
                            .program = "groma-send " GROMA_VERSION,
                            .of_program = {},
                            .limits = options.shipping,
                            .offer = options.offers(),
                            .say = [](const std::string& line) { std::cout << plain_text(line) << std::endl; }},
                           clock);
    const DeliveryCounts counts = delivery.run();
    if (counts.delivered + counts.failed + counts.left_alone == 0) {
        std::cout << "nothing to deliver in " << options.spool_dir.string() << '\n';
    }
    return counts.all() ? kExitOk : kExitFailed;
}

void mention_waiting_spools(const SenderOptions& options, Console& console) {
    const std::size_t spools = waiting_spools(options.spool_dir);
    if (spools > 0) {
        console.say(counted(spools, "log") + " of earlier runs " + (spools == 1 ? "waits" : "wait") + " in " +
                    options.spool_dir.string() + ": deliver with groma-send --resume-spool --spool-dir " +
                    options.spool_dir.string() + " (and --key FILE for those that were begun under a key)");
    }
}

}  // namespace groma
