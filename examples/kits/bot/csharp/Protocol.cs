// The protocol of the universal game server, with nothing but the standard library. Your ideas are in Bot.cs.
//
// Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Xml.Linq;
using Mono.Unix;
using Mono.Unix.Native;

/// <summary>What plays one game.</summary>
public interface IPlayer
{
    /// <summary>Takes in a gameState, ours to move or not.</summary>
    void Sees(XElement state);

    /// <summary>Our move, as it stands in the element move; null when we know none.</summary>
    XElement Move();
}

/// <summary>A bot that ends the program with the place of each error of its own: one of a file would be taken for a cut
/// line.</summary>
class Guarded : IPlayer
{
    readonly IPlayer player;

    public Guarded(IPlayer player)
    {
        this.player = player;
    }

    public void Sees(XElement state)
    {
        try
        {
            player.Sees(state);
        }
        catch (Exception error)
        {
            throw Ended(error);
        }
    }

    public XElement Move()
    {
        try
        {
            return player.Move();
        }
        catch (Exception error)
        {
            throw Ended(error);
        }
    }

    static Exception Ended(Exception error)
    {
        Console.Error.WriteLine(error);
        Environment.Exit(1);
        return error;
    }
}

/// <summary>
/// Cuts what arrives into documents. TCP knows no documents: one may come in many pieces, and one piece may hold many. So
/// we count how deep in elements we are, and a document ends with the tag that brings us back to zero.
/// </summary>
public sealed class Documents
{
    static readonly string[][] Sections =
    {
        new[] { "<!--", "-->" }, new[] { "<![CDATA[", "]]>" }, new[] { "<?", "?>" },
    };

    readonly StringBuilder buffer = new StringBuilder();
    readonly Decoder decoder = new UTF8Encoding(false).GetDecoder(); // puts characters together whose bytes come apart
    string text = "";
    int position, depth; // the text up to here has been looked at; how many elements are open there

    /// <summary>Takes the next bytes; gives the documents that are complete with them.</summary>
    public IEnumerable<XElement> Feed(byte[] bytes, int length)
    {
        var letters = new char[length + 1];
        buffer.Append(letters, 0, decoder.GetChars(bytes, 0, length, letters, 0));
        text = buffer.ToString();
        for (;;)
        {
            int start = text.IndexOf('<', position);
            int end = start < 0 ? -1 : MarkupEnd(start);
            if (end < 0) break; // no complete piece of markup left: wait for more
            position = end;
            if (text[start + 1] == '!' || text[start + 1] == '?') continue; // changes no depth
            depth += text[start + 1] == '/' ? -1 : text[end - 2] == '/' ? 0 : 1;
            if (depth > 0) continue;
            yield return XElement.Parse(text.Substring(0, end).TrimStart());
            text = text.Substring(end);
            position = 0;
        }
        buffer.Clear().Append(text);
    }

    /// <summary>
    /// Where the piece of markup ends that begins here; -1 when it is not complete yet. It is a comment, a CDATA section, a
    /// processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may stand.
    /// </summary>
    int MarkupEnd(int start)
    {
        foreach (var section in Sections)
        {
            string here = text.Substring(start, Math.Min(section[0].Length, text.Length - start));
            if (here == section[0])
            {
                int last = text.IndexOf(section[1], start + here.Length, StringComparison.Ordinal);
                return last < 0 ? -1 : last + section[1].Length;
            }
            if (section[0].StartsWith(here, StringComparison.Ordinal)) return -1; // it may yet become one
        }
        char quote = '\0';
        for (int at = start; at < text.Length; at++)
        {
            char sign = text[at];
            if (quote != '\0') quote = sign == quote ? '\0' : quote;
            else if (sign == '"' || sign == '\'') quote = sign;
            else if (sign == '>') return at + 1;
        }
        return -1;
    }
}

/// <summary>Plays for one nick, over as many connections as it takes.</summary>
public sealed class Protocol
{
    const int SilenceUs = 3000000; // without a game; then we ask what we wait for
    const int MostRefused = 3; // documents of ours, without a whole game in between; then the next one is no better
    const int MostUnanswered = 4; // connections that end before our login was answered; then it is no use to go on
    const string NoServer = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not";
    const string Usage = "usage: bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]";

