// The protocol of the universal game server, with nothing but the standard library. Your ideas are in Bot.java.
//
// Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Plays for one nick, over as many connections as it takes. */
public final class Protocol {
    /** What plays one game. */
    public interface Player {
        /** Takes in a gameState, ours to move or not. */
        void sees(Element state);

        /** Our move, as it stands between {@code <move>} and {@code </move>}; empty when we know none. */
        String move();
    }

    // --- just enough XML -----------------------------------------------------------------------------------------

    /** An element of XML; the text is what stands directly in it. */
    public static final class Element {
        public final String name;
        public final Map<String, String> attributes = new HashMap<>();
        public final List<Element> children = new ArrayList<>();
        public final StringBuilder text = new StringBuilder();

        Element(String name) {
            this.name = name;
        }

        /** All children of this name. */
        public List<Element> all(String wanted) {
            return children.stream().filter(child -> child.name.equals(wanted)).collect(Collectors.toList());
        }

        /** The moves that a state lists, at any depth: elements play, or forfeit, with an id. */
        public List<Element> listedMoves() {
            boolean isMove = (name.equals("play") || name.equals("forfeit")) && attributes.containsKey("id");
            return Stream.concat(isMove ? Stream.of(this) : Stream.empty(),
                    children.stream().flatMap(child -> child.listedMoves().stream())).collect(Collectors.toList());
        }

        /** The first child of this name, or null. */
        public Element child(String wanted) {
            return children.stream().filter(child -> child.name.equals(wanted)).findFirst().orElse(null);
        }

        /** An attribute of the first child of this name; empty without it. */
        String fact(String wanted, String attribute) {
            Element found = child(wanted);
            return found == null ? "" : found.attributes.getOrDefault(attribute, "");
        }

        String textOf(String wanted) {
            Element found = child(wanted);
            return found == null ? "" : found.text.toString();
        }
    }

