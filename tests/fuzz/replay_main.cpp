// Runs a fuzz target over the empty input, as libFuzzer does, and every file of a corpus folder, with any compiler:
// inputs that a fuzzer found stay tested. A folder without files is an error, not a success.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// The name and the signature are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t replay(const std::filesystem::path& folder) {
    constexpr std::uint8_t kNothing = 0;
    LLVMFuzzerTestOneInput(&kNothing, 0);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        // Printed before the run: the last line names the input that stopped the program.
        std::printf("%s (%zu bytes)\n", entry.path().c_str(), bytes.size());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        ++files;
    }
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    try {
        if (replay(argv[1]) > 0) {
            return 0;
        }
        std::fprintf(stderr, "%s holds no files: there is nothing to replay\n", argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return 1;
}