    /// <summary>Why a server does not let us in, by the number of its error.</summary>
    static readonly Dictionary<string, string> Refusals = new Dictionary<string, string>
    {
        { "1", "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)" },
        { "2", "this server does not offer this game" },
        { "3", "there is no room: the server or the pool of the game is full, or a championship has begun" },
    };

    readonly Func<IPlayer> newPlayer;
    readonly string host, nick, gameType;
    readonly XElement program; // the name and version of this bot
    // Of the nick, where nicks have tokens; not on the command line, which all can see.
    readonly string token = Environment.GetEnvironmentVariable("UGS_TOKEN") ?? "";
    string sessionFile; // where the token of our session is kept, if anywhere
    readonly string asking = ""; // how the server is asked about us and our games, where that token is kept
    bool hinted; // we have said how a server is started
    readonly int port, games;
    readonly Random random = new Random();
    volatile NetworkStream line; // null while there is none
    volatile bool stopped; // by somebody outside
    IPlayer player;
    string currentGame;
    string called; // the nick that the server knows us by: of "NAME#TOKEN" it is the name
    string counted; // the game that was counted last: after a cut line we may hear of its end once more
    bool inSession; // the server has told us of a session of ours, in this run
    bool answered; // we have just come back, and the server waits for no move of ours
    bool back; // we have just come back into a game: what we know of it may be old, or nothing
    XElement held; // the last state, as long as we wait for those before it
    string session = ""; // its token: who shows it goes on with the game after a cut line; empty without one
    int played;
    bool welcome; // we were let in before, so a refusal means that the server has not missed us yet
    bool atALoss; // we have logged out, for want of a move
    bool explained; // the server has said why it refuses our login
    bool explains; // it says what we wait for when it is asked
    bool asks; // we shall ask
    bool lists; // it shows all states of our game when it is asked
    int keptMs; // the server keeps the nick for so long, perhaps for an earlier start of ours
    bool waited; // for that; we do so once
    bool refused; // or it is no use to try again for another reason
    int broken; // how often the server has put us out since the last whole game
    int unanswered; // connections in a row that ended before our login was answered
    int pauseMs = 1000; // before the next connection, at most; twice as long each time, until we are let in

    Protocol(Func<IPlayer> newPlayer, string gameType, XElement program, string[] words)
    {
        this.newPlayer = () => new Guarded(newPlayer());
        this.gameType = gameType;
        this.program = program;
        games = -1;
        host = words[0];
        port = int.Parse(words[1]);
        nick = called = words[2];
        for (int at = 3; at < words.Length; at += 2)
        {
            if (words[at] == "--game") this.gameType = words[at + 1];
            else if (words[at] == "--token-file") token = File.ReadAllText(words[at + 1]).Trim();
            else if (words[at] == "--session-file") sessionFile = words[at + 1];
            else if (words[at] == "--games") games = (int)uint.Parse(words[at + 1]);
            else throw new FormatException();
        }
        if (sessionFile != null) asking = " (why? ugs why --connect " + host + ":" + port + " --session-file " + sessionFile + ")";
        if (games == 0) throw new FormatException();
        // A session that an earlier start has had goes on.
        if (sessionFile != null && File.Exists(sessionFile)) session = File.ReadAllText(sessionFile).Trim();
    }

