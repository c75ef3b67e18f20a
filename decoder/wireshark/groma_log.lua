-- The log protocol over UDP in Wireshark and tshark (docs/guide/wireshark.md): its datagrams
-- (docs/reference/log-udp.md) with number, acknowledgement and place of the data in the stream. Recognised by magic,
-- version, kind and the size of that kind.

local log = Proto("groma_log", "Groma log protocol over UDP")

local MAGIC, VERSION = 0x474c, 1
local KINDS = {[1] = "hello", [2] = "retry", [3] = "open", [4] = "accepted", [5] = "from shipper", [6] = "from server"}
local SIZES = {[1] = 64, [2] = 28, [3] = 64, [4] = 44}
local MAC, HEAD, LONGEST = 8, 20, 16384
local LEAST = HEAD + 1 + MAC

local f = {
    version = ProtoField.uint8("groma_log.version", "Version", base.DEC),
    kind = ProtoField.uint8("groma_log.kind", "Kind", base.DEC, KINDS),
    nonce = ProtoField.uint64("groma_log.nonce", "Nonce", base.HEX),
    issued = ProtoField.uint64("groma_log.issued", "Issued", base.DEC),
    token = ProtoField.uint64("groma_log.token", "Token", base.HEX),
    key = ProtoField.bytes("groma_log.key", "Key"),
    connection = ProtoField.uint64("groma_log.connection", "Connection", base.HEX),
    number = ProtoField.uint64("groma_log.number", "Number", base.DEC, nil, nil, "Of the datagram in its direction"),
    flags = ProtoField.uint8("groma_log.flags", "Flags", base.HEX),
    ack = ProtoField.bool("groma_log.flags.ack", "Acknowledgement", 8, nil, 0x01),
    has_data = ProtoField.bool("groma_log.flags.data", "Data", 8, nil, 0x02),
    last = ProtoField.bool("groma_log.flags.last", "Last", 8, nil, 0x04),
    ping = ProtoField.bool("groma_log.flags.ping", "Ping", 8, nil, 0x08),
    closing = ProtoField.bool("groma_log.flags.closing", "Closing", 8, nil, 0x10),
    held_back = ProtoField.uint32("groma_log.held_back", "Held back, us", base.DEC),
    limit = ProtoField.uint64("groma_log.limit", "Limit", base.DEC, nil, nil, "Offset up to which bytes are taken"),
    ranges = ProtoField.uint8("groma_log.ranges", "Ranges", base.DEC),
    highest = ProtoField.uint64("groma_log.highest", "Highest number", base.DEC),
    count = ProtoField.uint32("groma_log.range.count", "Numbers in the range", base.DEC),
    missing = ProtoField.uint32("groma_log.range.missing", "Numbers missing above it", base.DEC),
    offset = ProtoField.uint64("groma_log.offset", "Offset in the stream", base.DEC),
    data = ProtoField.bytes("groma_log.data", "Data"),
    mac = ProtoField.uint64("groma_log.mac", "MAC", base.HEX, nil, nil, "SipHash-2-4 under the connection's key; not checked here"),
}
log.fields = f
local malformed = ProtoExpert.new("groma_log.malformed", "Fields do not fit the datagram", expert.group.MALFORMED, expert.severity.ERROR)
log.experts = {malformed}

-- Reads fields from the front of a range of bytes; stops permanently at the first that does not fit.
local function reader(tvb, at, stop, tree)
    local self = {at = at, good = true}
    function self.take(field, size)
        if not self.good or self.at + size > stop then
            self.good = false
            return nil
        end
        local range = tvb(self.at, size)
        tree:add(field, range)
        self.at = self.at + size
        return range
    end
    return self
end

local function add_acknowledgement(from)
    from.take(f.held_back, 4)
    from.take(f.limit, 8)
    local ranges = from.take(f.ranges, 1)
    ranges = ranges and ranges:uint() or 0
    for number = 1, math.min(ranges, 32) do
        if number == 1 then
            from.take(f.highest, 8)
        else
            from.take(f.missing, 4)
        end
        from.take(f.count, 4)
    end
end

local function add_content(tvb, stop, item)
    local from = reader(tvb, HEAD, stop, item)
    local flags = from.take(f.flags, 1)
    for _, bit in ipairs({f.ack, f.has_data, f.last, f.ping, f.closing}) do
        item:add(bit, flags)
    end
    local bits = flags:uint()
    if bits % 2 == 1 then
        add_acknowledgement(from)
    end
    if bits % 4 >= 2 then
        from.take(f.offset, 8)
        if from.good and from.at < stop then
            from.take(f.data, stop - from.at)
        end
    end
    return from.good and from.at == stop
end

local OPENING = {
    [1] = {{f.nonce, 8}},
    [2] = {{f.nonce, 8}, {f.issued, 8}, {f.token, 8}},
    [3] = {{f.nonce, 8}, {f.issued, 8}, {f.token, 8}},
    [4] = {{f.nonce, 8}, {f.connection, 8}, {f.key, 16}, {f.mac, 8}},
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
        local from = reader(tvb, 4, size, item)
        for _, field in ipairs(OPENING[kind]) do
            from.take(field[1], field[2])
        end
        return size
    end
    item:add(f.connection, tvb(4, 8))
    item:add(f.number, tvb(12, 8))
    if not add_content(tvb, size - MAC, item) then
        item:add_proto_expert_info(malformed)
    end
    item:add(f.mac, tvb(size - MAC, MAC))
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
