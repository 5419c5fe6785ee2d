# The protocol of the universal game server, with nothing but modules that come with Perl. Your ideas are in bot.pl.
#
# Connects, logs in, cuts what arrives into documents, thanks for games, and comes back when the server was away.
package Protocol;

use strict;
use warnings;
use Encode qw(decode encode);
use Exporter qw(import);
use Getopt::Long qw(GetOptions);
use IO::Select;
use IO::Socket::IP;
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(sleep);

our @EXPORT_OK = qw(all child escape listed_moves run);

# --- just enough XML --------------------------------------------------------------------------------------------------

# A comment, a CDATA section, a processing instruction (the XML declaration is one), or a tag, in whose attribute values
# a ">" may stand.
my $MARKUP    = qr/\G(?:<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]++|"[^"]*"|'[^']*')*+>)/s;
my $ATTRIBUTE = qr/([^\s=<>"'\/]+)\s*=\s*(?|"([^"]*)"|'([^']*)')/;
my %NAMED     = (lt => '<', gt => '>', amp => '&', quot => '"', apos => "'");

# Bytes as text, with references such as &amp; and &#233; replaced.
sub unescape {
    my $text = decode('UTF-8', $_[0]);
    $text =~ s{&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));}
              {defined $1 ? chr(hex $1) : defined $2 ? chr($2) : $NAMED{$3} // "&$3;"}ge;
    return $text;
}

# Text as the value of an attribute.
sub escape { my ($text) = @_; $text =~ s/([&<>"])/'&#' . ord($1) . ';'/ge; return $text }

# The first child of this name, or undef; and all of them.
sub child { my ($element, $name) = @_; return (all($element, $name))[0] }
sub all { my ($element, $name) = @_; return $element ? grep { $_->{name} eq $name } @{ $element->{children} } : () }

# The moves that a state lists, at any depth: a <play id="..."/> each, or a <forfeit id="..."/>.
sub listed_moves {
    my ($element) = @_;
    my $is_move = $element->{name} =~ /^(?:play|forfeit)$/ && exists $element->{attributes}{id};
    return ($is_move ? $element : (), map { listed_moves($_) } @{ $element->{children} });
}

# Cuts what arrives into documents and makes each a tree of elements {name, attributes, children, text}. TCP knows no
# documents: one may come in many pieces, and one piece may hold many. So we keep the elements that are open, and a
# document ends with the tag that closes the last of them. Gives a function that takes the next bytes and gives the
# documents that are complete with them.
sub documents {
    my ($buffer, $position, @open) = ('', 0);    # the buffer up to the position has been looked at
    return sub {
        $buffer .= $_[0];
        my @complete;
        while ((my $start = index($buffer, '<', $position)) >= 0) {
            pos($buffer) = $start;
            last unless $buffer =~ /$MARKUP/gc;
            my $markup = substr($buffer, $start, pos($buffer) - $start);
            $open[-1]{text} .= unescape(substr($buffer, $position, $start - $position)) if @open;
            $position = $start + length $markup;
            if ($markup =~ /^<!\[CDATA\[(.*)\]\]>$/s) { $open[-1]{text} .= decode('UTF-8', "$1") if @open; next }
            next if $markup =~ /^<[!?]/;
            if ($markup !~ m{^</}) {
                my %attributes;
                $attributes{$1} = unescape("$2") while $markup =~ /$ATTRIBUTE/g;
                my ($name) = $markup =~ m{^<([^\s/>]+)};
                my $element = { name => $name, attributes => \%attributes, children => [], text => '' };
                push @{ $open[-1]{children} }, $element if @open;
                push @open, $element;
                next if $markup !~ m{/>$};
            }
            my $ended = pop @open;
            next if @open;
            push @complete, $ended;
            $buffer = substr($buffer, $position);
            $position = 0;
        }
        return @complete;
    };
}

# --- the protocol: XML documents, one after another, with nothing between them ----------------------------------------

my $TOKEN = decode('UTF-8', $ENV{UGS_TOKEN} // '');   # where nicks have tokens: ours; not on the command line, which all can see
my $SILENCE_S = 3;          # without a game; then we ask what we wait for
my $MOST_REFUSED = 3;       # documents of ours, without a whole game in between; then the next one is no better
my $MOST_UNANSWERED = 4;    # connections that end before our login was answered; then it is no use to go on
my %REFUSALS = (            # why a server does not let us in, by the number of its error
    1 => 'the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)',
    2 => 'this server does not offer this game',
    3 => 'there is no room: the server or the pool of the game is full, or a championship has begun',
);
my $NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS, which this bot does not\n";
my $USAGE = "usage: perl bot.pl HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]\n";

my ($line, $nick, $game_type, $games, $bot_class, $bot);
my $session_file;       # where the token of our session is kept, if anywhere
my $current  = '';
my $called   = '';    # the nick that the server knows us by: of "NAME#TOKEN" it is the name
my $counted  = '';    # the game that was counted last: after a cut line we may hear of its end once more
my $asking   = '';    # how the server is asked about us and our games, where the token of our session is kept
my $hinted   = 0;     # we have said how a server is started
my $in_session = 0;   # the server has told us of a session of ours, in this run
my $answered = 0;     # we have just come back, and the server waits for no move of ours
my $back = 0;         # we have just come back into a game: what we know of it may be old, or nothing
my $held;             # the last state, as long as we wait for those before it
my $session  = '';    # its token: who shows it goes on with the game after a cut line; empty without a session
my $played  = 0;
my $welcome = 0;       # we were let in before, so a refusal means that the server has not missed us yet
my $at_a_loss = 0;     # we have logged out, for want of a move
my $explained = 0;     # the server has said why it refuses our login
my $explains = 0;      # it says what we wait for when it is asked
my $asks = 0;          # we shall ask
my $lists = 0;         # it shows all states of our game when it is asked
my $kept = 0;          # the server keeps the nick for so many seconds, perhaps for an earlier start of ours
my $waited = 0;        # for that; we do so once
my $program;            # the name and version of this bot, as an element
my $refused = 0;       # or it is no use to try again for another reason
my $broken = 0;        # how often the server has put us out since the last whole game
my $unanswered = 0;    # connections in a row that ended before our login was answered
my $pause = 1;         # seconds before the next connection, at most; twice as many each time, until we are let in

# Sends one message, or several in one piece, which begins with the XML declaration.
sub say_to_server { my ($body) = @_; $line->syswrite(encode('UTF-8', qq(<?xml version="1.0" encoding="UTF-8"?>$body))); return }

# An attribute of a child of a message; empty without it.
sub fact { my ($message, $name, $attribute) = @_; my $found = child($message, $name); return $found && $found->{attributes}{$attribute} // '' }
sub text { my ($message, $name) = @_; my $found = child($message, $name); return $found ? $found->{text} : '' }

sub log_in {
    my $login = '<playerLogin nick="' . escape($nick) . '" gameType="' . escape($game_type) . '"/>';
    return qq(<message type="playerLogin">$login</message>);
}

# Writes the token of our session down, for us alone: who has it can take our seat.
sub keep_token {
    return if !defined $session_file;
    my $mask = umask 0077;
    my $file;
    if (!(open($file, '>', $session_file) && (print {$file} "$session\n") && close $file)) {
        print 'cannot write ' . decode('UTF-8', $session_file) . ": $!; playing on without it\n";
        undef $session_file;
    }
    umask $mask;
    return;
}

# Sees that the token of our session can be written down, before there is one; else the program ends.
sub check_writable {
    my $mask = umask 0077;
    open my $file, '>>', $session_file or do { print 'cannot write ' . decode('UTF-8', $session_file) . ": $!\n"; exit 1 };
    close $file;
    umask $mask;
    return;
}

# The token in a file; nothing without one.
sub token_in {
    my ($path) = @_;
    open my $file, '<:encoding(UTF-8)', $path or return;
    my $token = <$file> // '';
    $token =~ s/^\s+|\s+$//g;
    close $file;
    return $token;
}

# Logs in when the server does not take us back; whether that was it.
sub is_session_over {
    my ($why) = @_;
    return 0 if !length $session || !$unanswered;
    print "the session is over: $why\n" if $in_session;    # else the token is of an earlier start, which may have ended well
    $session = $current = '';
    say_to_server(log_in());
    return 1;
}

# What an error says of a game that is over: won or drawn when we were away.
my %ENDS = (lost => 'loser', won => 'winner', drawn => 'a draw');

# What an error says that we are in our game, which is over for us then: no end of it is shown to us. '' if it does not.
sub end_in {
    my ($error) = @_;
    return 'void'  if $error =~ /^game void:/;
    return 'loser' if $error =~ /^(?:removed by the game master|document refused)/;
    return $error =~ /game \Q$current\E is (lost|won|drawn)/ ? $ENDS{$1} : '';
}

# Counts our game as played, once; whether that was the last one.
sub is_last {
    $played++ if $current ne $counted && $played != $games;    # after our logout some may yet come
    $counted = $current;
    return $played == $games;
}

my %ANSWERS;
%ANSWERS = (
    loginResponse => sub {
        my ($message) = @_;
        $unanswered = 0;
        if (fact($message, 'response', 'accept') eq 'yes') {
            ($welcome, $waited, $pause, $asks) = (1, 0, 1, $explains);
            my ($name) = $nick =~ /^([^#]*)/;    # what stands behind it may be a token
            print "logged in as $name$asking\n";
            return;
        }
        if ($kept) { $line->close; return }
        my $number = fact($message, 'error', 'id') || '?';
        my $why = $explained ? '' : ': ' . ($REFUSALS{$number} // 'the server does not say why');
        print "login refused$why (error $number)\n";
        $explained = 0;
        $refused = !$welcome;
        $line->close;
    },
    'x-hello' => sub {
        my %granted = map { ($_->{attributes}{name} // '') => 1 } all($_[0], 'ext');
        ($explains, $lists) = ($granted{reason}, $granted{state});
    },
    'x-account' => sub {
        return if ($_[0]{attributes}{ref} // '') ne 'waiting';
        print 'waiting: ', text($_[0], 'account') =~ s/\n/; /gr, "\n";
    },
    'x-session' => sub {
        my ($message) = @_;
        my $resumed = fact($message, 'session', 'resumed') eq 'yes';
        $session  = fact($message, 'session', 'token');
        $in_session = 1;
        $called   = fact($message, 'session', 'nick') || $called;
        $answered = fact($message, 'session', 'turn') eq 'no';
        $back     = $resumed && fact($message, 'session', 'turn') ne '';
        keep_token();
        print $back ? "back again\n" : "back again: no game of yours goes on\n" if $resumed;
    },
    'x-ping' => sub {    # the server asks whether we are there
        my $ref = $_[0]{attributes}{ref} // '';
        say_to_server('<message type="x-pong"' . (length $ref ? ' ref="' . escape($ref) . '"' : '') . '/>');
    },
    gameState => sub {
        my ($message) = @_;
        my $id = fact($message, 'gameId', 'id');
        my $game = '<gameId id="' . escape($id) . '"/>';
        if ($id ne $current) {    # a new game: its first state
            ($current, $bot, $held) = ($id, $bot_class->new);
            print "in game $id\n";
        }
        my $state = child($message, 'gameState');
        $bot->sees($state) if $state;
        if ($back && $lists) {
            ($back, $held) = (0, $message);
            say_to_server("<message type=\"x-listStates\" ref=\"states\">$game</message>");
            return;
        }
        if ($held) { ($answered, $held) = (0, $message); return }    # it is among those that come, or comes once more
        if (fact($message, 'nextPlayer', 'nick') eq $called && !$answered) {
            my $move = $bot->move;
            $refused = $at_a_loss = 1 if !length $move;
            print "this state lists no moves that I know how to choose\n" if $at_a_loss;
            say_to_server($at_a_loss ? '<message type="logout"/>' : "<message type=\"move\">$game<move>$move</move></message>");
        }
        $answered = 0;
        my $over = child($message, 'gameOver');
        $asks = $explains && $over;
        return if !$over;
        my ($own) = grep { ($_->{attributes}{nick} // '') eq $called } all($over, 'player');
        my @results = map { $_->{attributes}{result} } all($over, 'player');
        my $drawn = @results > 1 && !grep { $_ ne $results[0] } @results;
        print 'game over: ', $drawn ? 'a draw' : $own ? $own->{attributes}{result} : '', " in $id\n";
        $broken = 0;
        # A "thank you" would make us ready for a next game, so after the last one good-bye takes its place. The server
        # closes now; reading on until then makes sure that it got our last word.
        say_to_server(is_last() ? '<message type="logout"/>' : "<message type=\"thank you\">$game</message>");
    },
    'x-states' => sub {    # all states before the last one, which comes once more now
        return if !$held;
        ($bot, $held) = ($bot_class->new);
        $bot->sees(child($_, 'gameState')) for all($_[0], 'shown');
    },
    'x-verdict' => sub { print 'why: ', join('; ', grep { length } text($_[0], 'account'), text($_[0], 'said')), "\n" },
    'x-reason'  => sub { print 'the game master says that we broke a rule: ', text($_[0], 'cause'), "\n" },
    'x-failed'  => sub {    # why a login is refused
        return if ($_[0]{attributes}{ref} // '') eq 'waiting';    # it does not tell now what we wait for
        if (($_[0]{attributes}{ref} // '') eq 'states') {                # nor what we have missed: we go on with what we know
            (my $last, $held) = ($held);
            $ANSWERS{gameState}->($last) if $last;
            return;
        }
        my $why = text($_[0], 'reason');
        return if is_session_over($why);
        my $wait = fact($_[0], 'reason', 'code') eq 'DUPLICATE_USER' ? fact($_[0], 'reason', 'waitSec') || 0 : 0;
        if ($wait && !$waited) {
            print "the nick is kept for $wait s more: waiting\n";
            ($kept, $waited) = ($wait, 1);
            return;
        }
        print "the server says: $why\n";
        my $unproven = $why =~ /has a token/ && !length $TOKEN;
        print "where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment\n" if $unproven;
        $explained = 1;
    },
    error => sub {
        my $text = $_[0]{text};
        $text =~ s/^\s+|\s+$//g;
        return if is_session_over($text);
        print "the server says: $text\n";
        $broken++ if $text =~ /^(?:document refused|this session continues)/;
        my $result = end_in($text);
        return if $current eq '' || $current eq $counted || $result eq '';
        print "game over: $result in $current\n";
        ($asks, $held) = ($explains);
        say_to_server('<message type="logout"/>') if is_last();
    },
    serverShutdown => sub { print "the server shuts down\n"; $session = '' },    # and ends all sessions
    # Anything else, such as championsList, is good to know but asks nothing of us.
);

# Connects, logs in and plays until the server closes.
sub play {
    my ($host, $port) = @_;
    $line = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port, Proto => 'tcp');
    if (!$line) {
        print "no connection: $@\n";
        print "no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one\n" if !($welcome || $unanswered || $hinted++);
        return;
    }
    $line->setsockopt(IPPROTO_TCP, TCP_NODELAY, 1);    # moves are small and must not wait
    $unanswered++;
    $asks = $explains = $lists = $back = 0;
    $held = undef;

    # First we say what we know beyond the protocol: sessions, earlier states, reasons. A server that knows none says so in
    # an error.
    my $identity = length $TOKEN ? '<identity token="' . escape($TOKEN) . '"/>' : '';
    my $resume = '<message type="x-resume"><session token="' . escape($session) . '"/></message>';
    my $login = length $session ? $resume : log_in();
    say_to_server(qq(<message type="x-hello"><ext name="session"/><ext name="state"/><ext name="reason"/>$program$identity</message>$login));
    my $feed = documents();
    $current = '' if !length $session;
    while ($line->opened) {
        if ($asks && !IO::Select->new($line)->can_read($SILENCE_S)) {    # a silence without a game
            say_to_server('<message type="x-why" ref="waiting"/>');
            $asks = 0;
        }
        last if !$line->sysread(my $piece, 65536);
        for my $message ($feed->($piece)) {
            my $answer = $ANSWERS{ $message->{attributes}{type} // '' };
            $answer->($message) if $answer;
        }
    }
    print "the server has closed the connection\n" if !$at_a_loss && !$kept && $played != $games;
    print $NO_SERVER if $unanswered == 1 && !$welcome;
    $line->close;
    return;
}

# Our last word when somebody stops us, or the server would keep the nick for us. It closes then; who presses Ctrl-C once
# more does not wait for that.
sub log_out {
    local @SIG{qw(INT TERM)} = ('DEFAULT') x 2;
    local $SIG{ALRM} = sub { exit 0 };
    print "stopped\n";
    if ($line && $line->opened) {
        alarm 2;
        say_to_server('<message type="logout"/>');
        1 while $line->sysread(my $rest, 65536);
    }
    exit 0;
}

# Does what the command line says, and ends the program. Each game gets a new object of the class; the type is what it plays;
# the name and the version are what the server shows.
sub run {
    ($bot_class, $game_type, my ($name, $version)) = @_;
    $program = '<program name="' . escape($name) . '" version="' . escape($version) . '"/>';
    $games = -1;
    my ($token_file, $help);
    my $known = GetOptions(
        'game=s' => \$game_type, 'games=i' => \$games, 'token-file=s' => \$token_file,
        'session-file=s' => \$session_file, 'help|h' => \$help,
    );
    if ($help) { print $USAGE; exit 0 }
    if (defined $token_file && !defined($TOKEN = token_in($token_file))) { print STDERR "$token_file: $!\n"; exit 2 }
    if (!$known || @ARGV != 3 || $games == 0) { print STDERR $USAGE; exit 2 }
    (my $host, my $port, $nick) = map { decode('UTF-8', $_) } @ARGV;
    $called = $nick;
    $asking = " (why? ugs why --connect $host:$port --session-file " . decode('UTF-8', $session_file) . ')' if defined $session_file;
    binmode STDOUT, ':encoding(UTF-8)';
    $| = 1;
    local $SIG{PIPE} = 'IGNORE';
    check_writable() if defined $session_file;
    $session = token_in($session_file) // '' if defined $session_file;    # that of an earlier start goes on
    local @SIG{qw(INT TERM)} = (sub { die "stopped\n" }) x 2;
    eval { play_on($host, $port); 1 } or do { die $@ if $@ ne "stopped\n"; log_out() };
    return;
}

# Plays until it is no use to come back, and ends the program.
sub play_on {
    my ($host, $port) = @_;
    while (1) {
        play($host, $port);
        exit 0 if $played == $games;
        if ($broken >= $MOST_REFUSED) {
            print "the server has put us out three times in a row: it says above why\n";
            exit 1;
        }
        if ($unanswered >= $MOST_UNANSWERED && !$welcome && !$refused) {
            print $NO_SERVER;
            $refused = 1;
        }
        exit 1 if $refused;
        sleep($kept || $pause * (0.2 + rand 0.8));    # not all bots at once
        $kept = 0;
        $pause = 2 * $pause > 30 ? 30 : 2 * $pause;
    }
}

1;
