# Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.rb.
#
#     ruby bot.rb HOST PORT NICK [--game TYPE] [--games N] [--tls [--ca FILE]]
#
# As it comes it plays five in line, and every game whose states list the legal moves, at random.

require_relative "protocol"

GAME_TYPE = "5-in-line-tic-tac-toe"
SIZE = 20

# One game; there is a new object for each.
class Bot
  def initialize
    @free = [*0...SIZE].product([*0...SIZE]) # fields without a stone, as x and y
    @legal = [] # the legal moves, where the state lists them: id, and text
  end

  # Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end.
  def sees(state)
    state.all("tac").each { |tac| @free.delete(tac.attributes.values_at("x", "y").map(&:to_i)) }
    @legal = state.all("play").map(&:attributes)
  end

  # Our move, as XML: put your own ideas here.
  def move
    return %(<play id="#{@legal.sample['id']}"/>) if @legal.any?

    x, y = @free.sample
    %(<tic x="#{x}" y="#{y}"/>)
  end
end

run(Bot, GAME_TYPE)
