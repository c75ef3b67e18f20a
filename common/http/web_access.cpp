#include "common/http/web_access.hpp"

#include <algorithm>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "common/access/key_files.hpp"
#include "common/access/random_secret.hpp"
#include "common/access/server_certificate.hpp"
#include "common/base/counted.hpp"
#include "common/base/lower_case.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::string_view kLogIn = "/login";
constexpr std::string_view kLogOut = "/logout";
constexpr std::size_t kMostSessions = 64;
constexpr std::ptrdiff_t kMostSessionsOfToken = 16;
constexpr std::size_t kDigits = 2 * Secret::kBytes;  // of a token, and of a session

constexpr std::string_view kFormHead =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>Groma</title></head>\n<body><h1>Groma</h1>\n<p>";
constexpr std::string_view kFormRest =
    "</p>\n<form method=\"post\" action=\"/login\"><label>Token <input type=\"password\" name=\"token\" "
    "autocomplete=\"current-password\" required autofocus></label> <button>Log in</button></form>\n"
    "<p>On this host, <code>groma-key token NAME --keys DIR</code> makes one; a program that runs reads it at "
    "SIGHUP.</p></body></html>\n";

std::string_view path_of(const HttpRequest& request) {
    return std::string_view(request.target).substr(0, request.target.find('?'));
}

/// `sentence` is of this program: nothing in it needs an escape.
HttpResponse form(unsigned status, std::string_view sentence) {
    HttpResponse page;
    page.status = status;
    page.content_type = "text/html; charset=utf-8";
    page.body.append(kFormHead).append(sentence).append(kFormRest);
    page.fields.emplace_back("Content-Security-Policy",
                             "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    return page;
}

/// For a person, a form; for a program, a line.
HttpResponse unauthorized(const HttpRequest& request, const std::string& sentence) {
    HttpResponse refusal =
        request.accept.find("text/html") != std::string::npos
            ? form(http_status::unauthorized, sentence)
            : http_refusal(http_status::unauthorized, sentence + " Send it as Authorization: Bearer TOKEN.");
    refusal.fields.emplace_back("WWW-Authenticate", "Bearer");
    return refusal;
}

std::string cookie_name(const HttpRequest& request) {
    // Cookies know no ports (RFC 6265, 8.5), and several programs of a host have pages.
    return "__Host-groma-" + std::to_string(request.local.port());
}

HttpResponse to_start(const std::string& cookie, std::string_view value, Nanos lives) {
    HttpResponse response;
    response.status = http_status::see_other;
    response.fields.emplace_back("Location", "/");
    response.fields.emplace_back(
        "Set-Cookie", cookie + '=' + std::string(value) + "; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=" +
                          std::to_string(std::chrono::floor<std::chrono::seconds>(lives).count()));
    return response;
}

/// Of "Bearer 0123...", in any case.
std::optional<std::string_view> bearer_of(const HttpRequest& request) {
    constexpr std::string_view kScheme = "bearer ";
    const std::string_view field = request.authorization;
    return in_lower_case(field.substr(0, kScheme.size())) == kScheme ? std::optional(field.substr(kScheme.size()))
                                                                     : std::nullopt;
}

/// Empty: there is none.
std::string_view session_of(const HttpRequest& request) {
    const std::string begin = cookie_name(request) + '=';
    std::string_view rest = request.cookie;
    while (not rest.empty()) {
        std::string_view one = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (one.starts_with(begin)) {
            return one.substr(begin.size());
        }
    }
    return {};
}

/// The digits of the form's only field, with spaces around them that came with a copy.
std::string_view token_in(std::string_view form) {
    constexpr std::string_view kField = "token=";
    if (not form.starts_with(kField)) {
        return {};
    }
    form.remove_prefix(kField.size());
    form.remove_prefix(std::min(form.find_first_not_of('+'), form.size()));
    return form.substr(0, form.find_last_not_of('+') + 1);
}

}  // namespace

struct WebAccess::State {
    struct Session {
        Secret id_hash;
        Secret token_hash;
        MonoTime until;
    };

    State(WebFiles its_files, Clock& its_clock, std::function<void(const std::string&)> its_say, Audit its_audit)
        : files(std::move(its_files)),
          clock(its_clock),
          say(std::move(its_say)),
          audit(std::move(its_audit)),
          certificate(read_server_certificate(files.certificate, files.key, clock.wall_now())),
          tokens(read_token_folder(files.tokens)) {}

    void await_hangup(WebAccess& access);
    void tell_what_is_wrong();
    [[nodiscard]] std::string tokens_in_words() const;
    [[nodiscard]] bool is_own_name(const HttpRequest& request) const;
    /// Null: there is no such token. An expired one is found as well.
    [[nodiscard]] const WebToken* find(const Secret& hash) const;
    /// Of a session that goes on.
    [[nodiscard]] const Session* session(const HttpRequest& request);
    /// Of whoever asks; null: of nobody.
    [[nodiscard]] const WebToken* proved(const HttpRequest& request, std::string& why);
    [[nodiscard]] WebVerdict refuse(const HttpRequest& request, const std::string& why);
    [[nodiscard]] WebVerdict log_in(const HttpRequest& request, WebScope scope);
    [[nodiscard]] std::string begin_session(const WebToken& token);
    [[nodiscard]] WebVerdict log_out(const HttpRequest& request);
    [[nodiscard]] WebVerdict judge(const HttpRequest& request, WebScope scope);
    void turn_away(const SocketAddress& peer, const std::string& why);

