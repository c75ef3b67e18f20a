#include "tests/world/keys.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace groma::world {

namespace {

UserKey key_of(const std::string& name) {
    std::array<std::byte, Secret::kBytes> bytes{};
    std::ranges::copy(std::as_bytes(std::span(name)), bytes.begin());
    return {.key = {.grant = {.name = name}, .secret = Secret(bytes)}, .asked_for = true};
}

Roles all_but(Role lacking) {
    Roles roles;
    for (const Role role : kRoles) {
        roles = role == lacking ? roles : roles.with(role);
    }
    return roles;
}

void write_part(const std::filesystem::path& folder, AccessKey key, Roles roles, const std::string& address) {
    namespace fs = std::filesystem;
    key.grant.roles = roles;
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    const fs::path file = folder / (key.grant.name + ".key");
    std::ofstream(file) << text_of(known_by_host(key, std::vector{address}));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace

const Keys& keys() {
    static const Keys all{.sender = key_of("lab"),
                          .receiver = key_of("shipper"),
                          .stranger = key_of("stranger"),
                          .nobody = key_of("nobody")};
    return all;
}

void write_keys_of_receiver(const std::filesystem::path& folder, const std::string& address) {
    write_part(folder, keys().sender.key, {Role::receive}, address);
    write_part(folder, keys().stranger.key, all_but(Role::receive), address);
}

void write_keys_of_log_server(const std::filesystem::path& folder, const std::string& address) {
    write_part(folder, keys().sender.key, {Role::ship}, address);
    write_part(folder, keys().receiver.key, {Role::ship}, address);
    write_part(folder, keys().stranger.key, all_but(Role::ship), address);
}

}  // namespace groma::world
