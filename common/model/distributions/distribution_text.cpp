#include "common/model/distributions/distribution_text.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

namespace {

enum class ValueKind { gap, period, size };

/// What the parser of a family is given: the process, the files, and the text behind "FAMILY:".
struct Source {
    ValueKind process;
    const NamedFiles& files;
    std::string_view family;
    std::string_view text;
};

using Parts = std::vector<std::string_view>;

Parts split(std::string_view text, char separator) {
    Parts parts;
    std::size_t end = 0;
    while ((end = text.find(separator)) != std::string_view::npos) {
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

/// The parameters of a family, as many as `form` names ("MEAN:SD").
Parts parameters(const Source& source, std::size_t least, std::size_t most, std::string_view form) {
    Parts parts = split(source.text, ':');
    if (parts.size() < least or parts.size() > most or source.text.empty()) {
        throw UsageError("'" + std::string(source.family) + "' needs " + std::string(form));
    }
    return parts;
}

/// A value of the process: a time, or bytes. A lone parameter gets its family into the advice.
double value(const Source& source, std::string_view text, bool alone = false) {
    const std::string prefix = alone and not source.family.empty() ? std::string(source.family) + ":" : std::string();
    return source.process == ValueKind::size ? parse_number(text) : parse_time_ns(text, prefix);
}

double value_or_rate(const Source& source, std::string_view text, bool alone = false) {
    const std::string prefix = alone and not source.family.empty() ? std::string(source.family) + ":" : std::string();
    return source.process == ValueKind::gap ? parse_gap_ns(text, prefix) : value(source, text, alone);
}

SimpleDistribution parse_constant(const Source& source) {
    return Constant{value_or_rate(source, parameters(source, 1, 1, "one value: const:VALUE")[0], true)};
}

SimpleDistribution parse_uniform(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: unif:LOW:HIGH");
    const double first = value_or_rate(source, parts[0]);
    const double second = value_or_rate(source, parts[1]);
    const bool rates = is_rate(parts[0]) and is_rate(parts[1]);
    return rates ? Uniform{second, first} : Uniform{first, second};
}

SimpleDistribution parse_exponential(const Source& source) {
    return Exponential{value_or_rate(source, parameters(source, 1, 1, "one value: exp:MEAN")[0], true)};
}

SimpleDistribution parse_normal(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: normal:MEAN:DEVIATION");
    return Normal{value(source, parts[0]), value(source, parts[1])};
}

/// "MEAN:UNIT" with the mean as a value, or as a multiple of the unit ("12.5x").
SimpleDistribution parse_poisson(const Source& source) {
    const Parts parts = parameters(source, 1, 2, "one or two values: poisson:MEAN[:UNIT]");
    const double default_unit = source.process == ValueKind::size ? 1 : 1e6;
    const double unit = parts.size() == 2 ? value(source, parts[1]) : default_unit;
    if (parts[0].ends_with('x')) {
        return Poisson{parse_number(parts[0].substr(0, parts[0].size() - 1)), unit};
    }
    return Poisson{value(source, parts[0], true) / unit, unit};
}

SimpleDistribution parse_pareto(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: pareto:SHAPE:SCALE");
    return Pareto{parse_number(parts[0]), value(source, parts[1])};
}

SimpleDistribution parse_cauchy(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: cauchy:LOCATION:SCALE");
    return Cauchy{value(source, parts[0]), value(source, parts[1])};
}

SimpleDistribution parse_gamma(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: gamma:SHAPE:SCALE");
    return Gamma{parse_number(parts[0]), value(source, parts[1])};
}

SimpleDistribution parse_weibull(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: weibull:SHAPE:SCALE");
    return Weibull{parse_number(parts[0]), value(source, parts[1])};
}

SimpleDistribution parse_lognormal(const Source& source) {
    const Parts parts = parameters(source, 2, 2, "two values: lognormal:MEDIAN:SIGMA");
    return LogNormal{value(source, parts[0]), parse_number(parts[1])};
}

SimpleDistribution parse_student(const Source& source) {
    const Parts parts = parameters(source, 3, 3, "three values: student:DEGREES:LOCATION:SCALE");
    return StudentT{parse_number(parts[0]), value(source, parts[1]), value(source, parts[2])};
}

SimpleDistribution parse_discrete(const Source& source) {
    Discrete discrete;
    for (const std::string_view pair : split(source.text, ',')) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos) {
            throw UsageError("'discrete' needs values with weights: discrete:VALUE=WEIGHT,VALUE=WEIGHT,...");
        }
        discrete.values.push_back(value_or_rate(source, pair.substr(0, equals)));
        discrete.weights.push_back(parse_number(pair.substr(equals + 1)));
    }
    return discrete;
}

SimpleDistribution parse_file(const Source& source) {
    const std::string path(source.text);
    if (path.empty()) {
        throw UsageError("'file' needs a path: file:PATH");
    }
    const auto parse_value = [&](std::string_view text) { return value_or_rate(source, text); };
    return FromFile{path, read_values(source.files, path, parse_value)};
}

struct Family {
    std::string_view name;
    SimpleDistribution (*parse)(const Source&);
};

constexpr std::array kFamilies = {Family{"const", parse_constant},  Family{"unif", parse_uniform},
                                  Family{"exp", parse_exponential}, Family{"normal", parse_normal},
                                  Family{"poisson", parse_poisson}, Family{"pareto", parse_pareto},
                                  Family{"cauchy", parse_cauchy},   Family{"gamma", parse_gamma},
                                  Family{"weibull", parse_weibull}, Family{"lognormal", parse_lognormal},
                                  Family{"student", parse_student}, Family{"discrete", parse_discrete},
                                  Family{"file", parse_file}};

[[noreturn]] void refuse_family(std::string_view name) {
    std::vector<std::string_view> names;
    std::string list;
    for (const Family& family : kFamilies) {
        names.push_back(family.name);
        list += std::string(family.name) + " ";
    }
    names.emplace_back("mix");
    throw UsageError("there is no distribution '" + plain_text(name, 40) + "'" + did_you_mean(name, names) +
                     " (there are: " + list + "mix)");
}

SimpleDistribution parse_simple(Source source) {
    const std::string_view whole = source.text;
    const std::size_t colon = whole.find(':');
    if (colon == std::string_view::npos) {
        const bool number = not whole.empty() and whole.find_first_of("0123456789") <= 1;
        source.family = "const";
        return number ? parse_constant(source) : (refuse_family(whole), SimpleDistribution{});
    }
    source.family = whole.substr(0, colon);
    source.text = whole.substr(colon + 1);
    for (const Family& family : kFamilies) {
        if (family.name == source.family) {
            return family.parse(source);
        }
    }
    if (source.family == "mix") {
        throw UsageError("a 'mix' cannot be a component of another");
    }
    refuse_family(source.family);
}

/// The position of the parenthesis that closes the one at the start of `text`.
std::size_t closing(std::string_view text) {
    std::size_t open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        open += text[i] == '(' ? 1U : 0U;
        open -= text[i] == ')' ? 1U : 0U;
        if (open == 0) {
            return i;
        }
    }
    throw UsageError("a parenthesis is not closed");
}