    const WebFiles files;
    Clock& clock;
    std::function<void(const std::string&)> say;
    Audit audit;
    mutable std::mutex mutex;  ///< for what follows
    ServerCertificate certificate;
    std::vector<WebToken> tokens;
    std::list<Session> sessions;  ///< the oldest first
    RefusalLines lines;
    std::optional<boost::asio::signal_set> hangup;
};

std::string WebAccess::State::tokens_in_words() const {
    const std::string folder = plain_text(files.tokens.string());
    return tokens.empty()
               ? "no file *.token is in " + folder +
                     ", so that no other host is answered (groma-key token NAME --keys DIR makes one; then send SIGHUP)"
               : counted(tokens.size(), "token") + " in " + folder;
}

void WebAccess::State::tell_what_is_wrong() {
    if (not certificate.complaint.empty()) {
        say("clients will refuse the certificate " + plain_text(files.certificate.string()) + ": " +
            certificate.complaint);
    }
}

void WebAccess::State::await_hangup(WebAccess& access) {
    hangup->async_wait([this, &access](const boost::system::error_code& error, int /*signal*/) {
        if (not error and hangup) {
            access.read_again();
            await_hangup(access);
        }
    });
}

bool WebAccess::State::is_own_name(const HttpRequest& request) const {
    const std::optional<std::string_view> name = host_without_port(request.host);
    if (not name) {
        return false;
    }
    const std::optional<SocketAddress> address = SocketAddress::parse_literal(*name);
    return certificate.names_host(*name) or (address and address->same_host(request.local));
}

const WebToken* WebAccess::State::find(const Secret& hash) const {
    const WebToken* found = nullptr;
    for (const WebToken& token : tokens) {  // all of them, so that the time says nothing
        found = same_hash(token.hash, hash) ? &token : found;
    }
    return found;
}

const WebAccess::State::Session* WebAccess::State::session(const HttpRequest& request) {
    std::erase_if(sessions, [now = clock.now()](const Session& one) { return one.until <= now; });
    const std::string_view id = session_of(request);
    if (id.size() != kDigits) {
        return nullptr;
    }
    const Secret hash = hash_of_token(id);
    const auto found = std::ranges::find_if(sessions, [&](const Session& one) { return same_hash(one.id_hash, hash); });
    return found == sessions.end() ? nullptr : &*found;
}

const WebToken* WebAccess::State::proved(const HttpRequest& request, std::string& why) {
    const WebToken* token = nullptr;
    if (const auto digits = bearer_of(request)) {
        token = digits->size() == kDigits ? find(hash_of_token(*digits)) : nullptr;
        why = "its token is none of those here (SIGHUP has new ones read)";
    } else if (const Session* const one = session(request)) {
        token = find(one->token_hash);
        why = "the token of its session is not here any more";
    }
    if (token != nullptr and token->expired(clock.wall_now())) {
        why = "its token '" + token->name + "' was good until " + to_string(*token->last_day);
        return nullptr;
    }
    return token;
}

void WebAccess::State::turn_away(const SocketAddress& peer, const std::string& why) {
    lines.tell(say, peer.host_to_string(), peer.host_to_string() + ": turned away: " + why, clock.now());
    if (audit) {
        audit({.what = "connection", .from = peer.to_string(), .why = why});
    }
}

WebVerdict WebAccess::State::refuse(const HttpRequest& request, const std::string& why) {
    if (why.empty()) {
        return {.instead = unauthorized(request, "This takes a token.")};
    }
    turn_away(request.peer, why);
    return {.instead = unauthorized(request,
                                    "This token is not good here: it is none of this host's, has expired, or is "
                                    "new and the program has not read it yet (SIGHUP has it do so)."),
            .last = true};
}

std::string WebAccess::State::begin_session(const WebToken& token) {
    const auto is_of_token = [&](const Session& one) { return same_hash(one.token_hash, token.hash); };
    const bool has_many = std::ranges::count_if(sessions, is_of_token) >= kMostSessionsOfToken;
    if (has_many or sessions.size() == kMostSessions) {
        sessions.erase(has_many ? std::ranges::find_if(sessions, is_of_token) : sessions.begin());
    }
    std::string id = digits_of_token(random_secret());
    sessions.push_back({.id_hash = hash_of_token(id), .token_hash = token.hash, .until = clock.now() + kWebSession});
    return id;
}

