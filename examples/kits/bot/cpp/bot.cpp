// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.hpp.
//
//     cmake -B build && cmake --build build && build/bot HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
//
// As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.

#include <vector>

#include "protocol.hpp"

namespace {

constexpr auto NAME = "mybot"; // what the page of your bot shows: the results of each VERSION
constexpr auto VERSION = "1";
constexpr auto GAME_TYPE = "5-in-line-tic-tac-toe";
constexpr std::size_t SIZE = 20; // of the board, as long as no state shows another one

std::mt19937 chance(std::random_device{}());

// A number from 0 up to, but without, the bound.
std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(chance); }

// One game; there is a new object for each.
class Bot : public ugs::Player {
public:
    // Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end, and the
    // size of a board that is not the usual one. When we are asked for a move, the last stone is the opponent's.
    void sees(const ugs::Element &state) override {
        if (!state.attribute("width").empty() && !state.attribute("height").empty())
            taken_.assign(std::stoul(state.attribute("width")),
                          std::vector<bool>(std::stoul(state.attribute("height"))));
        const auto tacs = state.all("tac");
        for (const ugs::Element *tac : tacs)
            taken_.at(std::stoul(tac->attribute("x"))).at(std::stoul(tac->attribute("y"))) = true;
        legal_.clear();
        for (const ugs::Element *legal : state.listed_moves())
            legal_.push_back(legal->attribute("id"));
        const bool empty = state.children.empty() && state.attributes.empty();
        foreign_ = !empty && tacs.empty() && state.attribute("width").empty();
    }

    // Our move, as XML: put your own ideas here. Nothing ends the bot: it knows no move.
    std::string move() override {
        if (!legal_.empty())
            return "<play id=\"" + ugs::escape(legal_[below(legal_.size())]) + "\"/>";
        if (foreign_) return "";
        std::size_t x, y;
        do {
            x = below(taken_.size());
            y = below(taken_[x].size());
        } while (taken_[x][y]);
        taken_[x][y] = true; // the state that shows it may get lost with the line
        return "<tic x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"/>";
    }

private:
    std::vector<std::vector<bool>> taken_{SIZE, std::vector<bool>(SIZE)}; // fields with a stone, by column
    std::vector<std::string> legal_; // the ids of the legal moves, where the state lists them
    bool foreign_ = false;           // the state is none of five in line
};

} // namespace

int main(int count, char *words[]) {
    return ugs::Client([] { return std::make_unique<Bot>(); }, GAME_TYPE, NAME, VERSION).run(count, words);
}