    /// <summary>Does what the command line says; the exit code. Each game gets a player of its own. The name and the version of
    /// the bot are what the server shows.</summary>
    public static int Run(Func<IPlayer> newPlayer, string gameType, string name, string version, string[] words)
    {
        var program = new XElement("program", new XAttribute("name", name), new XAttribute("version", version));
        Protocol protocol;
        try
        {
            protocol = new Protocol(newPlayer, gameType, program, words);
        }
        catch (Exception error) when (error is FormatException || error is IndexOutOfRangeException || error is OverflowException)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        catch (IOException error)
        {
            Console.Error.WriteLine(error.Message);
            return 2;
        }
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true });
        if (!protocol.IsWritable()) return 1;
        new Thread(protocol.LogOutWhenStopped) { IsBackground = true }.Start();
        return protocol.PlayOn();
    }

    /// <summary>
    /// Our last word at Ctrl-C and the like, or the server would keep the nick for us. It closes then; who presses Ctrl-C once
    /// more does not wait for that.
    /// </summary>
    void LogOutWhenStopped()
    {
        var signals = new[] { new UnixSignal(Signum.SIGINT), new UnixSignal(Signum.SIGTERM) };
        UnixSignal.WaitAny(signals);
        stopped = true;
        try
        {
            if (line != null)
            {
                Say(Message("logout"));
                UnixSignal.WaitAny(signals, 2000);
            }
        }
        catch (Exception error) when (error is IOException || error is ObjectDisposedException || error is NullReferenceException)
        {
            // the line is cut
        }
        Console.WriteLine("stopped");
        Environment.Exit(0);
    }

    /// <summary>Plays until it is no use to come back; the exit code.</summary>
    int PlayOn()
    {
        for (;;)
        {
            try
            {
                Play();
                if (!atALoss && keptMs == 0 && !stopped && played != games) Console.WriteLine("the server has closed the connection");
                if (!stopped && unanswered == 1 && !welcome) Console.WriteLine(NoServer);
            }
            catch (Exception error) when (error is SocketException || error is IOException)
            {
                if (!stopped) Console.WriteLine("no connection: " + error.Message);
                if (!welcome && unanswered == 0 && !hinted)
                {
                    hinted = true;
                    Console.WriteLine("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one");
                }
            }
            catch (System.Xml.XmlException error)
            {
                Console.WriteLine("no connection: " + error.Message);
                unanswered = MostUnanswered;
            }
            if (stopped) Console.WriteLine("stopped");
            if (stopped || played == games) return 0;
            if (broken >= MostRefused)
            {
                Console.WriteLine("the server has put us out three times in a row: it says above why");
                return 1;
            }
            if (unanswered >= MostUnanswered && !welcome && !refused)
            {
                Console.WriteLine(NoServer);
                refused = true;
            }
            if (refused) return 1;
            Thread.Sleep(keptMs > 0 ? keptMs : (int)(pauseMs * (0.2 + 0.8 * random.NextDouble()))); // not all bots at once
            keptMs = 0;
            pauseMs = Math.Min(2 * pauseMs, 30000);
        }
    }

    /// <summary>Connects, logs in and plays until the server closes.</summary>
    void Play()
    {
        using (var connection = new TcpClient(host, port) { NoDelay = true }) // moves are small and must not wait
        {
            line = connection.GetStream();
            unanswered++;
            asks = explains = lists = back = false;
            held = null;
            if (session == "") currentGame = null;
            // First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none
            // says so in an error.
            var identity = token == "" ? null : new XElement("identity", new XAttribute("token", token));
            Say(
                Message("x-hello", new[] { "session", "state", "reason" }.Select(name => new XElement("ext", new XAttribute("name", name))), program, identity),
                session == "" ? Login() : Message("x-resume", new XElement("session", new XAttribute("token", session))));
            var documents = new Documents();
            var piece = new byte[65536];
            for (;;)
            {
                if (asks && !connection.Client.Poll(SilenceUs, SelectMode.SelectRead))
                {
                    Say(Message("x-why", new XAttribute("ref", "waiting")));
                    asks = false;
                }
                int length = line.Read(piece, 0, piece.Length);
                if (length == 0) break;
                if (documents.Feed(piece, length).Any(message => !Answer(message))) break;
            }
            line = null;
        }
    }

    XElement Login()
    {
        return Message("playerLogin", new XElement("playerLogin", new XAttribute("nick", nick), new XAttribute("gameType", gameType)));
    }

    static XElement Message(string type, params object[] content)
    {
        return new XElement("message", new XAttribute("type", type), content);
    }

    /// <summary>Sends messages in one piece, which begins with the XML declaration.</summary>
    void Say(params XElement[] messages)
    {
        string body = string.Concat(messages.Select(message => message.ToString(SaveOptions.DisableFormatting)));
        byte[] bytes = Encoding.UTF8.GetBytes("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + body);
        line.Write(bytes, 0, bytes.Length);
    }

    /// <summary>The moves that a state lists, at any depth: elements play, or forfeit, with an id.</summary>
    public static List<XElement> ListedMoves(XElement state)
    {
        return state.Descendants().Where(one => (one.Name == "play" || one.Name == "forfeit") && one.Attribute("id") != null).ToList();
    }

    static string Attribute(XElement element, string name)
    {
        return element == null ? "" : (string)element.Attribute(name) ?? "";
    }

    /// <summary>The text directly in an element; empty without it.</summary>
    static string Text(XElement element)
    {
        return element == null ? "" : string.Concat(element.Nodes().OfType<XText>().Select(text => text.Value)).Trim();
    }

    /// <summary>False when the connection is of no more use.</summary>
    bool Answer(XElement message)
    {
        if (Attribute(message, "ref") == "waiting") // the answer to our question
        {
            if (Attribute(message, "type") == "x-account") Console.WriteLine("waiting: " + Text(message.Element("account")).Replace("\n", "; "));
            return true;
        }
        switch (Attribute(message, "type"))
        {
            case "x-hello": // what the server knows beyond the protocol
                explains = message.Elements("ext").Any(one => Attribute(one, "name") == "reason");
                lists = message.Elements("ext").Any(one => Attribute(one, "name") == "state");
                break;
            case "loginResponse":
                return Entered(message);
            case "x-session":
                session = Attribute(message.Element("session"), "token");
                inSession = true;
                if (Attribute(message.Element("session"), "nick") != "") called = Attribute(message.Element("session"), "nick");
                bool resumed = Attribute(message.Element("session"), "resumed") == "yes";
                answered = Attribute(message.Element("session"), "turn") == "no";
                back = resumed && Attribute(message.Element("session"), "turn") != "";
                if (sessionFile != null) KeepToken();
                if (resumed) Console.WriteLine(back ? "back again" : "back again: no game of yours goes on");
                break;
            case "x-ping": // the server asks whether we are there
                string ask = Attribute(message, "ref");
                Say(Message("x-pong", ask == "" ? null : new XAttribute("ref", ask)));
                break;
            case "gameState":
                Shown(message);
                break;
            case "x-states": // all states before the last one, which comes once more now
                if (held == null) break;
                held = null;
                player = newPlayer();
                foreach (var state in message.Elements("shown").Elements("gameState")) player.Sees(state);
                break;
            case "x-verdict":
                var said = new[] { "account", "said" }.Select(name => Text(message.Element(name))).Where(text => text != "");
                Console.WriteLine("why: " + string.Join("; ", said));
                break;
            case "x-reason":
                Console.WriteLine("the game master says that we broke a rule: " + Text(message.Element("cause")));
                break;
            case "x-failed": // why a login is refused comes before its answer
                if (Attribute(message, "ref") == "states") GoOn();
                else Failed(message.Element("reason"));
                break;
            case "error":
                if (!IsSessionOver(Text(message))) Failed(Text(message));
                break;
            case "serverShutdown":
                Console.WriteLine("the server shuts down");
                session = ""; // sessions end with a server that says good-bye
                break;
        } // Anything else, such as championsList, is good to know but asks nothing of us.
        return true;
    }

    // Whether the token of our session can be written down, which is seen before there is one; else it says why.
    bool IsWritable()
    {
        try
        {
            if (sessionFile != null) File.AppendAllText(sessionFile, "");
            return true;
        }
        catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
        {
            Console.WriteLine("cannot write " + sessionFile + ": " + error.Message);
            return false;
        }
    }

    // Writes the token of our session down, for us alone: who has it can take our seat.
    void KeepToken()
    {
        try
        {
            File.WriteAllText(sessionFile, "");
            Syscall.chmod(sessionFile, FilePermissions.S_IRUSR | FilePermissions.S_IWUSR);
            File.WriteAllText(sessionFile, session + "\n");
        }
        catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
        {
            Console.WriteLine("cannot write " + sessionFile + ": " + error.Message + "; playing on without it");
            sessionFile = null;
        }
    }

    void Failed(string error)
    {
        Console.WriteLine("the server says: " + error);
        if (new[] { "document refused", "this session continues" }.Any(one => error.StartsWith(one, StringComparison.Ordinal))) broken++;
        string result = EndIn(error);
        if (currentGame == null || currentGame == counted || result == "") return;
        Console.WriteLine("game over: {0} in {1}", result, currentGame);
        asks = explains;
        held = null;
        if (IsLast()) Say(Message("logout"));
    }

    /// <summary>What an error says that we are in our game, which is over for us then: no end of it is shown to us. "" if it does not.</summary>
    string EndIn(string error)
    {
        if (error.StartsWith("game void:", StringComparison.Ordinal)) return "void";
        if (new[] { "removed by the game master", "document refused" }.Any(one => error.StartsWith(one, StringComparison.Ordinal))) return "loser";
        var ends = new[] { new[] { "lost", "loser" }, new[] { "won", "winner" }, new[] { "drawn", "a draw" } }; // won or drawn when we were away
        var found = ends.FirstOrDefault(end => error.Contains("game " + currentGame + " is " + end[0]));
        return found == null ? "" : found[1];
    }

    /// <summary>Counts our game as played, once; whether that was the last one.</summary>
    bool IsLast()
    {
        if (currentGame != counted && played != games) played++; // after our logout some may yet come
        counted = currentGame;
        return played == games;
    }

    void Failed(XElement reason)
    {
        if (IsSessionOver(Text(reason))) return;
        string wait = Attribute(reason, "waitSec");
        if (Attribute(reason, "code") == "DUPLICATE_USER" && wait != "" && !waited)
        {
            Console.WriteLine("the nick is kept for {0} s more: waiting", wait);
            keptMs = (int)(1000 * double.Parse(wait, System.Globalization.CultureInfo.InvariantCulture));
            waited = true;
        }
        else
        {
            Console.WriteLine("the server says: " + Text(reason));
            if (Text(reason).Contains("has a token") && token == "")
                Console.WriteLine("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment");
            explained = true;
        }
    }

    /// <summary>Logs in when the server does not take us back; whether that was it.</summary>
    bool IsSessionOver(string why)
    {
        if (session == "" || unanswered == 0) return false;
        // Else the token is of an earlier start, which may have ended well.
        if (inSession) Console.WriteLine("the session is over: " + why);
        session = "";
        currentGame = null;
        Say(Login());
        return true;
    }

    bool Entered(XElement message)
    {
        unanswered = 0;
        if (Attribute(message.Element("response"), "accept") != "yes")
        {
            if (keptMs > 0) return false;
            string number = Attribute(message.Element("error"), "id"), why;
            if (!Refusals.TryGetValue(number, out why)) why = "the server does not say why";
            Console.WriteLine("login refused{0} (error {1})", explained ? "" : ": " + why, number);
            explained = false;
            refused = !welcome;
            return false;
        }
        welcome = true;
        waited = false;
        pauseMs = 1000;
        asks = explains;
        string name = nick.Split('#')[0]; // what stands behind it may be a token
        Console.WriteLine("logged in as " + name + asking);
        return true;
    }

    /// <summary>The server does not show the states before the last one: we go on with what we know.</summary>
    void GoOn()
    {
        var last = held;
        held = null;
        if (last != null) Shown(last);
    }

    void Shown(XElement message)
    {
        string id = Attribute(message.Element("gameId"), "id");
        var game = new XElement("gameId", new XAttribute("id", id));
        if (id != currentGame) // we hear of a new game by its first state
        {
            currentGame = id;
            Console.WriteLine("in game {0}", id);
            player = newPlayer();
            held = null;
        }
        var state = message.Element("gameState");
        if (state != null) player.Sees(state);
        if ((back && lists) || held != null)
        {
            if (held == null) Say(Message("x-listStates", new XAttribute("ref", "states"), game));
            else answered = false; // it is among those that come, or comes once more behind them
            back = false;
            held = message;
            return;
        }
        if (Attribute(message.Element("nextPlayer"), "nick") == called && !answered)
        {
            var move = player.Move();
            if (move == null)
            {
                Console.WriteLine("this state lists no moves that I know how to choose");
                atALoss = refused = true;
            }
            Say(atALoss ? Message("logout") : Message("move", game, new XElement("move", move)));
        }
        answered = false;
        var over = message.Element("gameOver");
        asks = explains && over != null;
        if (over == null) return;
        var results = over.Elements("player").Select(one => Attribute(one, "result")).ToList();
        bool drawn = results.Count > 1 && results.Distinct().Count() == 1;
        foreach (var own in over.Elements("player").Where(one => Attribute(one, "nick") == called))
        {
            Console.WriteLine("game over: {0} in {1}", drawn ? "a draw" : Attribute(own, "result"), id);
        }
        broken = 0;
        // A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server
        // closes now; reading on until then makes sure that it got our last word.
        Say(IsLast() ? Message("logout") : Message("thank you", game));
    }
}
