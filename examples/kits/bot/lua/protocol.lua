-- The protocol of the universal game server, with LuaSocket. Your ideas are in bot.lua.
--
-- Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

local socket = require("socket")

local protocol = {}

-- Just enough XML ------------------------------------------------------------------------------------------------------

local NAMED = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }

-- The text with references such as &amp; and &#233; replaced.
local function unescape(text)
  return (text:gsub("&(#?)(x?)(%w+);", function(number, hex, word)
    if number == "" then return NAMED[hex .. word] end
    return utf8.char(tonumber(word, hex == "x" and 16 or 10))
  end))
end

-- The text as the value of an attribute.
function protocol.escape(text)
  return (text:gsub('[&<>"]', function(sign) return "&#" .. sign:byte() .. ";" end))
end

-- The first child of this name, or nil.
function protocol.child(element, name)
  for _, each in ipairs(element and element.children or {}) do
    if each.name == name then return each end
  end
end

-- All children of this name, to go through with `for`.
function protocol.all(element, name)
  local at = 0
  return function()
    repeat at = at + 1 until element.children[at] == nil or element.children[at].name == name
    return element.children[at]
  end
end

-- The moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
function protocol.listed_moves(state)
  local found = {}
  local function look(element)
    if (element.name == "play" or element.name == "forfeit") and element.attributes.id then table.insert(found, element) end
    for _, each in ipairs(element.children) do look(each) end
  end
  look(state)
  return found
end

local SECTIONS = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" } }

