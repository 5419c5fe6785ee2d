// Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.hpp.
//
//     cmake -B build && cmake --build build && build/bot HOST PORT NICK [--game TYPE] [--games N]
//
// As it comes it plays five in line, and every game whose states list the legal moves, at random.

#include <array>

#include "protocol.hpp"

namespace {

constexpr auto GAME_TYPE = "5-in-line-tic-tac-toe";
constexpr std::size_t SIZE = 20;

std::mt19937 chance(std::random_device{}());

// A number from 0 up to, but without, the bound.
std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(chance); }

// One game; there is a new object for each.
class Bot : public ugs::Player {
public:
    // Remembers what a state shows. In five in line that is the stone put last, sometimes once more at the end.
    void sees(const ugs::Element &state) override {
        for (const ugs::Element *tac : state.all("tac"))
            taken_.at(std::stoul(tac->attribute("x"))).at(std::stoul(tac->attribute("y"))) = true;
        legal_.clear();
        for (const ugs::Element *legal : state.all("play")) legal_.push_back(legal->attribute("id"));
    }

    // Our move, as XML: put your own ideas here.
    std::string move() override {
        if (!legal_.empty())
            return "<play id=\"" + legal_[below(legal_.size())] + "\"/>";
        std::size_t x, y;
        do {
            x = below(SIZE);
            y = below(SIZE);
        } while (taken_[x][y]);
        return "<tic x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"/>";
    }

private:
    std::array<std::array<bool, SIZE>, SIZE> taken_{}; // fields with a stone
    std::vector<std::string> legal_;                   // the ids of the legal moves, where the state lists them
};

} // namespace

int main(int count, char *words[]) {
    return ugs::Client([] { return std::make_unique<Bot>(); }, GAME_TYPE).run(count, words);
}
