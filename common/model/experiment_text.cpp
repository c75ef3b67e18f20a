#include "common/model/experiment_text.hpp"

#include <toml++/toml.h>

#include <utility>

namespace groma {

namespace {

Place place_of(const toml::source_region& region) {
    return {region.begin.line, region.begin.column};
}

std::string kind_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::floating_point:
            return "a number with a decimal point";
        case toml::node_type::boolean:
            return "a boolean";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::table:
            return "a table";
        default:
            return "a date or time";
    }
}

Setting read_setting(const toml::key& key, const toml::node& node) {
    Setting setting;
    setting.key = place_of(key.source());
    setting.value = place_of(node.source());
    if (const auto* text = node.as_string()) {
        setting.text = text->get();
    } else if (const auto* number = node.as_integer()) {
        setting.kind = Setting::Kind::integer;
        setting.text = std::to_string(number->get());
    } else {
        setting.kind = Setting::Kind::other;
        setting.text = kind_name(node);
    }
    return setting;
}

Section read_section(const toml::table& table) {
    Section section;
    section.place = place_of(table.source());
    for (const auto& [key, node] : table) {
        section.settings.emplace(key.str(), read_setting(key, node));
    }
    return section;
}

ListSetting read_list(const toml::key& key, const toml::node& node) {
    ListSetting list{place_of(key.source()), {}};
    const toml::array* array = node.as_array();
    if (array == nullptr) {
        list.values.push_back(read_setting(key, node));
        return list;
    }
    for (const toml::node& item : *array) {
        list.values.push_back(read_setting(key, item));
    }
    return list;
}

class Reader {
public:
    explicit Reader(const toml::table& root) : root_(root) {}

    [[nodiscard]] ExperimentText read() {
        text_.top.place = {1, 1};
        for (const auto& [key, node] : root_) {
            if (key == "defaults") {
                read_table(node, text_.defaults, "'defaults' is a table: write [defaults] and settings below it");
            } else if (key == "ranks") {
                read_table(node, text_.ranks, "'ranks' is a table: write [ranks] and lines such as beta = 1 below it");
            } else if (key == "require") {
                read_table(node, text_.require,
                           "'require' is a table: write [require] and lines such as rate = \"0.1%\" below it");
            } else if (key == "hosts") {
                read_hosts(node);
            } else if (key == "flow") {
                read_flows(node);
            } else if (key == "batch") {
                read_batch(node);
            } else {
                text_.top.settings.emplace(key.str(), read_setting(key, node));
            }
        }
        return std::move(text_);
    }

private:
    void refuse(const toml::node& node, std::string what) {
        const Place place = place_of(node.source());
        text_.mistakes.push_back({place.line, place.column, std::move(what)});
    }

    void read_table(const toml::node& node, Section& section, const char* otherwise) {
        if (const toml::table* table = node.as_table()) {
            section = read_section(*table);
        } else {
            refuse(node, otherwise);
        }
    }

    void read_hosts(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) {
            refuse(node, "'hosts' is a table: write [hosts] and lines such as beta = \"10.0.0.2\" below it");
            return;
        }
        for (const auto& [alias, host] : *table) {
            if (const toml::table* settings = host.as_table()) {
                text_.hosts.emplace(alias.str(), read_section(*settings));
                continue;
            }
            Section section{place_of(alias.source()), {}};
            section.settings.emplace("address", read_setting(alias, host));
            text_.hosts.emplace(alias.str(), std::move(section));
        }
    }

    void read_flows(const toml::node& node) {
        const toml::array* flows = node.as_array();
        if (flows == nullptr) {
            refuse(node, "'flow' is a list of tables: write [[flow]], with two brackets, before each flow");
            return;
        }
        for (const toml::node& flow : *flows) {
            if (const toml::table* table = flow.as_table()) {
                text_.flows.push_back(read_section(*table));
            } else {
                refuse(flow, "a flow is a table: write [[flow]] and settings below it");
            }
        }
    }

    void read_batch(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) {
            refuse(node, "'batch' is a table: write [batch] and lines such as size = [64, 512] below it");
            return;
        }
        text_.batch = ListSection{place_of(node.source()), {}};
        for (const auto& [key, value] : *table) {
            text_.batch->settings.emplace(key.str(), read_list(key, value));
        }
    }

    const toml::table& root_;
    ExperimentText text_;
};

}  // namespace

ExperimentText read_experiment_text(std::string_view text, const std::string& file) {
    if (text.size() > kMaxExperimentBytes) {
        throw ParseError(file, {{0, 0, "the file is larger than 16 MiB"}});
    }
    try {
        const toml::table root = toml::parse(text, file);
        return Reader(root).read();
    } catch (const toml::parse_error& error) {
        const Place place = place_of(error.source());
        throw ParseError(file, {{place.line, place.column, std::string(error.description())}});
    }
}

}  // namespace groma
