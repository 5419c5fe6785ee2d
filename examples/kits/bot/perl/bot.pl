# Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in Protocol.pm.
#
#     perl bot.pl HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
#
# As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Protocol qw(run);

my ($NAME, $VERSION) = ('mybot', '1');    # what the page of your bot shows: the results of each VERSION
my $GAME_TYPE = '5-in-line-tic-tac-toe';
my $SIZE      = 20;    # of the board, as long as no state shows another one

# One game; there is a new object for each.
package Bot {

    # Fields with a stone, each "x,y"; the legal moves, where the state lists them, each with an id; and whether the
    # state is one of five in line.
    sub new { return bless { width => $SIZE, height => $SIZE, taken => {}, legal => [], ours => 1 }, shift }

    # Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
    # size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
    sub sees {
        my ($self, $state) = @_;
        $self->{$_} = $state->{attributes}{$_} // $self->{$_} for qw(width height);
        my @tacs = Protocol::all($state, 'tac');
        $self->{taken}{"$_->{attributes}{x},$_->{attributes}{y}"} = 1 for @tacs;
        $self->{legal} = [Protocol::listed_moves($state)];
        my $empty = !@{ $state->{children} } && !%{ $state->{attributes} };
        $self->{ours} = @tacs || exists $state->{attributes}{width} || $empty;
        return;
    }

    # Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
    sub move {
        my ($self) = @_;
        my @legal = @{ $self->{legal} };
        return qq(<play id="$legal[rand @legal]{attributes}{id}"/>) if @legal;
        return '' if !$self->{ours};
        my @rows = (0 .. $self->{height} - 1);
        my @free = grep { !$self->{taken}{$_} } map { my $x = $_; map { "$x,$_" } @rows } 0 .. $self->{width} - 1;
        my ($x, $y) = split /,/, $free[rand @free];
        $self->{taken}{"$x,$y"} = 1;    # the state that shows it may get lost with the line
        return qq(<tic x="$x" y="$y"/>);
    }
}

run('Bot', $GAME_TYPE, $NAME, $VERSION);
