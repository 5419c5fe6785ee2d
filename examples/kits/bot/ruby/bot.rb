# Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.rb.
#
#     ruby bot.rb HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]
#
# As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

require_relative "protocol"

NAME = "mybot" # what the page of your bot shows: the results of each VERSION
VERSION = "1"
GAME_TYPE = "5-in-line-tic-tac-toe"
SIZE = 20 # of the board, as long as no state shows another one

# One game; there is a new object for each.
class Bot
  def initialize
    @free = fields(SIZE, SIZE) # without a stone, as x and y
    @legal = [] # the legal moves, where the state lists them, each with an id
    @ours = true # the state is one of five in line
  end

  # Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
  # size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
  def sees(state)
    width, height = state.attributes.values_at("width", "height")
    @free = fields(width.to_i, height.to_i) if width && height
    tacs = state.all("tac")
    tacs.each { |tac| @free.delete(tac.attributes.values_at("x", "y").map(&:to_i)) }
    @legal = state.listed_moves
    @ours = tacs.any? || !width.nil? || (state.children.empty? && state.attributes.empty?)
  end

  # Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
  def move
    return %(<play id="#{@legal.sample.attributes['id']}"/>) if @legal.any?
    return "" unless @ours

    x, y = @free.delete(@free.sample) # the state that shows it may get lost with the line
    %(<tic x="#{x}" y="#{y}"/>)
  end

  private

  def fields(width, height) = [*0...width].product([*0...height])
end

run(Bot, GAME_TYPE, NAME, VERSION)
