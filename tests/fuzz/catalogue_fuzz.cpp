// Tampered catalogues of a log server: commands that read, list, verify, export and prune logs by one refuse with a
// message, or stay in the log server's directory, and files beside it are unchanged. The input is that of
// tampered_database.hpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/log/log_name.hpp"
#include "common/os/temporary_folder.hpp"
#include "logserver/commands/export.hpp"
#include "logserver/commands/list.hpp"
#include "logserver/commands/prune.hpp"
#include "logserver/commands/verify.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_store.hpp"
#include "tests/fuzz/neighbours.hpp"
#include "tests/fuzz/tampered_database.hpp"
#include "tests/kernel_clock.hpp"

namespace {

using namespace groma;  // a program of one file
namespace fs = std::filesystem;

constexpr WallTime kNow{std::chrono::seconds(1'800'000'000)};

/// A catalogue of three logs: one complete, one with a part, one still empty.
DatabaseBytes catalogue() {
    const TemporaryFolder folder("groma-fuzz");
    {
        LogCatalogue made(folder.path(), LogCatalogue::Access::write);
        const auto first = made.claim({"office", "sender", "alpha", std::string(32, 'a')}, kNow);
        const auto second = made.claim({"office", "receiver", "beta", std::string(32, 'b')}, kNow);
        (void)made.claim({"lab", "sender", "alpha", std::string(32, 'c')}, kNow);
        const std::array<CatalogueUpdate, 2> updates{
            CatalogueUpdate{first.id, LogState::complete, "", 2, 5, 0x1234},
            CatalogueUpdate{second.id, LogState::incomplete, "its shipper died", 1, 5, 0x1234}};
        made.apply(updates, kNow, Durability::process);
        made.set_counters({{"bytes", 10}, {"pieces", 3}});
    }
    // The last one that closes it writes its log into it.
    return base_of(folder.file("catalogue.sqlite"));
}

/// Work on a catalogue succeeds, or is refused with a message.
void attempt(const std::function<void()>& work) {
    try {
        work();
    } catch (const RunError& error) {
        check(not std::string_view(error.what()).empty(), "a refusal has words");
    } catch (const SystemError& error) {
        check(error.errno_value() != 0, "a refusal has a reason");
    }
}

/// The directory of a log server, with unrelated neighbours.
class Scene {
public:
    explicit Scene(fs::path top) : top_(std::move(top)), neighbours_(top_, kNeighbours) {
        fs::create_directories(top_ / "elsewhere");
        for (const char* name : {"office/sender.glog", "office/receiver.glog.part"}) {
            write_file(directory() / name, "bytes");
        }
    }

    [[nodiscard]] fs::path directory() const { return top_ / "logs"; }
    [[nodiscard]] fs::path output() const { return top_ / "exported"; }
    [[nodiscard]] StoredLogsRequest request() const {
        StoredLogsRequest request;
        request.directory = directory();
        return request;
    }

    void expect_neighbours() const {
        neighbours_.expect_unchanged();
        check(fs::is_directory(top_ / "elsewhere"), "a folder of somebody else is as it was");
    }

private:
    static constexpr std::array<std::string_view, 5> kNeighbours{"elsewhere.glog", "x.glog", "a/b.glog",
                                                                 "logs/kept.txt", "logs/foreign/x.glog"};

    fs::path top_;
    Neighbours neighbours_;
};

/// All commands on a catalogue; those that change files come last.
void use(const Scene& scene) {
    std::vector<CatalogueEntry> entries;
    attempt([&] { entries = LogCatalogue(scene.directory(), LogCatalogue::Access::read).all(); });
    StoredLogsRequest request = scene.request();
    attempt([&] { (void)list_logs(request); });
    request.json = true;
    attempt([&] { check(nlohmann::json::accept(list_logs(request)), "a list is JSON"); });
    attempt([&] { check(verify_logs(request).logs == entries.size(), "a log is left out"); });
    for (const CatalogueEntry& entry : entries) {
        check(log_name_error(entry.experiment).empty() and log_name_error(entry.name).empty(), "a name is a path");
        request.experiments = {entry.experiment};
        request.output = scene.output();
        attempt([&] { (void)show_experiment(request); });
        attempt([&] { (void)export_experiment(request, kNow); });
    }
    attempt([&] { const LogStore server(scene.directory(), kernel_clock()); });
    request = scene.request();
    request.dry_run = true;
    attempt([&] { check(prune_logs(request, kNow).deleted.size() <= entries.size(), "more logs go than there are"); });
    request.dry_run = false;
    attempt([&] {
        const Pruning gone = prune_logs(request, kNow);
        check(gone.deleted.size() + gone.kept.size() == entries.size(), "a log neither goes nor stays");
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const TemporaryFolder folder("groma-fuzz");
    static const DatabaseBytes base = catalogue();
    const Scene scene(folder.path());
    tampered(base, Choices(std::span(data, size)), scene.directory() / "catalogue.sqlite");
    check(size > 0 or LogCatalogue(scene.directory(), LogCatalogue::Access::read).all().size() == 3,
          "a catalogue has other logs than those of which it was made");
    use(scene);
    scene.expect_neighbours();
    return 0;
}
