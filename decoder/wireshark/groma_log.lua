-- The log protocol over UDP in Wireshark and tshark (docs/guide/wireshark.md): openings, and the numbers of datagrams
-- (docs/reference/log-udp.md), whose content is encrypted. Recognised by magic, version, kind and the size of that kind.

local log = Proto("groma_log", "Groma log protocol over UDP")

local MAGIC, VERSION = 0x474c, 2
local KINDS = {[1] = "hello", [2] = "retry", [3] = "open", [4] = "accepted", [5] = "from shipper", [6] = "from server",
    [7] = "refused"}
local SIZES = {[1] = 92, [2] = 28, [3] = 92, [4] = 68, [7] = 13}
local REFUSALS = {[1] = "its key is not taken", [2] = "a key is needed"}
local TAG, HEAD, LONGEST = 16, 20, 16384
local LEAST = HEAD + 1 + TAG

local f = {
    version = ProtoField.uint8("groma_log.version", "Version", base.DEC),
    kind = ProtoField.uint8("groma_log.kind", "Kind", base.DEC, KINDS),
    nonce = ProtoField.uint64("groma_log.nonce", "Nonce", base.HEX),
    issued = ProtoField.uint64("groma_log.issued", "Issued", base.DEC),
    token = ProtoField.uint64("groma_log.token", "Token", base.HEX),
    public_key = ProtoField.bytes("groma_log.public_key", "Public key", base.NONE, "Of X25519, for this connection alone"),
    key_id = ProtoField.bytes("groma_log.key_id", "Key id", base.NONE, "Of the key that is proved; zeros: none"),
    binder = ProtoField.bytes("groma_log.binder", "Binder", base.NONE, "The shipper's proof of the key; not checked here"),
    proof = ProtoField.bytes("groma_log.proof", "Proof", base.NONE, "The server's; not checked here"),
    refusal = ProtoField.uint8("groma_log.refusal", "Refused", base.DEC, REFUSALS),
    connection = ProtoField.uint64("groma_log.connection", "Connection", base.HEX),
    number = ProtoField.uint64("groma_log.number", "Number", base.DEC, nil, nil, "Of the datagram in its direction"),
    sealed = ProtoField.bytes("groma_log.sealed", "Content, encrypted"),
    tag = ProtoField.bytes("groma_log.tag", "Tag", base.NONE, "Of ChaCha20-Poly1305; not checked here"),
}
log.fields = f

local OPENING = {
    [1] = {{f.nonce, 8}},
    [2] = {{f.nonce, 8}, {f.issued, 8}, {f.token, 8}},
    [3] = {{f.nonce, 8}, {f.issued, 8}, {f.token, 8}, {f.public_key, 32}, {f.key_id, 16}, {f.binder, 16}},
    [4] = {{f.nonce, 8}, {f.connection, 8}, {f.public_key, 32}, {f.proof, 16}},
    [7] = {{f.nonce, 8}, {f.refusal, 1}},
}

local function looks_right(tvb)
    local size = tvb:captured_len()
    if size < 4 or size < tvb:reported_len() or tvb(0, 2):uint() ~= MAGIC or tvb(2, 1):uint() ~= VERSION then
        return false
    end
    local kind = tvb(3, 1):uint()
    if SIZES[kind] then
        return size == SIZES[kind]
    end
    return KINDS[kind] ~= nil and size >= LEAST and size <= LONGEST
end

local function dissect_datagram(tvb, pinfo, tree)
    if not looks_right(tvb) then
        return 0
    end
    local size, kind = tvb:captured_len(), tvb(3, 1):uint()
    pinfo.cols.protocol:set("GROMA-LOG")
    pinfo.cols.info:set(KINDS[kind])
    local item = tree:add(log, tvb(0))
    item:append_text(", " .. KINDS[kind])
    item:add(f.version, tvb(2, 1))
    item:add(f.kind, tvb(3, 1))
    if OPENING[kind] then
        local at = 4
        for _, field in ipairs(OPENING[kind]) do
            item:add(field[1], tvb(at, field[2]))
            at = at + field[2]
        end
        return size
    end
    item:add(f.connection, tvb(4, 8))
    item:add(f.number, tvb(12, 8))
    item:add(f.sealed, tvb(HEAD, size - HEAD - TAG))
    item:add(f.tag, tvb(size - TAG, TAG))
    return size
end
log.dissector = dissect_datagram

local function find_datagram(tvb, pinfo, tree)
    if not looks_right(tvb) then
        return false
    end
    dissect_datagram(tvb, pinfo, tree)
    return true
end

log:register_heuristic("udp", find_datagram)
DissectorTable.get("udp.port"):add_for_decode_as(log)
