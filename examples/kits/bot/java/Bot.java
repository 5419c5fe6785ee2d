// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in Protocol.java.
//
//     ant -q && java -cp build Bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE] [--tls [--ca FILE]]
//
// As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One game; there is a new object for each. */
public final class Bot implements Protocol.Player {
    private static final String NAME = "mybot"; // what the page of your bot shows: the results of each VERSION
    private static final String VERSION = "1";
    private static final String GAME_TYPE = "5-in-line-tic-tac-toe";
    private static final int SIZE = 20; // of the board, as long as no state shows another one

    private final Random random = new Random();
    private boolean[][] taken = new boolean[SIZE][SIZE]; // fields with a stone, by column
    private List<Protocol.Element> legal = new ArrayList<>(); // where the state lists the legal moves: each with an id
    private boolean foreign; // the state is none of five in line

    /** Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
     * size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's. */
    @Override
    public void sees(Protocol.Element state) {
        String width = state.attributes.get("width");
        String height = state.attributes.get("height");
        if (width != null && height != null) {
            taken = new boolean[Integer.parseInt(width)][Integer.parseInt(height)];
        }
        List<Protocol.Element> tacs = state.all("tac");
        for (Protocol.Element tac : tacs) {
            taken[Integer.parseInt(tac.attributes.get("x"))][Integer.parseInt(tac.attributes.get("y"))] = true;
        }
        legal = state.listedMoves();
        foreign = tacs.isEmpty() && width == null && !(state.children.isEmpty() && state.attributes.isEmpty());
    }

    /** Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move. */
    @Override
    public String move() {
        if (!legal.isEmpty()) {
            String id = legal.get(random.nextInt(legal.size())).attributes.get("id");
            return "<play id=\"" + Protocol.escape(id) + "\"/>";
        }
        if (foreign) {
            return "";
        }
        int x;
        int y;
        do {
            x = random.nextInt(taken.length);
            y = random.nextInt(taken[0].length);
        } while (taken[x][y]);
        taken[x][y] = true; // the state that shows it may get lost with the line
        return "<tic x=\"" + x + "\" y=\"" + y + "\"/>";
    }

    public static void main(String[] words) throws Exception {
        System.exit(Protocol.run(Bot::new, GAME_TYPE, NAME, VERSION, words));
    }
}