/// "0.6*(exp:4ms)+0.4*(const:10ms)"
Mixture parse_mixture(Source source) {
    Mixture mixture;
    std::string_view rest = source.text;
    while (true) {
        const std::size_t start = rest.find("*(");
        if (start == std::string_view::npos) {
            throw UsageError("'mix' needs weighted components: mix:WEIGHT*(DISTRIBUTION)+WEIGHT*(DISTRIBUTION)+...");
        }
        mixture.weights.push_back(parse_number(rest.substr(0, start)));
        rest.remove_prefix(start + 1);
        const std::size_t end = closing(rest);
        source.text = rest.substr(1, end - 1);
        mixture.components.push_back(parse_simple(source));
        rest.remove_prefix(end + 1);
        if (rest.empty()) {
            return mixture;
        }
        if (not rest.starts_with('+')) {
            throw UsageError("components of a 'mix' are joined by '+', not '" + plain_text(rest, 30) + "'");
        }
        rest.remove_prefix(1);
    }
}

Distribution widen(SimpleDistribution&& simple) {
    return std::visit([](auto&& family) { return Distribution{std::forward<decltype(family)>(family)}; },
                      std::move(simple));
}

Distribution parse(std::string_view text, ValueKind process, const NamedFiles& files, std::string_view what) {
    constexpr std::size_t kMaxText = 65536;
    try {
        if (text.empty() or text.size() > kMaxText) {
            throw UsageError(text.empty() ? "it is empty" : "it is too long");
        }
        const Source source{process, files, {}, text};
        Distribution distribution = text.starts_with("mix:")
                                        ? Distribution{parse_mixture({process, files, "mix", text.substr(4)})}
                                        : widen(parse_simple(source));
        if (const std::string mistake = parameter_mistake(distribution); not mistake.empty()) {
            throw UsageError(mistake);
        }
        return distribution;
    } catch (const UsageError& error) {
        throw UsageError("cannot use '" + plain_text(text, 100) + "' as " + std::string(what) + ": " + error.what());
    }
}

}  // namespace

Distribution parse_idt(std::string_view text, const NamedFiles& files) {
    return parse(text, ValueKind::gap, files, "inter-departure time");
}

Distribution parse_period(std::string_view text, const NamedFiles& files) {
    return parse(text, ValueKind::period, files, "ON or OFF period");
}

Distribution parse_size(std::string_view text, const NamedFiles& files) {
    return parse(text, ValueKind::size, files, "payload size");
}

}  // namespace groma