-- Where the piece of markup ends that begins at `start`; nil when it is not complete yet. It is a comment, a CDATA
-- section, a processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may stand.
local function markup_end(buffer, start)
  for _, section in ipairs(SECTIONS) do
    local first, last = section[1], section[2]
    local here = buffer:sub(start, start + #first - 1)
    if here == first then return select(2, buffer:find(last, start + #first, true)) end
    if here == first:sub(1, #here) then return nil end -- may yet become one
  end
  local at = start
  while true do
    at = buffer:find("[\"'>]", at)
    if at == nil then return nil end
    local sign = buffer:sub(at, at)
    if sign == ">" then return at end
    at = buffer:find(sign, at + 1, true)
    if at == nil then return nil end
    at = at + 1
  end
end

local function new_element(markup)
  local element = { name = markup:match("^<([^%s/>]+)"), attributes = {}, children = {}, text = "" }
  for name, quote, rest in markup:gmatch("([^%s=<>\"'/]+)%s*=%s*([\"'])()") do
    element.attributes[name] = unescape(markup:sub(rest, markup:find(quote, rest, true) - 1))
  end
  return element
end

-- Gives a function that takes the next bytes and gives the documents that are complete with them, each a tree of elements
-- {name, attributes, children, text}. TCP knows no documents: one may come in many pieces, and one piece may hold many.
-- So we keep the elements that are open, and a document ends with the tag that closes the last of them.
local function documents()
  local buffer, position, open = "", 1, {} -- the buffer before the position has been looked at

  local function text(more)
    if #open > 0 then open[#open].text = open[#open].text .. more end
  end

  -- Handles a piece of markup; gives the root element when that is the end of it.
  local function take(markup)
    if markup:sub(1, 9) == "<![CDATA[" then text(markup:sub(10, -4)) end
    if markup:find("^<[!?]") then return nil end
    if markup:sub(2, 2) ~= "/" then
      local element = new_element(markup)
      if #open > 0 then table.insert(open[#open].children, element) end
      table.insert(open, element)
      if markup:sub(-2) ~= "/>" then return nil end
    end
    local ended = table.remove(open)
    return #open == 0 and ended or nil
  end

  return function(bytes)
    buffer = buffer .. bytes
    local complete = {}
    while true do
      local start = buffer:find("<", position, true)
      local last = start and markup_end(buffer, start)
      if last == nil then return complete end -- no complete piece of markup left: wait for more
      text(unescape(buffer:sub(position, start - 1)))
      position = last + 1
      local root = take(buffer:sub(start, last))
      if root then
        table.insert(complete, root)
        buffer, position = buffer:sub(position), 1
      end
    end
  end
end

-- The protocol: XML documents, one after another, with nothing between them -------------------------------------------

local child, escape = protocol.child, protocol.escape

local own_token = os.getenv("UGS_TOKEN") or "" -- where nicks have tokens: ours; not on the command line, which all can see
local SILENCE_S = 3 -- without a game; then we ask what we wait for
local MOST_REFUSED = 3 -- documents of ours, without a whole game in between; then the next one is no better
local MOST_UNANSWERED = 4 -- connections that end before our login was answered; then it is no use to go on
local REFUSALS = { -- why a server does not let us in, by the number of its error
  ["1"] = "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
  ["2"] = "this server does not offer this game",
  ["3"] = "there is no room: the server or the pool of the game is full, or a championship has begun",
}
local NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not"
local USAGE = "usage: lua bot.lua HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]\n"

local me = {
  played = 0,
  called = nil, -- the nick that the server knows us by: of "NAME#TOKEN" it is the name
  counted = nil, -- the game that was counted last: after a cut line we may hear of its end once more
  asking = "", -- how the server is asked about us and our games, where the token of our session is kept
  hinted = false, -- we have said how a server is started
  in_session = false, -- the server has told us of a session of ours, in this run
  answered = false, -- we have just come back, and the server waits for no move of ours
  back = false, -- we have just come back into a game: what we know of it may be old, or nothing
  held = nil, -- the last state, as long as we wait for those before it
  token = "", -- of our session: who shows it goes on with the game after a cut line; empty without a session
  welcome = false, -- we were let in before, so a refusal means that the server has not missed us yet
  at_a_loss = false, -- we have logged out, for want of a move
  explained = false, -- the server has said why it refuses our login
  explains = false, -- it says what we wait for when it is asked
  asks = false, -- we shall ask
  lists = false, -- it shows all states of our game when it is asked
  kept = 0, -- the server keeps the nick for so many seconds, perhaps for an earlier start of ours
  waited = false, -- for that; we do so once
  refused = false, -- or it is no use to try again for another reason
  broken = 0, -- how often the server has put us out since the last whole game
  unanswered = 0, -- connections in a row that ended before our login was answered
  pause = 1, -- seconds before the next connection, at most; twice as many each time, until we are let in
}

-- Sends one message, or several in one piece, which begins with the XML declaration.
local function say(body) me.line:send('<?xml version="1.0" encoding="UTF-8"?>' .. body) end

-- An attribute of a child of a message, and the text in one; empty without it.
local function fact(message, name, attribute)
  local found = child(message, name)
  return found and found.attributes[attribute] or ""
end
local function text_of(message, name)
  local found = child(message, name)
  return found and found.text or ""
end

-- The login, on a line of which nothing is known yet.
local function login()
  local words = 'nick="' .. escape(me.nick) .. '" gameType="' .. escape(me.game_type) .. '"'
  return '<message type="playerLogin"><playerLogin ' .. words .. "/></message>"
end

-- Writes the token of our session down, for us alone: who has it can take our seat.
local function keep_token()
  if not me.session_file then return end
  local file, failure = io.open(me.session_file, "w")
  if file then
    os.execute("chmod 600 '" .. me.session_file:gsub("'", "'\\''") .. "'") -- before the token is in it
    file:write(me.token, "\n")
    file, failure = file:close() -- what was written is seen on the disk here, or is not
    failure = failure and me.session_file .. ": " .. failure
  end
  if file then return end
  print("cannot write " .. failure .. "; playing on without it")
  me.session_file = nil
end

-- Sees that the token of our session can be written down, before there is one; else the program ends.
local function check_writable()
  if not me.session_file then return end
  local file, failure = io.open(me.session_file, "a")
  if file == nil then
    print("cannot write " .. failure)
    os.exit(1)
  end
  file:close()
end

-- The token in a file; nothing without one, and why.
local function token_in(path)
  local file, failure = io.open(path)
  if file == nil then return nil, failure end
  local token = (file:read("l") or ""):match("^%s*(.-)%s*$")
  file:close()
  return token
end

-- Logs in when the server does not take us back; whether that was it.
local function is_session_over(why)
  if me.token == "" or me.unanswered == 0 then return false end
  if me.in_session then print("the session is over: " .. why) end -- else it is of an earlier start, which may have ended well
  me.token, me.current = "", nil
  say(login())
  return true
end

local OUT = { { "game void:", "void" }, { "removed by the game master", "loser" }, { "document refused", "loser" } }
local ENDS = { { "lost", "loser" }, { "won", "winner" }, { "drawn", "a draw" } } -- won or drawn when we were away

-- What an error says that we are in our game, which is over for us then: no end of it is shown to us. Else nothing.
local function end_in(text)
  for _, out in ipairs(OUT) do
    if text:sub(1, #out[1]) == out[1] then return out[2] end
  end
  for _, over in ipairs(ENDS) do
    if text:find("game " .. me.current .. " is " .. over[1], 1, true) then return over[2] end
  end
end

-- Counts our game as played, once; whether that was the last one.
local function is_last()
  if me.current ~= me.counted and me.played ~= me.games then me.played = me.played + 1 end -- after our logout some may yet come
  me.counted = me.current
  return me.played == me.games
end

local answers = {}

function answers.loginResponse(message)
  me.unanswered = 0
  if fact(message, "response", "accept") == "yes" then
    me.welcome, me.waited, me.pause, me.asks = true, false, 1, me.explains
    local name = me.nick:match("^[^#]*") -- what stands behind it may be a token
    print("logged in as " .. name .. me.asking)
  elseif me.kept > 0 then
    me.line:close()
  else
    local number = fact(message, "error", "id")
    local why = me.explained and "" or ": " .. (REFUSALS[number] or "the server does not say why")
    print(("login refused%s (error %s)"):format(why, number))
    me.explained = false
    me.refused = not me.welcome
    me.line:close()
  end
end

-- What the server knows beyond the protocol.
answers["x-hello"] = function(message)
  for ext in protocol.all(message, "ext") do
    me.explains = me.explains or ext.attributes.name == "reason"
    me.lists = me.lists or ext.attributes.name == "state"
  end
end

answers["x-account"] = function(message)
  if message.attributes.ref == "waiting" then print("waiting: " .. text_of(message, "account"):gsub("\n", "; ")) end
end

answers["x-session"] = function(message)
  local resumed = fact(message, "session", "resumed") == "yes"
  me.token, me.in_session = fact(message, "session", "token"), true
  local nick = fact(message, "session", "nick")
  if nick ~= "" then me.called = nick end
  me.answered = fact(message, "session", "turn") == "no"
  me.back = resumed and fact(message, "session", "turn") ~= ""
  keep_token()
  if resumed then print(me.back and "back again" or "back again: no game of yours goes on") end
end

-- The server asks whether we are there.
answers["x-ping"] = function(message)
  local ref = message.attributes.ref
  say('<message type="x-pong"' .. (ref and ' ref="' .. escape(ref) .. '"' or "") .. "/>")
end

function answers.gameState(message)
  local id = fact(message, "gameId", "id")
  local game = '<gameId id="' .. escape(id) .. '"/>'
  if id ~= me.current then -- we hear of a new game by its first state
    me.current, me.bot, me.held = id, me.new_bot(), nil
    print("in game " .. id)
  end
  local state = child(message, "gameState")
  if state then me.bot:sees(state) end
  if me.back and me.lists then
    me.back, me.held = false, message
    return say('<message type="x-listStates" ref="states">' .. game .. "</message>")
  end
  if me.held then -- it is among those that come, or comes once more behind them
    me.answered, me.held = false, message
    return
  end
  if fact(message, "nextPlayer", "nick") == me.called and not me.answered then
    local move = me.bot:move()
    if move == "" then
      print("this state lists no moves that I know how to choose")
      me.at_a_loss, me.refused = true, true
      say('<message type="logout"/>')
    else
      say('<message type="move">' .. game .. "<move>" .. move .. "</move></message>")
    end
  end
  me.answered = false
  local over = child(message, "gameOver")
  me.asks = me.explains and over ~= nil
  if over == nil then return end
  local players, results, different = 0, {}, 0
  for player in protocol.all(over, "player") do
    local result = player.attributes.result
    if not results[result] then different = different + 1 end
    players, results[result] = players + 1, true
  end
  local drawn = players > 1 and different == 1
  for player in protocol.all(over, "player") do
    if player.attributes.nick == me.called then
      print("game over: " .. (drawn and "a draw" or player.attributes.result) .. " in " .. id)
    end
  end
  me.broken = 0
  -- A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server closes
  -- now; reading on until then makes sure that it got our last word.
  say(is_last() and '<message type="logout"/>' or '<message type="thank you">' .. game .. "</message>")
end

-- All states before the last one, which comes once more now.
answers["x-states"] = function(message)
  if not me.held then return end
  me.bot, me.held = me.new_bot(), nil
  for shown in protocol.all(message, "shown") do me.bot:sees(child(shown, "gameState")) end
end

answers["x-verdict"] = function(message)
  local account, said = text_of(message, "account"), text_of(message, "said")
  print("why: " .. account .. (account ~= "" and said ~= "" and "; " or "") .. said)
end

answers["x-reason"] = function(message)
  print("the game master says that we broke a rule: " .. text_of(message, "cause"))
end

-- Why a login is refused comes before its answer.
answers["x-failed"] = function(message)
  if message.attributes.ref == "waiting" then return end -- it does not tell now what we wait for
  if message.attributes.ref == "states" then -- nor what we have missed: we go on with what we know
    local last = me.held
    me.held = nil
    return last and answers.gameState(last)
  end
  local why, wait = text_of(message, "reason"), fact(message, "reason", "waitSec")
  if is_session_over(why) then return end
  if fact(message, "reason", "code") == "DUPLICATE_USER" and tonumber(wait) and not me.waited then
    print(("the nick is kept for %s s more: waiting"):format(wait))
    me.kept, me.waited = tonumber(wait), true
  else
    print("the server says: " .. why)
    if why:find("has a token", 1, true) and own_token == "" then
      print("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment")
    end
    me.explained = true
  end
end

function answers.error(message)
  local text = message.text:match("^%s*(.-)%s*$")
  if is_session_over(text) then return end
  print("the server says: " .. text)
  if text:find("^document refused") or text:find("^this session continues") then me.broken = me.broken + 1 end
  local result = me.current ~= nil and me.current ~= me.counted and end_in(text)
  if not result then return end
  print("game over: " .. result .. " in " .. me.current)
  me.asks, me.held = me.explains, nil
  if is_last() then say('<message type="logout"/>') end
end

function answers.serverShutdown()
  print("the server shuts down")
  me.token = "" -- sessions end with a server that says good-bye
end

-- Anything else, such as championsList, is good to know but asks nothing of us.

-- Connects, logs in and plays until the server closes.
local function play(host, port)
  local line, failure = socket.connect(host, port)
  if line == nil then
    print("no connection: " .. failure)
    if not (me.welcome or me.unanswered > 0 or me.hinted) then
      me.hinted = true
      print("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one")
    end
    return
  end
  me.line, me.unanswered, me.asks, me.explains = line, me.unanswered + 1, false, false
  me.lists, me.back, me.held = false, false, nil
  if me.token == "" then me.current = nil end
  line:setoption("tcp-nodelay", true) -- moves are small and must not wait
  -- First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in
  -- an error.
  local identity = own_token ~= "" and '<identity token="' .. escape(own_token) .. '"/>' or ""
  local resume = '<message type="x-resume"><session token="' .. escape(me.token) .. '"/></message>'
  local families = '<ext name="session"/><ext name="state"/><ext name="reason"/>'
  say('<message type="x-hello">' .. families .. me.program .. identity .. "</message>" .. (me.token ~= "" and resume or login()))
  local feed = documents()
  while true do
    line:settimeout(1) -- wait for the first byte, and look for Ctrl-C meanwhile; then take what else is there
    local silent, piece, failure = 0, nil, nil
    repeat
      piece, failure = line:receive(1)
      silent = silent + 1
      if me.asks and failure == "timeout" and silent == SILENCE_S then -- without a game we ask what we wait for
        say('<message type="x-why" ref="waiting"/>')
        me.asks = false
      end
    until failure ~= "timeout"
    if piece == nil then break end
    line:settimeout(0)
    local more, _, part = line:receive(65536)
    for _, message in ipairs(feed(piece .. (more or part or ""))) do
      local answer = answers[message.attributes.type]
      line:settimeout(nil)
      if answer then answer(message) end
    end
  end
  if not me.at_a_loss and me.kept == 0 and me.played ~= me.games then print("the server has closed the connection") end
  if me.unanswered == 1 and not me.welcome then print(NO_SERVER) end
  me.line = nil
  line:close()
end

-- Our last word at Ctrl-C, or the server would keep the nick for us. It closes then.
local function log_out()
  print("stopped")
  if me.line then
    say('<message type="logout"/>')
    me.line:settimeout(2)
    while me.line:receive(1) do end
  end
  os.exit(0)
end

-- Waits; Ctrl-C is looked for once a second.
local function wait(seconds)
  for left = seconds, 0, -1 do socket.sleep(math.min(left, 1)) end
end

-- Plays until it is no use to come back, and ends the program.
local function play_on()
  while true do
    play(arg[1], arg[2])
    if me.played == me.games then os.exit(0) end
    if me.broken >= MOST_REFUSED then
      print("the server has put us out three times in a row: it says above why")
      os.exit(1)
    end
    if me.unanswered >= MOST_UNANSWERED and not me.welcome and not me.refused then
      print(NO_SERVER)
      me.refused = true
    end
    if me.refused then os.exit(1) end
    wait(me.kept > 0 and me.kept or me.pause * (0.2 + 0.8 * math.random())) -- not all bots at once
    me.kept, me.pause = 0, math.min(2 * me.pause, 30)
  end
end

-- Does what the command line says, and ends the program. `new_bot` makes a bot for each game; `game_type` is what it plays;
-- the name and the version are what the server shows.
function protocol.run(new_bot, game_type, name, version)
  io.stdout:setvbuf("line")
  math.randomseed(math.floor(socket.gettime() * 1000000) % 2147483647)
  me.new_bot, me.game_type, me.games, me.nick = new_bot, game_type, -1, arg[3]
  me.called = me.nick
  me.program = '<program name="' .. escape(name) .. '" version="' .. escape(version) .. '"/>'
  local wrong = arg[3] == nil
  for at = 4, #arg, 2 do
    local name, value = arg[at], arg[at + 1]
    if name == "--game" and value then
      me.game_type = value
    elseif name == "--session-file" and value then
      me.session_file, me.token = value, token_in(value) or "" -- the session of an earlier start goes on
      me.asking = (" (why? ugs why --connect %s:%s --session-file %s)"):format(arg[1], arg[2], value)
    elseif name == "--token-file" and value then
      local token, failure = token_in(value)
      if token == nil then
        io.stderr:write(failure, "\n")
        os.exit(2)
      end
      own_token = token
    elseif name == "--games" and math.tointeger(tonumber(value)) and tonumber(value) >= 1 then
      me.games = math.tointeger(tonumber(value))
    else
      wrong = true
    end
  end
  if wrong then
    io.stderr:write(USAGE)
    os.exit(2)
  end
  check_writable()
  -- At Ctrl-C lua itself raises an error; all others are of the bot, or of this file.
  local _, failure = xpcall(play_on, function(failure) return debug.traceback(tostring(failure), 2) end)
  if failure:find("interrupted!", 1, true) then log_out() end
  io.stderr:write("lua: ", failure, "\n")
  os.exit(1)
end

return protocol