WebVerdict WebAccess::State::log_in(const HttpRequest& request, WebScope scope) {
    if (request.method == "GET" or request.method == "HEAD") {
        return {.instead = form(200, "This takes a token.")};
    }
    const std::string_view digits = token_in(request.body);
    const WebToken* const token = digits.size() == kDigits ? find(hash_of_token(digits)) : nullptr;
    if (token == nullptr or token->expired(clock.wall_now())) {
        return refuse(request, token == nullptr
                                   ? "the token that it gave in the form is none of those here (SIGHUP has new ones "
                                     "read)"
                                   : "its token '" + token->name + "' was good until " + to_string(*token->last_day));
    }
    if (not token->scopes.has(scope)) {
        turn_away(request.peer, "it logged in with the token '" + token->name + "', which is good for " +
                                    to_string(token->scopes) + " only");
        return {.instead = form(http_status::forbidden,
                                scope == WebScope::page ? "This token is not for the page: groma-key token --for page "
                                                          "makes one that is."
                                                        : "This token is not for metrics: groma-key token --for "
                                                          "metrics makes one that is.")};
    }
    return {.instead = to_start(cookie_name(request), begin_session(*token), kWebSession), .token = token->name};
}

WebVerdict WebAccess::State::log_out(const HttpRequest& request) {
    if (request.method != "POST") {
        HttpResponse refusal = http_refusal(http_status::method_not_allowed, "a session ends with POST");
        refusal.allow = "POST";
        return {.instead = std::move(refusal)};
    }
    if (const Session* const one = session(request)) {
        sessions.remove_if([one](const Session& each) { return &each == one; });
    }
    return {.instead = to_start(cookie_name(request), "", Nanos(0))};
}

WebVerdict WebAccess::State::judge(const HttpRequest& request, WebScope scope) {
    if (request.host.empty()) {
        return {.instead = http_refusal(http_status::bad_request, "the request has no Host, or several: name one")};
    }
    if (not is_own_name(request)) {
        return {.instead = http_refusal(http_status::misdirected,
                                        "ask for this host by a name in its certificate, or by its address")};
    }
    if (auto refusal = refusal_of_other_sites(request, "https")) {
        return {.instead = std::move(refusal)};
    }
    if (path_of(request) == kLogIn) {
        return log_in(request, scope);
    }
    if (path_of(request) == kLogOut) {
        return log_out(request);
    }
    std::string why;
    const WebToken* const token = proved(request, why);
    if (token == nullptr) {
        return refuse(request, why);
    }
    if (not token->scopes.has(scope)) {
        const std::string lack = "the token '" + token->name + "' is good for " + to_string(token->scopes) +
                                 ", and this takes " + std::string(to_string(scope));
        turn_away(request.peer, lack);
        return {.instead =
                    http_refusal(http_status::forbidden, lack + " (groma-key token NAME --keys DIR --for SCOPES)")};
    }
    return {.token = token->name};
}

WebAccess::WebAccess(WebFiles files, Clock& clock, std::function<void(const std::string&)> say, Audit audit)
    : state_(std::make_unique<State>(std::move(files), clock, std::move(say), std::move(audit))) {
    state_->tell_what_is_wrong();
    state_->say("other hosts are answered that prove a token: " + state_->tokens_in_words());
}

WebAccess::~WebAccess() = default;

void WebAccess::read_again_on_hangup(boost::asio::io_context& io) {
    state_->hangup.emplace(io, SIGHUP);
    state_->await_hangup(*this);
}

void WebAccess::end() {
    state_->hangup.reset();
}

void WebAccess::read_again() {
    const std::lock_guard lock(state_->mutex);
    try {
        ServerCertificate certificate =
            read_server_certificate(state_->files.certificate, state_->files.key, state_->clock.wall_now());
        std::vector<WebToken> tokens = read_token_folder(
            state_->files.tokens, [this](const std::string& why) { state_->say("a token is not good: " + why); });
        state_->certificate = std::move(certificate);
        state_->tokens = std::move(tokens);
        state_->say("has read the certificate and the tokens again: " + state_->tokens_in_words() +
                    (is_folder_of_credentials(state_->files.tokens)
                         ? "; a service has those of its start: restart it for others"
                         : ""));
        state_->tell_what_is_wrong();
    } catch (const std::exception& error) {
        state_->say("certificate and tokens stay as they were, those that were removed included: " +
                    std::string(error.what()));
    }
}

std::shared_ptr<boost::asio::ssl::context> WebAccess::tls() const {
    const std::lock_guard lock(state_->mutex);
    return state_->certificate.context;
}

bool WebAccess::takes_form(const HttpRequest& request) {
    return request.method == "POST" and path_of(request) == kLogIn;
}

WebVerdict WebAccess::judge(const HttpRequest& request, WebScope scope) {
    const std::lock_guard lock(state_->mutex);
    return state_->judge(request, scope);
}

void WebAccess::let_in(const SocketAddress& peer, const std::string& token) {
    const std::lock_guard lock(state_->mutex);
    if (state_->audit) {
        state_->audit({.what = "connection", .allowed = true, .from = peer.to_string(), .key = token});
    }
}

void WebAccess::turn_away(const SocketAddress& peer, const std::string& why) {
    const std::lock_guard lock(state_->mutex);
    state_->turn_away(peer, why);
}

}  // namespace groma
