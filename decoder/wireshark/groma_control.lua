-- Groma's control session in Wireshark and tshark (docs/guide/wireshark.md): frames of a length and a JSON message over
-- TCP, described in docs/reference/protocol.md. Recognised on any port by a length within the limit and a JSON object
-- after it.

local control = Proto("groma_control", "Groma control session")

local LONGEST = 16777216

local f = {
    length = ProtoField.uint32("groma_control.length", "Length", base.DEC),
    type = ProtoField.string("groma_control.type", "Type", base.UNICODE),
    message = ProtoField.string("groma_control.message", "Message", base.UNICODE),
}
control.fields = f
local too_long = ProtoExpert.new("groma_control.too_long", "Longer than any message: the session is broken from here on",
    expert.group.MALFORMED, expert.severity.ERROR)
control.experts = {too_long}

local json = Dissector.get("json")

-- The value of the member `type` of the object itself, not of one within it.
local function type_of(text)
    local depth, at = 0, 1
    while true do
        local from = text:find('[{}%[%]"]', at)
        if not from then
            return nil
        end
        local mark = text:sub(from, from)
        at = from + 1
        if mark == "{" or mark == "[" then
            depth = depth + 1
        elseif mark == "}" or mark == "]" then
            depth = depth - 1
        else
            local value = depth == 1 and text:match('^"type"%s*:%s*"([%w_%-]*)"', from)
            if value then
                return value
            end
            -- to the end of this text
            while true do
                local stop = text:find('["\\]', at)
                if not stop then
                    return nil
                end
                at = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
                if text:sub(stop, stop) == '"' then
                    break
                end
            end
        end
    end
end

local function message_size(tvb, pinfo, offset)
    local rest = tvb:reported_len() - offset -- what is there, and no further
    if tvb:captured_len() - offset < 4 then
        return rest
    end
    local length = tvb(offset, 4):uint()
    return length > LONGEST and rest or 4 + length
end

local function add_message(tvb, pinfo, tree)
    if tvb:captured_len() < 4 then
        return tvb:captured_len()
    end
    local item = tree:add(control, tvb(0))
    local length = tvb(0, 4):uint()
    item:add(f.length, tvb(0, 4))
    if length > LONGEST then
        item:add_proto_expert_info(too_long)
        return tvb:captured_len()
    end
    if tvb:captured_len() < 5 then
        return tvb:captured_len()
    end
    local body = tvb(4)
    local text = body:string(ENC_UTF_8)
    local kind = type_of(text)
    if kind then
        item:add(f.type, body, kind)
        item:append_text(", " .. kind)
        pinfo.cols.info:append(" " .. kind)
    end
    item:add(f.message, body, text)
    json:call(body:tvb(), pinfo, item)
    pinfo.cols.protocol:set("GROMA-CONTROL")
    return tvb:captured_len()
end

local function dissect_session(tvb, pinfo, tree)
    pinfo.cols.protocol:set("GROMA-CONTROL")
    pinfo.cols.info:set("")
    pinfo.cols.info:fence()
    dissect_tcp_pdus(tvb, tree, 4, message_size, add_message)
    return tvb:captured_len()
end
control.dissector = dissect_session

local function find_session(tvb, pinfo, tree)
    if tvb:captured_len() < 12 then
        return false
    end
    local length = tvb(0, 4):uint()
    if length < 8 or length > LONGEST or tvb(4, 2):uint() ~= 0x7b22 then -- {"
        return false
    end
    local first = math.min(tvb:captured_len() - 4, length)
    if not tvb(4, first):string(ENC_UTF_8):find('"type"%s*:%s*"') then
        return false
    end
    pinfo.conversation = control
    dissect_session(tvb, pinfo, tree)
    return true
end

control:register_heuristic("tcp", find_session)
DissectorTable.get("tcp.port"):add_for_decode_as(control)
