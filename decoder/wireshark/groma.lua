-- Groma's packets in Wireshark and tshark (docs/guide/wireshark.md): the packet header of version 1, that of version 2
-- with its seal, and the replies of the round-trip meter, described in docs/reference/wire-format.md. A packet of 20
-- bytes and more is found by its magic on any port; a smaller one by its conversation, or by the ports of the
-- preferences. Packets are untrusted: only captured bytes are read.

local groma = Proto("groma", "Groma packet")
local stream = Proto("groma_stream", "Groma packets on a byte stream")

local MAGIC, VERSION, SEALED = 0x6772, 1, 2
local SEAL_SIZE = 8
local FULL, SEQUENCE, NONE = 1, 2, 3
local LARGEST_FRAME = 1048576
local KNOCK = "47726f6d611a6b01"
local KNOCK_SIZE = 24

local f = {
    size = ProtoField.uint32("groma.size", "Size", base.DEC, nil, nil, "Payload bytes of the packet; on a byte stream all of its frame"),
    seq = ProtoField.uint32("groma.seq", "Sequence number", base.DEC, nil, nil, "Of the packet in its flow, modulo 2^32"),
    sent_at = ProtoField.absolute_time("groma.sent_at", "Sent at", base.UTC, "The sender's clock just before the send call"),
    sent_at_ns = ProtoField.int64("groma.sent_at_ns", "Sent at, ns since 1970", base.DEC),
    flow = ProtoField.uint32("groma.flow", "Flow", base.DEC, nil, nil, "Number of the flow in its run"),
    magic = ProtoField.uint16("groma.magic", "Magic", base.HEX),
    version = ProtoField.uint8("groma.version", "Version", base.DEC),
    flags = ProtoField.uint8("groma.flags", "Flags", base.HEX),
    reply = ProtoField.bool("groma.reply", "Reply", 8, {"the receiver sent it back", "from the sender"}, 0x01),
    reflected_at = ProtoField.absolute_time("groma.reflected_at", "Reflected at", base.UTC, "When the receiver got the packet, on its clock"),
    reflected_at_ns = ProtoField.int64("groma.reflected_at_ns", "Reflected at, ns since 1970", base.DEC),
    replied_at = ProtoField.absolute_time("groma.replied_at", "Replied at", base.UTC, "The receiver's clock just before the send call of the reply"),
    replied_at_ns = ProtoField.int64("groma.replied_at_ns", "Replied at, ns since 1970", base.DEC),
    delay = ProtoField.relative_time("groma.delay", "One-way delay", "Time of capture less time of departure: of both clocks' difference too"),
    rtt = ProtoField.relative_time("groma.rtt", "Round-trip time", "Of a reply: time of capture less the packet's time of departure"),
    forward_delay = ProtoField.relative_time("groma.forward_delay", "Delay on the way there", "Reflected at less sent at: of both clocks' difference too"),
    backward_delay = ProtoField.relative_time("groma.backward_delay", "Delay on the way back", "Time of capture less replied at: of both clocks' difference too"),
    residence = ProtoField.relative_time("groma.residence", "Residence", "How long the receiver held the packet, by its own clock"),
    seal = ProtoField.uint64("groma.seal", "Seal", base.HEX, nil, nil, "Only who has the flow's key can make it: it is not checked here"),
    filler = ProtoField.bytes("groma.filler", "Filler"),
    punch = ProtoField.bytes("groma.punch", "Punch", base.NONE, "Token of a receiver that dials"),
}
groma.fields = f

local e = {
    foreign = ProtoExpert.new("groma.foreign", "Magic or version are not Groma's", expert.group.MALFORMED, expert.severity.WARN),
    cut = ProtoExpert.new("groma.cut", "The packet was not captured whole", expert.group.UNDECODED, expert.severity.NOTE),
    bad_length = ProtoExpert.new("groma.bad_length", "Impossible length of a frame: the stream is broken from here on", expert.group.MALFORMED, expert.severity.ERROR),
    incomplete = ProtoExpert.new("groma.incomplete", "The rest of the frame is not there", expert.group.SEQUENCE, expert.severity.WARN),
}
groma.experts = {e.foreign, e.cut, e.bad_length, e.incomplete}

