// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in Protocol.cs.
//
//     xbuild bot.csproj && mono bin/bot.exe HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
//
// As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Xml.Linq;

/// <summary>One game; there is a new object for each.</summary>
public sealed class Bot : IPlayer
{
    const string Name = "mybot", Version = "1"; // what the page of your bot shows: the results of each Version
    const string GameType = "5-in-line-tic-tac-toe";
    const int Size = 20; // of the board, as long as no state shows another one

    static readonly Random Chance = new Random();
    bool[,] taken = new bool[Size, Size]; // fields with a stone
    List<XElement> legal = new List<XElement>(); // the legal moves, where the state lists them, each with an id
    bool foreign; // the state is none of five in line

    /// <summary>Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
    /// size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.</summary>
    public void Sees(XElement state)
    {
        XAttribute width = state.Attribute("width"), height = state.Attribute("height");
        if (width != null && height != null) taken = new bool[(int)width, (int)height];
        var tacs = state.Elements("tac").ToList();
        foreach (var tac in tacs) taken[(int)tac.Attribute("x"), (int)tac.Attribute("y")] = true;
        legal = Protocol.ListedMoves(state);
        foreign = (state.HasElements || state.HasAttributes) && tacs.Count == 0 && width == null;
    }

    /// <summary>Our move: put your own ideas here. Null ends the bot: it knows no move.</summary>
    public XElement Move()
    {
        if (legal.Count > 0) return new XElement("play", legal[Chance.Next(legal.Count)].Attribute("id"));
        if (foreign) return null;
        int x, y;
        do
        {
            x = Chance.Next(taken.GetLength(0));
            y = Chance.Next(taken.GetLength(1));
        }
        while (taken[x, y]);
        taken[x, y] = true; // the state that shows it may get lost with the line
        return new XElement("tic", new XAttribute("x", x), new XAttribute("y", y));
    }

    public static int Main(string[] words)
    {
        return Protocol.Run(() => new Bot(), GameType, Name, Version, words);
    }
}
