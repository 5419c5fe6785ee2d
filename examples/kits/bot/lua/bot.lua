-- Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.lua.
--
--     lua bot.lua HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
--
-- As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

local here = arg[0]:match("^(.*[/\\])") or "./"
package.path = here .. "?.lua;" .. package.path
local protocol = require("protocol")

local NAME, VERSION = "mybot", "1" -- what the page of your bot shows: the results of each VERSION
local GAME_TYPE = "5-in-line-tic-tac-toe"
local SIZE = 20 -- of the board, as long as no state shows another one

-- One game; there is a new object for each.
local Bot = {}
Bot.__index = Bot

-- Fields with a stone, each "x,y"; the legal moves, where the state lists them, each with an id; and whether the state is
-- one of five in line.
local function new_bot()
  return setmetatable({ width = SIZE, height = SIZE, taken = {}, legal = {}, ours = true }, Bot)
end

-- Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
-- size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
function Bot:sees(state)
  self.width = tonumber(state.attributes.width) or self.width
  self.height = tonumber(state.attributes.height) or self.height
  for tac in protocol.all(state, "tac") do
    self.taken[tac.attributes.x .. "," .. tac.attributes.y] = true
  end
  self.legal = protocol.listed_moves(state)
  local empty = #state.children == 0 and next(state.attributes) == nil
  self.ours = protocol.child(state, "tac") ~= nil or state.attributes.width ~= nil or empty
end

-- Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
function Bot:move()
  if #self.legal > 0 then
    return '<play id="' .. self.legal[math.random(#self.legal)].attributes.id .. '"/>'
  end
  if not self.ours then return "" end
  local x, y
  repeat
    x, y = math.random(0, self.width - 1), math.random(0, self.height - 1)
  until not self.taken[x .. "," .. y]
  self.taken[x .. "," .. y] = true -- the state that shows it may get lost with the line
  return ('<tic x="%d" y="%d"/>'):format(x, y)
end

protocol.run(new_bot, GAME_TYPE, NAME, VERSION)