groma.prefs.level = Pref.enum("Header level", FULL, "How much of the header small packets carry (groma-send --header)",
    {{1, "full", FULL}, {2, "sequence", SEQUENCE}, {3, "none", NONE}}, false)
groma.prefs.udp = Pref.range("UDP and UDP-Lite ports", "", "Ports of flows that are not found by themselves", 65535)
groma.prefs.tcp = Pref.range("TCP ports", "", "Ports of flows that are not found by themselves", 65535)
groma.prefs.sctp = Pref.range("SCTP ports", "", "Ports of flows that are not found by themselves", 65535)
groma.prefs.dccp = Pref.range("DCCP ports", "", "Ports of flows that are not found by themselves", 65535)

local capture_time = Field.new("frame.time")
local tcp_stream = Field.new("tcp.stream")

-- Nanoseconds since 1970 as seconds and the rest, which is not below 0.
local function time_of(range)
    local ns = range:int64()
    local seconds, rest = (ns / 1000000000):tonumber(), (ns % 1000000000):tonumber()
    if rest < 0 then
        seconds, rest = seconds - 1, rest + 1000000000
    end
    return NSTime.new(seconds, rest)
end

-- Bytes of header in a packet with so much room: a prefix code.
local function header_size(room)
    local level = groma.prefs.level
    if level == NONE or room < 4 then
        return 0
    elseif level == SEQUENCE or room < 12 then
        return 4
    end
    return room < 20 and 12 or 20
end

local function has_magic(tvb, at)
    if tvb:captured_len() < at + 20 or tvb(at + 16, 2):uint() ~= MAGIC then
        return false
    end
    local version = tvb(at + 18, 1):uint()
    return version == VERSION or version == SEALED
end

-- A flow's number is never 0; two bytes of magic and one of version make a chance hit one in 2^24.
local function looks_like_packet(tvb, at)
    return has_magic(tvb, at) and tvb(at + 12, 4):uint() > 0
end

local function is_punch(tvb)
    return tvb:captured_len() >= KNOCK_SIZE and tvb(0, 8):bytes():tohex(true) == KNOCK
end

local function add_time(tree, field, in_ns, range)
    local time = time_of(range)
    tree:add(field, range, time)
    tree:add(in_ns, range):set_generated()
    return time
end

local function add_span(tree, field, from, to)
    if from and to then
        tree:add(field, to - from):set_generated()
    end
end

-- The two stamps after the header of a reply.
local function add_stamps(tvb, at, tree, sent_at, now)
    local reflected_at = add_time(tree, f.reflected_at, f.reflected_at_ns, tvb(at, 8))
    local replied_at = add_time(tree, f.replied_at, f.replied_at_ns, tvb(at + 8, 8))
    add_span(tree, f.forward_delay, sent_at, reflected_at)
    add_span(tree, f.residence, reflected_at, replied_at)
    add_span(tree, f.backward_delay, replied_at, now)
end

