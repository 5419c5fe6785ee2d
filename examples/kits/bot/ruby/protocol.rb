# The protocol of the universal game server, with nothing but the standard library. Your ideas are in bot.rb.
#
# Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

require "io/wait"
require "openssl"
require "optparse"
require "socket"
require "timeout"

# An element of XML; its attributes have a value for each name.
Element = Struct.new(:name, :attributes, :children, :text) do
  # The first child of this name, or nil.
  def child(name) = children.find { |each| each.name == name }

  # All children of this name.
  def all(name) = children.select { |each| each.name == name }

  # The moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
  def listed_moves
    own = %w[play forfeit].include?(name) && attributes.key?("id") ? [self] : []
    own + children.flat_map(&:listed_moves)
  end
end

# Just enough XML.
module Xml
  # A comment, a CDATA section, a processing instruction (the XML declaration is one), or a tag, in whose attribute
  # values a ">" may stand.
  MARKUP = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]+|"[^"]*"|'[^']*')*+>/mn
  ATTRIBUTE = /([^\s=<>"'\/]+)\s*=\s*("[^"]*"|'[^']*')/n
  NAMED = { "lt" => "<", "gt" => ">", "amp" => "&", "quot" => '"', "apos" => "'" }.freeze

  # The text with references such as &amp; and &#233; replaced, as UTF-8.
  def self.unescape(bytes)
    bytes.dup.force_encoding("UTF-8").gsub(/&(?:#x(\h+)|#(\d+)|(\w+));/) do
      if $1 then [$1.hex].pack("U")
      elsif $2 then [$2.to_i].pack("U")
      else NAMED.fetch($3, $&)
      end
    end
  end

  # The text as the value of an attribute.
  def self.escape(text) = text.gsub(/[&<>"]/) { |sign| "&##{sign.ord};" }
end

# Cuts what arrives into documents and makes each a tree of elements. TCP knows no documents: one may come in many
# pieces, and one piece may hold many. So we keep the elements that are open, and a document ends with the tag that
# closes the last of them.
class Documents
  def initialize
    @buffer = String.new(encoding: "BINARY")
    @position = 0 # the buffer up to here has been looked at
    @open = [] # elements that have begun and not ended, outermost first
  end

  # Takes the next bytes; yields the documents that are complete with them.
  def feed(bytes)
    @buffer << bytes
    while (start = @buffer.index("<", @position)) && (found = Xml::MARKUP.match(@buffer, start)) && found.begin(0) == start
      text(Xml.unescape(@buffer[@position...start]))
      @position = found.end(0)
      root = markup(found[0])
      next unless root

      @buffer = @buffer[@position..]
      @position = 0
      yield root
    end
  end

  private

  def text(text)
    @open.last.text << text if @open.any?
  end

  # Handles a piece of markup; gives the root element when that is the end of it.
  def markup(markup)
    text(markup[9...-3].force_encoding("UTF-8")) if markup.start_with?("<![CDATA[")
    return if markup.start_with?("<!", "<?")

    unless markup.start_with?("</")
      values = markup.scan(Xml::ATTRIBUTE).to_h { |name, quoted| [name, Xml.unescape(quoted[1...-1])] }
      element = Element.new(markup[/\A<([^\s\/>]+)/n, 1], values, [], +"")
      @open.last.children << element if @open.any?
      @open << element
      return unless markup.end_with?("/>")
    end
    ended = @open.pop
    ended if @open.empty?
  end
end

# A bot that ends the program with the place of each error of its own: one of a file would be taken for a cut line.
class Guarded
  def initialize(bot)
    @bot = bot
  end

  def sees(state) = guarded { @bot.sees(state) }

  def move = guarded { @bot.move }

  private

  def guarded
    yield
  rescue StandardError => e
    warn(e.full_message(highlight: false))
    exit(1)
  end
end

# Plays for one nick, over as many connections as it takes.
class Player
  SILENCE_S = 3 # without a game; then we ask what we wait for
  MOST_REFUSED = 3 # documents of ours, without a whole game in between; then the next one is no better
  MOST_UNANSWERED = 4 # connections that end before our login was answered; then it is no use to go on
  NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS (--tls), or not"
  REFUSALS = { # why a server does not let us in, by the number of its error
    "1" => "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
    "2" => "this server does not offer this game",
    "3" => "there is no room: the server or the pool of the game is full, or a championship has begun"
  }.freeze

  def initialize(bot, options)
    @bot_class = bot
    name, version = options.values_at(:name, :version).map { |one| Xml.escape(one) }
    @program = %(<program name="#{name}" version="#{version}"/>)
    @host, @port, @nick, @game, @games, @tls, @ca = options.values_at(:host, :port, :nick, :game, :games, :tls, :ca)
    # Of the nick, where nicks have tokens; not on the command line, which all can see.
    @own_token = options[:"token-file"] ? File.read(options[:"token-file"]).strip : ENV.fetch("UGS_TOKEN", "")
    @session_file = options[:"session-file"] # where the token of our session is kept, if anywhere
    trust = @tls ? " --tls#{@ca && " --ca #{@ca}"}" : ""
    # How the server is asked about us and our games, where the token of our session is kept.
    @asking = @session_file && " (why? ugs why --connect #{@host}:#{@port} --session-file #{@session_file}#{trust})"
    @hinted = false # we have said how a server is started
    @called = @nick # the nick that the server knows us by: of "NAME#TOKEN" it is the name
    @played = 0
    @counted = nil # the game that was counted last: after a cut line we may hear of its end once more
    @in_session = false # the server has told us of a session of ours, in this run
    @answered = false # we have just come back, and the server waits for no move of ours
    @back = false # we have just come back into a game: what we know of it may be old, or nothing
    @held = nil # the last state, as long as we wait for those before it
    # Of our session: who shows it goes on with the game after a cut line, and at a new start; empty without a session.
    @token = @session_file && File.exist?(@session_file) ? File.read(@session_file).strip : ""
    @welcome = false # we were let in before, so a refusal means that the server has not missed us yet
    @broken = 0 # how often the server has put us out since the last whole game
    @unanswered = 0 # connections in a row that ended before our login was answered
    @pause = 1.0 # seconds before the next connection, at most; twice as many each time, until we are let in
    @at_a_loss = false # we have logged out, for want of a move
    @explained = false # the server has said why it refuses our login
    @explains = false # it says what we wait for when it is asked
    @asks = false # we shall ask
    @lists = false # it shows all states of our game when it is asked
    @kept = 0 # the server keeps the nick for so many seconds, perhaps for an earlier start of ours
    @waited = false # for that; we do so once
    @refused = false # or it is no use to try again for another reason
  end

  # Plays until it is no use to come back; the exit code.
  def run
    loop do
      play
      return 0 if @played == @games

      if @broken >= MOST_REFUSED
        puts "the server has put us out three times in a row: it says above why"
        return 1
      end
      if @unanswered >= MOST_UNANSWERED && !@welcome && !@refused
        puts NO_SERVER
        @refused = true
      end
      return 1 if @refused

      sleep(@kept.positive? ? @kept : @pause * rand(0.2..1.0)) # not all bots at once
      @kept = 0
      @pause = [2 * @pause, 30.0].min
    end
  rescue SignalException # Ctrl-C, or the like
    puts "stopped"
    0
  end

  private

  # Connects, logs in and plays until the server closes.
  def play
    @line = connect
    @unanswered += 1
    @asks = @explains = @lists = @back = false
    @held = nil
    # First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in
    # an error.
    identity = @own_token.empty? ? "" : %(<identity token="#{Xml.escape(@own_token)}"/>)
    resume = %(<message type="x-resume"><session token="#{Xml.escape(@token)}"/></message>)
    families = '<ext name="session"/><ext name="state"/><ext name="reason"/>'
    hello = %(<message type="x-hello">#{families}#{@program}#{identity}</message>)
    say(hello + (@token.empty? ? login : resume))
    @current = nil if @token.empty?
    documents = Documents.new
    loop { documents.feed(receive) { |message| answer(message) } }
  rescue EOFError
    puts "the server has closed the connection" unless @at_a_loss || @kept.positive? || @played == @games
    puts NO_SERVER if @unanswered == 1 && !@welcome
  rescue SignalException
    log_out if @line
    raise
  rescue OpenSSL::SSL::SSLError => e
    puts "no connection: #{e.message}"
    if e.message.include?("certificate")
      puts "this is not the server, or --ca is missing"
      @refused = true # trying again does not help
    else
      @unanswered = MOST_UNANSWERED # what listens there does not speak TLS
    end
  rescue SystemCallError, SocketError => e
    puts "no connection: #{e.message}"
    return if @welcome || @unanswered.positive? || @hinted

    @hinted = true
    puts "no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one"
  ensure
    @line&.close
  end

  # Waits for more; after a silence without a game we ask what we wait for.
  def receive
    loop do
      piece = @asks ? @line.read_nonblock(65_536, exception: false) : @line.readpartial(65_536)
      raise EOFError if piece.nil?
      return piece unless piece == :wait_readable
      next if @line.to_io.wait_readable(SILENCE_S)

      say('<message type="x-why" ref="waiting"/>')
      @asks = false
    end
  end

  # A line to the server; with TLS an encrypted one, on which the server has to prove that it is this host.
  def connect
    @line = nil
    line = TCPSocket.new(@host, @port)
    line.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1) # moves are small and must not wait
    return line unless @tls

    context = OpenSSL::SSL::SSLContext.new
    context.set_params(@ca ? { ca_file: @ca } : {})
    OpenSSL::SSL::SSLSocket.new(line, context).tap do |secure|
      secure.sync_close = true
      secure.hostname = @host
      secure.connect
      secure.post_connection_check(@host)
    end
  end

  # Our last word when somebody stops us, or the server would keep the nick for us. It closes then; who presses Ctrl-C once
  # more does not wait for that.
  def log_out
    %w[INT TERM].each { |name| trap(name, "DEFAULT") }
    Timeout.timeout(2) do
      say('<message type="logout"/>')
      loop { @line.readpartial(65_536) }
    end
  rescue IOError, SystemCallError, OpenSSL::SSL::SSLError, Timeout::Error
    nil # the line is closed
  end

  # Sends one message, or several in one piece, which begins with the XML declaration.
  def say(body) = @line.write(%(<?xml version="1.0" encoding="UTF-8"?>#{body}))

  # Writes the token of our session down, for us alone: who has it can take our seat.
  def keep_token
    File.write(@session_file, "#{@token}\n", perm: 0o600)
  rescue SystemCallError => e
    puts "cannot write #{@session_file}: #{e.class.new.message}; playing on without it"
    @session_file = nil
  end

  def login
    words = %(nick="#{Xml.escape(@nick)}" gameType="#{Xml.escape(@game)}")
    %(<message type="playerLogin"><playerLogin #{words}/></message>)
  end

  def answer(message)
    return told(message.child("account")) if message.attributes["ref"] == "waiting"

    case message.attributes["type"]
    when "x-hello"
      granted = message.all("ext").map { |ext| ext.attributes["name"] }
      @explains = granted.include?("reason")
      @lists = granted.include?("state")
    when "loginResponse" then entered(message)
    when "x-session" then session(message.child("session").attributes)
    when "x-ping" then pong(message.attributes["ref"])
    when "gameState" then shown(message)
    when "x-states" then recall(message)
    when "x-verdict"
      puts "why: #{%w[account said].filter_map { |name| message.child(name)&.text }.reject(&:empty?).join('; ')}"
    when "x-reason" then puts "the game master says that we broke a rule: #{message.child('cause')&.text}"
    when "x-failed" then message.attributes["ref"] == "states" ? go_on : failed(message.child("reason"))
    when "error" then session_over?(message.text) || complained(message.text.strip)
    when "serverShutdown"
      puts "the server shuts down"
      @token = "" # sessions end with a server that says good-bye
    end # Anything else, such as championsList, is good to know but asks nothing of us.
  end

  def entered(message)
    @unanswered = 0
    if message.child("response")&.attributes&.fetch("accept", nil) == "yes"
      @welcome = true
      @waited = false
      @pause = 1.0
      @asks = @explains
      name = @nick[/\A[^#]*/] # what stands behind it may be a token
      puts "logged in as #{name}#{@asking}"
    else
      raise EOFError if @kept.positive?

      @refused = !@welcome
      number = message.child("error")&.attributes&.fetch("id", nil)
      why = @explained ? "" : ": #{REFUSALS.fetch(number, 'the server does not say why')}"
      puts "login refused#{why} (error #{number || '?'})"
      @explained = false
      raise EOFError
    end
  end

  # The answer to our question what we wait for; nothing where it does not tell now.
  def told(account)
    puts "waiting: #{account.text.gsub("\n", '; ')}" if account
  end

  def session(session)
    @token = session["token"]
    @in_session = true
    @called = session.fetch("nick", @called)
    resumed = session["resumed"] == "yes"
    @answered = session["turn"] == "no"
    @back = resumed && session.key?("turn")
    keep_token if @session_file
    puts(@back ? "back again" : "back again: no game of yours goes on") if resumed
  end

  # The server asks whether we are there.
  def pong(ref) = say(%(<message type="x-pong"#{ref ? %( ref="#{Xml.escape(ref)}") : ''}/>))

  # Why a login is refused comes before its answer.
  def failed(reason)
    return if session_over?(reason&.text)

    wait = reason.attributes["waitSec"] if reason&.attributes&.fetch("code", nil) == "DUPLICATE_USER"
    if wait && !@waited
      puts "the nick is kept for #{wait} s more: waiting"
      @kept = wait.to_f
      @waited = true
    else
      puts "the server says: #{reason&.text}"
      unproven = reason&.text.to_s.include?("has a token") && @own_token.empty?
      puts "where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment" if unproven
      @explained = true
    end
  end

  # Logs in when the server does not take us back; gives whether that was it.
  def session_over?(why)
    return false if @token.empty? || @unanswered.zero?

    puts "the session is over: #{why}" if @in_session # else the token is of an earlier start, which may have ended well
    @token = ""
    @current = nil
    say(login)
    true
  end

  def complained(error)
    puts "the server says: #{error}"
    @broken += 1 if error.start_with?("document refused", "this session continues")
    result = end_in(error)
    return if @current.nil? || @current == @counted || result.nil?

    puts "game over: #{result} in #{@current}"
    @asks = @explains
    @held = nil
    say('<message type="logout"/>') if last?
  end

  # What an error says of a game that is over: won or drawn when we were away.
  ENDS = { "lost" => "loser", "won" => "winner", "drawn" => "a draw" }.freeze

  # What an error says that we are in our game, which is over for us then: no end of it is shown to us. Else nil.
  def end_in(error)
    return "void" if error.start_with?("game void:")
    return "loser" if error.start_with?("removed by the game master", "document refused")

    ENDS.find { |word, _| error.include?("game #{@current} is #{word}") }&.last
  end

  # Counts our game as played, once; whether that was the last one.
  def last?
    @played += 1 if @current != @counted && @played != @games # after our logout some may yet come
    @counted = @current
    @played == @games
  end

  # Waits with a state for those before it.
  def hold(message, game)
    if @held # it is among those that come, or comes once more behind them
      @answered = false
    else
      say(%(<message type="x-listStates" ref="states">#{game}</message>))
    end
    @back = false
    @held = message
  end

  # All states before the last one, which comes once more now.
  def recall(message)
    return unless @held

    @held = nil
    @bot = Guarded.new(@bot_class.new)
    message.all("shown").each { |shown| @bot.sees(shown.child("gameState")) }
  end

  # The server does not show them: we go on with what we know.
  def go_on
    last, @held = @held, nil
    shown(last) if last
  end

  def shown(message)
    id = message.child("gameId").attributes["id"]
    game = %(<gameId id="#{Xml.escape(id)}"/>)
    if id != @current # we hear of a new game by its first state
      @current, @bot, @held = id, Guarded.new(@bot_class.new), nil
      puts "in game #{id}"
    end
    state = message.child("gameState")
    @bot.sees(state) if state
    return hold(message, game) if (@back && @lists) || @held

    if message.child("nextPlayer")&.attributes&.fetch("nick", nil) == @called && !@answered
      move = @bot.move
      if move.empty?
        puts "this state lists no moves that I know how to choose"
        @at_a_loss = @refused = true
        say('<message type="logout"/>')
      else
        say(%(<message type="move">#{game}<move>#{move}</move></message>))
      end
    end
    @answered = false
    over = message.child("gameOver")
    @asks = @explains && !over.nil?
    return unless over

    own = over.children.find { |player| player.attributes["nick"] == @called }
    results = over.all("player").map { |player| player.attributes["result"] }
    drawn = results.size > 1 && results.uniq.size == 1
    puts "game over: #{drawn ? 'a draw' : own&.attributes&.fetch('result', nil)} in #{id}"
    @broken = 0
    # A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server closes
    # now; reading on until then makes sure that it got our last word.
    say(last? ? '<message type="logout"/>' : %(<message type="thank you">#{game}</message>))
  end
end

# Sees that the token of our session can be written down, before there is one; else each login would be lost.
def check_writable(path)
  File.open(path, "a", 0o600) { nil }
rescue SystemCallError => e
  puts "cannot write #{path}: #{e.class.new.message}"
  exit(1)
end

# Does what the command line says. `bot` is a class, of which each game gets an object; `game_type` is what it plays;
# the name and the version are what the server shows.
def run(bot, game_type, name, version)
  $stdout.sync = true
  options = { game: game_type }
  parser = OptionParser.new("usage: ruby bot.rb HOST PORT NICK [options]") do |words|
    words.on("--game TYPE", "the game type")
    words.on("--games N", Integer, "log out after this many games")
    words.on("--token-file FILE", "the token of the nick is there (without it: in UGS_TOKEN)")
    words.on("--session-file FILE", "keep the token of the session there: it shows our games")
    words.on("--tls", "speak TLS, and trust the right server only")
    words.on("--ca FILE", "with --tls: file of the authorities to trust")
  end
  rest = parser.parse(ARGV, into: options)
  raise OptionParser::MissingArgument, "HOST PORT NICK" unless rest.size == 3
  raise OptionParser::InvalidArgument, "--games" unless options.fetch(:games, 1) >= 1

  check_writable(options[:"session-file"]) if options[:"session-file"]
  exit(Player.new(bot, { **options, name: name, version: version, host: rest[0], port: rest[1].to_i, nick: rest[2] }).run)
rescue Errno::ENOENT, Errno::EACCES => e
  warn(e.message)
  exit(2)
rescue OptionParser::ParseError => e
  warn(e.message, parser.help)
  exit(2)
end
