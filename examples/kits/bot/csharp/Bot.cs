// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in Protocol.cs.
//
//     xbuild bot.csproj && mono bin/bot.exe HOST PORT NICK [--game TYPE] [--games N]
//
// As it comes it plays five in line, and every game whose states list the legal moves, at random.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Xml.Linq;

/// <summary>One game; there is a new object for each.</summary>
public sealed class Bot : IPlayer
{
    const string GameType = "5-in-line-tic-tac-toe";
    const int Size = 20; // of the board, as long as no state shows another one

    static readonly Random Chance = new Random();
    bool[,] taken = new bool[Size, Size]; // fields with a stone
    List<string> legal = new List<string>(); // the ids of the legal moves, where the state lists them

    /// <summary>Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
    /// size of a board that is not the usual one.</summary>
    public void Sees(XElement state)
    {
        XAttribute width = state.Attribute("width"), height = state.Attribute("height");
        if (width != null && height != null) taken = new bool[(int)width, (int)height];
        foreach (var tac in state.Elements("tac")) taken[(int)tac.Attribute("x"), (int)tac.Attribute("y")] = true;
        legal = state.Elements("play").Select(one => (string)one.Attribute("id")).ToList();
    }

    /// <summary>Our move: put your own ideas here.</summary>
    public XElement Move()
    {
        if (legal.Count > 0) return new XElement("play", new XAttribute("id", legal[Chance.Next(legal.Count)]));
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
        return Protocol.Run(() => new Bot(), GameType, words);
    }
}