-- The header at `at` of a packet with `room` bytes for it and for filler, of which `seen` were captured.
-- Returns: its bytes; a summary.
local function add_header(tvb, at, room, seen, tree)
    local size = header_size(room)
    local had = math.min(size, seen)
    if had < 4 then
        return 0, ""
    end
    tree:add(f.seq, tvb(at, 4))
    local words = " Seq=" .. tvb(at, 4):uint()
    if had < 12 then
        return 4, words
    end
    local found = capture_time()
    local now = found and found.value
    local sent_at = add_time(tree, f.sent_at, f.sent_at_ns, tvb(at + 4, 8))
    if had < 20 then
        add_span(tree, f.delay, sent_at, now)
        return 12, words
    end
    tree:add(f.flow, tvb(at + 12, 4))
    tree:add(f.magic, tvb(at + 16, 2))
    tree:add(f.version, tvb(at + 18, 1))
    if not has_magic(tvb, at) then
        tree:add_proto_expert_info(e.foreign)
        return 20, words
    end
    tree:add(f.flags, tvb(at + 19, 1))
    tree:add(f.reply, tvb(at + 19, 1))
    words = " Flow=" .. tvb(at + 12, 4):uint() .. words
    local seal = tvb(at + 18, 1):uint() == SEALED and SEAL_SIZE or 0
    local reply = tvb(at + 19, 1):uint() % 2 == 1
    local before_seal = reply and room >= 36 + seal and 36 or 20
    add_span(tree, reply and f.rtt or f.delay, sent_at, now)
    if before_seal == 36 and seen >= 36 then
        add_stamps(tvb, at + 20, tree, sent_at, now)
    end
    if seal > 0 and seen >= before_seal + seal then
        tree:add(f.seal, tvb(at + before_seal, seal))
    end
    return math.min(before_seal + seal, seen), words .. (reply and " Reply" or "")
end

-- A packet of `size` bytes, of which the first `prefix` say its length.
local function add_packet(tvb, at, size, prefix, pinfo, tree)
    local captured = math.min(size, tvb:captured_len() - at)
    local item = captured > 0 and tree:add(groma, tvb(at, captured)) or tree:add(groma)
    if prefix > 0 then
        item:add(f.size, tvb(at, prefix), size)
    else
        item:add(f.size, size):set_generated()
    end
    local header, words = add_header(tvb, at + prefix, size - prefix, captured - prefix, item)
    if captured > prefix + header then
        item:add(f.filler, tvb(at + prefix + header, captured - prefix - header))
    end
    if captured < size then
        item:add_proto_expert_info(e.cut)
    end
    words = words .. " Size=" .. size
    item:append_text("," .. words)
    pinfo.cols.info:append(words)
end

local function begin(pinfo)
    pinfo.cols.protocol:set("GROMA")
    pinfo.cols.info:set("")
end

local function add_punch(tvb, pinfo, tree)
    local item = tree:add(groma, tvb(0, KNOCK_SIZE))
    item:add(f.punch, tvb(8, 16))
    item:append_text(", punch")
    pinfo.cols.info:append(" Punch")
end

local function dissect_datagram(tvb, pinfo, tree)
    if tvb:reported_len() == 0 then
        return 0
    end
    begin(pinfo)
    if tvb:reported_len() == KNOCK_SIZE and is_punch(tvb) then
        add_punch(tvb, pinfo, tree)
    else
        add_packet(tvb, 0, tvb:reported_len(), 0, pinfo, tree)
    end
    return tvb:captured_len()
end
groma.dissector = dissect_datagram

-- The varint at the start of a frame. Returns: the frame's length and its own; nil if more bytes are needed; false if
-- no frame begins like this (0, above 1 MiB, or not as short as possible).
local function frame_length(tvb, at)
    local length, weight = 0, 1
    for bytes = 1, 3 do
        if at + bytes > tvb:captured_len() then
            return nil
        end
        local byte = tvb(at + bytes - 1, 1):uint()
        length = length + byte % 128 * weight
        weight = weight * 128
        if byte < 128 then
            if length == 0 or length > LARGEST_FRAME or byte == 0 then
                return false
            end
            return length, bytes
        end
    end
    return false
end

local function looks_like_frame(tvb, at)
    local size, prefix = frame_length(tvb, at)
    return size and size - prefix >= 20 and looks_like_packet(tvb, at + prefix)
end

-- Where streams broke: number of the frame by stream and direction.
local broken = {}
function groma.init()
    broken = {}
end

local function direction(pinfo)
    local found = tcp_stream()
    return (found and tostring(found.value) or "") .. "/" .. pinfo.src_port
end

