#include "common/log/log_reader.hpp"

#include "common/log/block_decoder.hpp"
#include "common/log/block_stream.hpp"
#include "common/log/log_bytes.hpp"
#include "common/log/log_header.hpp"

namespace groma {

namespace {

void read_log(LogBytes& bytes, const std::string& name, LogVisitor& visitor) {
    BlockStream blocks(bytes, visitor);
    pass_log_header(bytes, name, blocks);
    BlockDecoder decoder;
    while (const auto block = blocks.next()) {
        if (const auto gap = decoder.decode(*block, visitor)) {
            visitor.on_gap(*gap);
        }
        visitor.on_progress(block->offset + block->size());
    }
}

}  // namespace

void read_log(const std::filesystem::path& file, LogVisitor& visitor) {
    FileBytes bytes(file);
    read_log(bytes, file.string(), visitor);
}

void read_log(const std::filesystem::path& file, std::uint64_t bytes, LogVisitor& visitor) {
    FileBytes first(file, {}, bytes);
    read_log(first, file.string(), visitor);
}

void follow_log(const std::filesystem::path& file, LogVisitor& visitor,
                const std::function<bool(std::uint64_t bytes)>& wait_for_more) {
    FileBytes bytes(file, wait_for_more);
    read_log(bytes, file.string(), visitor);
}

void read_log(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor) {
    MemoryBytes memory(bytes);
    read_log(memory, name, visitor);
}

}  // namespace groma