    private static final Pattern REFERENCE = Pattern.compile("&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\\w+));");
    private static final Pattern ATTRIBUTE = Pattern.compile("([^\\s=<>\"'/]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");
    private static final Map<String, String> NAMED =
            Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"", "apos", "'");

    /** Bytes, one in each character, as text, with references such as &amp;amp; and &amp;#233; replaced. */
    private static String unescape(String bytes) {
        String text = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return REFERENCE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(
                found.group(1) != null ? Character.toString(Integer.parseInt(found.group(1), 16))
                        : found.group(2) != null ? Character.toString(Integer.parseInt(found.group(2)))
                        : NAMED.getOrDefault(found.group(3), found.group())));
    }

    /** The text as the value of an attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    /**
     * Cuts what arrives into documents and makes each a tree of elements. TCP knows no documents: one may come in many
     * pieces, and one piece may hold many. So we keep the elements that are open, and a document ends with the tag that
     * closes the last of them.
     */
    private static final class Documents {
        private static final String[][] SECTIONS = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
        private final StringBuilder buffer = new StringBuilder(); // a byte in each character
        private final Deque<Element> open = new ArrayDeque<>(); // elements that have begun and not ended
        private int position; // the buffer up to here has been looked at

        /** Takes the next bytes; gives the documents that are complete with them. */
        List<Element> feed(String bytes) {
            buffer.append(bytes);
            List<Element> complete = new ArrayList<>();
            for (;;) {
                int start = buffer.indexOf("<", position);
                int end = start < 0 ? -1 : markupEnd(start);
                if (end < 0) {
                    return complete; // no complete piece of markup left: wait for more
                }
                text(unescape(buffer.substring(position, start)));
                position = end;
                Element root = markup(buffer.substring(start, end));
                if (root != null) {
                    complete.add(root);
                    buffer.delete(0, position);
                    position = 0;
                }
            }
        }

        /**
         * Where the piece of markup ends that begins here; -1 when it is not complete yet. It is a comment, a CDATA
         * section, a processing instruction (the XML declaration is one), or a tag, in whose attribute values a ">" may
         * stand.
         */
        private int markupEnd(int start) {
            for (String[] section : SECTIONS) {
                String here = buffer.substring(start, Math.min(buffer.length(), start + section[0].length()));
                if (here.equals(section[0])) {
                    int last = buffer.indexOf(section[1], start + here.length());
                    return last < 0 ? -1 : last + section[1].length();
                }
                if (section[0].startsWith(here)) {
                    return -1; // it may yet become one
                }
            }
            char quote = 0;
            for (int at = start; at < buffer.length(); at++) {
                char sign = buffer.charAt(at);
                if (quote != 0) {
                    quote = sign == quote ? 0 : quote;
                } else if (sign == '"' || sign == '\'') {
                    quote = sign;
                } else if (sign == '>') {
                    return at + 1;
                }
            }
            return -1;
        }

        private void text(String text) {
            if (!open.isEmpty()) {
                open.getLast().text.append(text);
            }
        }

        /** Handles a piece of markup; gives the root element when that is the end of it. */
        private Element markup(String markup) {
            if (markup.startsWith("<![CDATA[")) {
                String raw = markup.substring(9, markup.length() - 3);
                text(new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
            }
            if (markup.startsWith("<!") || markup.startsWith("<?")) {
                return null;
            }
            if (!markup.startsWith("</")) {
                Element element = new Element(unescape(markup.substring(1).split("[\\s/>]", 2)[0]));
                for (Matcher found = ATTRIBUTE.matcher(markup); found.find();) {
                    String value = found.group(2) != null ? found.group(2) : found.group(3);
                    element.attributes.put(unescape(found.group(1)), unescape(value));
                }
                if (!open.isEmpty()) {
                    open.getLast().children.add(element);
                }
                open.addLast(element);
                if (!markup.endsWith("/>")) {
                    return null;
                }
            }
            Element ended = open.removeLast();
            return open.isEmpty() ? ended : null;
        }
    }

    // --- the protocol: XML documents, one after another, with nothing between them -------------------------------

    /** The silence without a game after which we ask what we wait for. */
    private static final int SILENCE_MS = 3000;
    /** Documents of ours that the server refuses without a whole game in between; then the next one is no better. */
    private static final int MOST_REFUSED = 3;
    /** Connections that end before our login was answered; then it is no use to go on. */
    private static final int MOST_UNANSWERED = 4;
    private static final String NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS (--tls), or not";
    private static final String USAGE =
            "usage: java Bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]";
    /** Why a server does not let us in, by the number of its error. */
    private static final Map<String, String> REFUSALS = Map.of(
            "1", "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
            "2", "this server does not offer this game",
            "3", "there is no room: the server or the pool of the game is full, or a championship has begun");

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Supplier<Player> newPlayer;
    private final String host;
    private final int port;
    private final String nick;
    private String gameType;
    private final String program; // the name and version of this bot, as an element
    // Of the nick, where nicks have tokens; not on the command line, which all can see.
    private String token = System.getenv().getOrDefault("UGS_TOKEN", "");
    private String sessionFile; // where the token of our session is kept, if anywhere
    private String asking = ""; // how the server is asked about us and our games, where that token is kept
    private boolean hinted; // we have said how a server is started
    private int games = -1;
    private SSLContext encryption;

    private volatile Socket line;
    private volatile boolean stopped; // by somebody outside
    private final CountDownLatch ended = new CountDownLatch(1);
    private Player player;
    private String currentGame;
    private String called; // the nick that the server knows us by: of "NAME#TOKEN" it is the name
    private String counted; // the game that was counted last: after a cut line we may hear of its end once more
    private boolean inSession; // the server has told us of a session of ours, in this run
    private boolean answered; // we have just come back, and the server waits for no move of ours
    private boolean back; // we have just come back into a game: what we know of it may be old, or nothing
    private Element held; // the last state, as long as we wait for those before it
    private String session = ""; // its token: who shows it goes on with the game after a cut line; empty without one
    private int played;
    private boolean welcome; // we were let in before, so a refusal means that the server has not missed us yet
    private boolean atALoss; // we have logged out, for want of a move
    private boolean explained; // the server has said why it refuses our login
    private boolean explains; // it says what we wait for when it is asked
    private boolean asks; // we shall ask
    private boolean lists; // it shows all states of our game when it is asked
    private long keptMs; // the server keeps the nick for so long, perhaps for an earlier start of ours
    private boolean waited; // for that; we do so once
    private boolean refused; // or it is no use to try again for another reason
    private int broken; // how often the server has put us out since the last whole game
    private int unanswered; // connections in a row that ended before our login was answered
    private long pauseMs = 1000; // before the next connection, at most; twice as long each time, until we are let in

    private Protocol(Supplier<Player> newPlayer, String gameType, String program, String... words) {
        this.newPlayer = newPlayer;
        this.gameType = gameType;
        this.program = program;
        host = words[0];
        port = Integer.parseInt(words[1]);
        nick = words[2];
        called = nick;
    }

    /** Does what the command line says; the exit code. Each game gets a player of its own. The name and the version of the
     * bot are what the server shows. */
    public static int run(Supplier<Player> newPlayer, String gameType, String name, String version, String... words)
            throws Exception {
        String program = "<program name=\"" + escape(name) + "\" version=\"" + escape(version) + "\"/>";
        try {
            Protocol protocol = new Protocol(newPlayer, gameType, program, words);
            protocol.options(Arrays.asList(words).subList(3, words.length));
            if (!protocol.readToken()) {
                return 1;
            }
            Runtime.getRuntime().addShutdownHook(new Thread(protocol::logOut));
            try {
                return protocol.playOn();
            } finally {
                protocol.ended.countDown();
            }
        } catch (NoSuchFileException missing) {
            System.err.println(missing.getMessage() + ": no such file");
            return 2;
        } catch (IndexOutOfBoundsException | IllegalArgumentException wrong) {
            System.err.println(USAGE);
            return 2;
        }
    }

    /**
     * Our last word when somebody stops us, or the server would keep the nick for us. It closes then. This runs at the end
     * of the program, also at Ctrl-C.
     */
    private void logOut() {
        if (ended.getCount() == 0) {
            return;
        }
        stopped = true;
        try {
            if (line != null) {
                say("<message type=\"logout\"/>");
                ended.await(2, TimeUnit.SECONDS);
            }
        } catch (IOException | InterruptedException error) {
            // the line is cut
        }
        Runtime.getRuntime().halt(0);
    }

    private void options(List<String> words) throws GeneralSecurityException, IOException {
        String ca = null;
        boolean tls = false;
        for (int at = 0; at < words.size(); at++) {
            switch (words.get(at)) {
                case "--game": gameType = words.get(++at); break;
                case "--games": games = Integer.parseUnsignedInt(words.get(++at)); break;
                case "--token-file": token = content(words.get(++at)); break;
                case "--session-file": sessionFile = words.get(++at); break;
                case "--tls": tls = true; break;
                case "--ca": ca = words.get(++at); break;
                default: throw new IllegalArgumentException(words.get(at));
            }
        }
        if (games == 0) {
            throw new IllegalArgumentException("--games");
        }
        if (sessionFile != null) {
            String trust = (tls ? " --tls" : "") + (tls && ca != null ? " --ca " + ca : "");
            asking = " (why? ugs why --connect " + host + ":" + port + " --session-file " + sessionFile + trust + ")";
        }
        if (tls) {
            encryption = SSLContext.getInstance("TLS");
            encryption.init(null, ca == null ? null : trusting(ca).getTrustManagers(), null);
        }
    }

    /** Those who trust the authorities in a file. */
    private static TrustManagerFactory trusting(String ca) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream file = new FileInputStream(ca)) {
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("authority " + store.size(), one);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    /** Plays until it is no use to come back; the exit code. */
    private int playOn() throws InterruptedException {
        for (;;) {
            try {
                play();
                if (!atALoss && keptMs == 0 && (stopped || played != games)) {
                    out.println(stopped ? "stopped" : "the server has closed the connection");
                }
                if (!stopped && unanswered == 1 && !welcome) {
                    out.println(NO_SERVER);
                }
            } catch (SSLException error) {
                out.println("no connection: " + error.getMessage());
                if (error.getCause() instanceof CertificateException) {
                    out.println("this is not the server, or --ca is missing");
                    refused = true; // trying again does not help
                } else {
                    unanswered = MOST_UNANSWERED; // what listens there does not speak TLS
                }
            } catch (IOException error) {
                out.println("no connection: " + error.getMessage());
                if (!welcome && unanswered == 0 && !hinted) {
                    hinted = true;
                    out.println("no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one");
                }
            }
            if (stopped || played == games) {
                return 0;
            }
            if (broken >= MOST_REFUSED) {
                out.println("the server has put us out three times in a row: it says above why");
                return 1;
            }
            if (unanswered >= MOST_UNANSWERED && !welcome && !refused) {
                out.println(NO_SERVER);
                refused = true;
            }
            if (refused) {
                return 1;
            }
            Thread.sleep(keptMs > 0 ? keptMs : (long) (pauseMs * (0.2 + 0.8 * Math.random()))); // not all bots at once
            keptMs = 0;
            pauseMs = Math.min(2 * pauseMs, 30_000);
        }
    }

    /** A line to the server; with TLS an encrypted one, on which the server has to prove that it is this host. */
    private Socket connect() throws IOException {
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(host, port));
        plain.setTcpNoDelay(true); // moves are small and must not wait
        if (encryption == null) {
            return plain;
        }
        SSLSocket secure = (SSLSocket) encryption.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    /** Connects, logs in and plays until the server closes. */
    private void play() throws IOException {
        try (Socket connection = connect()) {
            line = connection;
            unanswered++;
            asks = explains = lists = back = false;
            held = null;
            if (session.isEmpty()) {
                currentGame = null;
            }
            // First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none
            // says so in an error.
            String identity = token.isEmpty() ? "" : "<identity token=\"" + escape(token) + "\"/>";
            String resume = "<message type=\"x-resume\"><session token=\"" + escape(session) + "\"/></message>";
            String families = "<ext name=\"session\"/><ext name=\"state\"/><ext name=\"reason\"/>";
            say("<message type=\"x-hello\">" + families + program + identity + "</message>" + (session.isEmpty() ? login() : resume));
            Documents documents = new Documents();
            byte[] piece = new byte[65536];
            for (int length; (length = receive(piece)) >= 0;) {
                for (Element message : documents.feed(new String(piece, 0, length, StandardCharsets.ISO_8859_1))) {
                    if (!answer(message)) {
                        return;
                    }
                }
            }
        }
    }

    /** Waits for more; after a silence without a game we ask what we wait for. */
    private int receive(byte[] piece) throws IOException {
        for (;;) {
            line.setSoTimeout(asks ? SILENCE_MS : 0);
            try {
                return line.getInputStream().read(piece);
            } catch (SocketTimeoutException silence) {
                say("<message type=\"x-why\" ref=\"waiting\"/>");
                asks = false;
            }
        }
    }

    /** Sends one message, or several in one piece, which begins with the XML declaration. */
    private void say(String body) throws IOException {
        String said = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + body;
        line.getOutputStream().write(said.getBytes(StandardCharsets.UTF_8));
    }

    private String login() {
        return "<message type=\"playerLogin\"><playerLogin nick=\"" + escape(nick) + "\" gameType=\""
                + escape(gameType) + "\"/></message>";
    }

    /** False when the connection is of no more use. */
    private boolean answer(Element message) throws IOException {
        if ("waiting".equals(message.attributes.get("ref"))) { // the answer to our question
            if (message.child("account") != null) {
                out.println("waiting: " + message.textOf("account").replace("\n", "; "));
            }
            return true;
        }
        switch (message.attributes.getOrDefault("type", "")) {
            case "x-hello": // what the server knows beyond the protocol
                explains = message.all("ext").stream().anyMatch(one -> "reason".equals(one.attributes.get("name")));
                lists = message.all("ext").stream().anyMatch(one -> "state".equals(one.attributes.get("name")));
                break;
            case "loginResponse":
                return entered(message);
            case "x-session":
                session = message.fact("session", "token");
                inSession = true;
                called = message.fact("session", "nick").isEmpty() ? called : message.fact("session", "nick");
                boolean resumed = message.fact("session", "resumed").equals("yes");
                answered = message.fact("session", "turn").equals("no");
                back = resumed && !message.fact("session", "turn").isEmpty();
                keepToken();
                if (resumed) {
                    out.println(back ? "back again" : "back again: no game of yours goes on");
                }
                break;
            case "x-ping": // the server asks whether we are there
                String ref = message.attributes.getOrDefault("ref", "");
                say("<message type=\"x-pong\"" + (ref.isEmpty() ? "" : " ref=\"" + escape(ref) + "\"") + "/>");
                break;
            case "gameState":
                shown(message);
                break;
            case "x-states": // all states before the last one, which comes once more now
                if (held != null) {
                    held = null;
                    player = newPlayer.get();
                    message.all("shown").stream().flatMap(one -> one.all("gameState").stream()).forEach(player::sees);
                }
                break;
            case "x-verdict":
                out.println("why: " + Stream.of("account", "said").map(message::textOf)
                        .filter(text -> !text.isEmpty()).collect(Collectors.joining("; ")));
                break;
            case "x-reason":
                out.println("the game master says that we broke a rule: " + message.textOf("cause"));
                break;
            case "x-failed": // why a login is refused comes before its answer
                if (!"states".equals(message.attributes.get("ref"))) {
                    failed(message);
                } else if (held != null) { // then we go on with what we know
                    Element last = held;
                    held = null;
                    shown(last);
                }
                break;
            case "error":
                if (!isSessionOver(message.text.toString())) {
                    failed(message.text.toString().trim());
                }
                break;
            case "serverShutdown":
                out.println("the server shuts down");
                session = ""; // sessions end with a server that says good-bye
                break;
            default: // such as championsList: good to know, but it asks nothing of us
        }
        return true;
    }

    private void failed(String error) throws IOException {
        out.println("the server says: " + error);
        broken += error.startsWith("document refused") || error.startsWith("this session continues") ? 1 : 0;
        String result = endIn(error);
        if (currentGame != null && !currentGame.equals(counted) && !result.isEmpty()) {
            out.println("game over: " + result + " in " + currentGame);
            asks = explains;
            held = null;
            if (isLast()) {
                say("<message type=\"logout\"/>");
            }
        }
    }

    /** What an error says that we are in our game, which is over for us then: no end of it is shown to us. "" if it does not. */
    private String endIn(String error) {
        if (error.startsWith("game void:")) {
            return "void";
        }
        if (error.startsWith("removed by the game master") || error.startsWith("document refused")) {
            return "loser";
        }
        String[][] ends = {{"lost", "loser"}, {"won", "winner"}, {"drawn", "a draw"}}; // won or drawn when we were away
        for (String[] end : ends) {
            if (error.contains("game " + currentGame + " is " + end[0])) {
                return end[1];
            }
        }
        return "";
    }

    /** Counts our game as played, once; whether that was the last one. */
    private boolean isLast() {
        played += currentGame.equals(counted) || played == games ? 0 : 1; // after our logout some may yet come
        counted = currentGame;
        return played == games;
    }

    private void failed(Element message) throws IOException {
        String why = message.textOf("reason");
        String wait = message.fact("reason", "waitSec");
        if (isSessionOver(why)) {
            return;
        }
        if (message.fact("reason", "code").equals("DUPLICATE_USER") && !wait.isEmpty() && !waited) {
            out.println("the nick is kept for " + wait + " s more: waiting");
            keptMs = (long) (1000 * Double.parseDouble(wait));
            waited = true;
        } else {
            out.println("the server says: " + why);
            if (why.contains("has a token") && token.isEmpty()) {
                out.println("where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment");
            }
            explained = true;
        }
    }

    /** Logs in when the server does not take us back; whether that was it. */
    private boolean isSessionOver(String why) throws IOException {
        if (session.isEmpty() || unanswered == 0) {
            return false;
        }
        if (inSession) { // else the token is of an earlier start, which may have ended well
            out.println("the session is over: " + why);
        }
        session = "";
        currentGame = null;
        say(login());
        return true;
    }

    /** Takes the token that an earlier start has written down, if any: its session goes on. False where no token can be
     * written down, which is seen before there is one. */
    private boolean readToken() throws IOException {
        if (sessionFile == null) {
            return true;
        }
        try {
            new FileOutputStream(sessionFile, true).close();
        } catch (FileNotFoundException error) {
            out.println("cannot write " + sessionFile + ": " + reason(error));
            return false;
        }
        session = content(sessionFile);
        return true;
    }

    /** Why the file of the token cannot be written: some errors say "FILE (REASON)". */
    private String reason(IOException error) {
        return error.getMessage().replace(sessionFile, "").trim().replaceAll("^\\(|\\)$", "");
    }

    private static String content(String path) throws IOException {
        return new String(Files.readAllBytes(new File(path).toPath()), StandardCharsets.UTF_8).trim();
    }

    /** Writes the token of our session down, for us alone: who has it can take our seat. */
    private void keepToken() {
        if (sessionFile == null) {
            return;
        }
        try {
            File file = new File(sessionFile);
            file.createNewFile();
            file.setReadable(false, false);
            file.setReadable(true, true);
            try (FileOutputStream writes = new FileOutputStream(file)) {
                writes.write((session + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException error) {
            out.println("cannot write " + sessionFile + ": " + reason(error) + "; playing on without it");
            sessionFile = null;
        }
    }

    private boolean entered(Element message) {
        unanswered = 0;
        if (!message.fact("response", "accept").equals("yes")) {
            if (keptMs > 0) {
                return false;
            }
            String number = message.fact("error", "id");
            String why = explained ? "" : ": " + REFUSALS.getOrDefault(number, "the server does not say why");
            out.printf("login refused%s (error %s)%n", why, number);
            explained = false;
            refused = !welcome;
            return false;
        }
        welcome = true;
        waited = false;
        pauseMs = 1000;
        asks = explains;
        String name = nick.split("#", 2)[0]; // what stands behind it may be a token
        out.println("logged in as " + name + asking);
        return true;
    }

    private void shown(Element message) throws IOException {
        String id = message.fact("gameId", "id");
        String game = "<gameId id=\"" + escape(id) + "\"/>";
        if (!id.equals(currentGame)) { // we hear of a new game by its first state
            currentGame = id;
            out.println("in game " + id);
            player = newPlayer.get();
            held = null;
        }
        Element state = message.child("gameState");
        if (state != null) {
            player.sees(state);
        }
        if (back && lists || held != null) {
            if (held == null) {
                say("<message type=\"x-listStates\" ref=\"states\">" + game + "</message>");
            } else {
                answered = false; // it is among those that come, or comes once more behind them
            }
            back = false;
            held = message;
            return;
        }
        if (message.fact("nextPlayer", "nick").equals(called) && !answered) {
            String move = player.move();
            if (move.isEmpty()) {
                out.println("this state lists no moves that I know how to choose");
                atALoss = refused = true;
            }
            say(atALoss ? "<message type=\"logout\"/>" : "<message type=\"move\">" + game + "<move>" + move + "</move></message>");
        }
        answered = false;
        Element over = message.child("gameOver");
        asks = explains && over != null;
        if (over == null) {
            return;
        }
        List<Element> players = over.all("player");
        boolean drawn = players.size() > 1
                && players.stream().map(one -> one.attributes.get("result")).distinct().count() == 1;
        for (Element one : players) {
            if (called.equals(one.attributes.get("nick"))) {
                out.println("game over: " + (drawn ? "a draw" : one.attributes.get("result")) + " in " + id);
            }
        }
        broken = 0;
        // A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server
        // closes now; reading on until then makes sure that it got our last word.
        say(isLast() ? "<message type=\"logout\"/>" : "<message type=\"thank you\">" + game + "</message>");
    }
}