-- Requests the rest of a frame whose first bytes are at `at`; without reassembly of segments, reports that it is
-- missing.
local function want_rest(tvb, at, size, pinfo, tree)
    local all = tvb:reported_len()
    if pinfo.can_desegment > 0 and tvb:captured_len() == all then
        pinfo.desegment_offset = at
        pinfo.desegment_len = size and at + size - all or DESEGMENT_ONE_MORE_SEGMENT
        return
    end
    local item = tree:add(groma, tvb(at))
    item:append_text(", part of a frame")
    item:add_proto_expert_info(e.incomplete)
end

-- Returns: whether the stream continues.
local function add_frames(tvb, pinfo, tree)
    local at = is_punch(tvb) and KNOCK_SIZE or 0
    if at > 0 then
        add_punch(tvb, pinfo, tree)
    end
    while at < tvb:captured_len() do
        local size, prefix = frame_length(tvb, at)
        if size == false then
            local item = tree:add(groma, tvb(at))
            item:add_proto_expert_info(e.bad_length)
            pinfo.cols.info:append(" Broken")
            return false
        end
        if not size or at + size > tvb:reported_len() then
            want_rest(tvb, at, size, pinfo, tree)
            return true
        end
        add_packet(tvb, at, size, prefix, pinfo, tree)
        at = at + size
    end
    return true
end

local function dissect_stream(tvb, pinfo, tree)
    begin(pinfo)
    local key = direction(pinfo)
    local since = broken[key]
    if since and pinfo.number > since then
        tree:add(groma, tvb(0)):append_text(", behind an impossible length")
        return tvb:captured_len()
    end
    if pinfo.can_desegment == 0 and not looks_like_frame(tvb, 0) and tvb:captured_len() < tvb:reported_len() then
        -- A partly captured segment, and what follows one: the start of the next frame is unknown.
        tree:add(groma, tvb(0)):append_text(", within a frame")
        return tvb:captured_len()
    end
    if not add_frames(tvb, pinfo, tree) then
        broken[key] = since or pinfo.number
    end
    return tvb:captured_len()
end
stream.dissector = dissect_stream

local function find_datagram(tvb, pinfo, tree)
    local punch = tvb:reported_len() == KNOCK_SIZE and is_punch(tvb)
    if not punch and not looks_like_packet(tvb, 0) then
        return false
    end
    pinfo.conversation = groma
    dissect_datagram(tvb, pinfo, tree)
    return true
end

local function find_stream(tvb, pinfo, tree)
    if not is_punch(tvb) and not looks_like_frame(tvb, 0) then
        return false
    end
    pinfo.conversation = stream
    dissect_stream(tvb, pinfo, tree)
    return true
end

-- Wireshark has removed the echo's header; requests and replies of ping have no magic. There is no conversation to
-- remember.
local function find_echo(tvb, pinfo, tree)
    if not looks_like_packet(tvb, 0) then
        return false
    end
    dissect_datagram(tvb, pinfo, tree)
    return true
end

for _, transport in ipairs({"udp", "sctp", "dccp"}) do
    groma:register_heuristic(transport, find_datagram)
end
stream:register_heuristic("tcp", find_stream)
for _, transport in ipairs({"icmp", "icmpv6"}) do
    pcall(groma.register_heuristic, groma, transport, find_echo) -- not every version can dissect ICMP's payload
end

local ports = {udp = groma, tcp = stream, sctp = groma, dccp = groma}
local known = {}
function groma.prefs_changed()
    for transport, dissector in pairs(ports) do
        local table = DissectorTable.get(transport .. ".port")
        if known[transport] and known[transport] ~= "" then
            table:remove(known[transport], dissector)
        end
        known[transport] = groma.prefs[transport]
        if known[transport] and known[transport] ~= "" then
            table:add(known[transport], dissector)
        end
    end
end
for _, transport in ipairs({"udp", "tcp", "sctp"}) do -- DCCP has no "Decode As"
    DissectorTable.get(transport .. ".port"):add_for_decode_as(ports[transport])
end
