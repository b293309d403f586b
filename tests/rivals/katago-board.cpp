// KataGo's side of the comparison of rules: its Board does what `honinbo bench rules` measures of ours, on the very same
// games. scripts/compare-rules builds it beside KataGo's source and runs both in turn.
// Usage: katago-board SECONDS      figures of SECONDS each, as JSON

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/global.h"
#include "game/board.h"

using namespace std;

// The generator of crates/rules/src/random.rs: xorshift64* (S. Vigna 2016), seeded through SplitMix64.
struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) {
    seed *= 0x9e3779b97f4a7c15ULL;
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebULL;
    state = (seed ^ (seed >> 31)) | 1;
  }
  uint32_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1dULL) >> 32);
  }
  uint32_t below(uint32_t bound) { return (uint32_t)(((uint64_t)next() * bound) >> 32); }
};

// Every point of a board, row by row from the top.
static vector<Loc> pointsOf(int size) {
  vector<Loc> points;
  for(int y = 0; y < size; y++)
    for(int x = 0; x < size; x++)
      points.push_back(Location::getLoc(x, y, size));
  return points;
}

// From a random point on, the first legal one that is no simple eye of the mover; PASS_LOC when there is none.
static Loc randomMove(const Board& board, const vector<Loc>& points, Player pla, Random& random) {
  size_t area = points.size();
  size_t start = random.below((uint32_t)area);
  for(size_t i = start; i < area; i++) {
    Loc loc = points[i];
    if(board.colors[loc] == C_EMPTY && !board.isSimpleEye(loc, pla) && board.isLegal(loc, pla, false))
      return loc;
  }
  for(size_t i = 0; i < start; i++) {
    Loc loc = points[i];
    if(board.colors[loc] == C_EMPTY && !board.isSimpleEye(loc, pla) && board.isLegal(loc, pla, false))
      return loc;
  }
  return Board::PASS_LOC;
}

// Two passes end a game, and so do so many moves. Answers how many stones were played.
static uint64_t playOut(Board& board, const vector<Loc>& points, uint64_t mostMoves, Random& random) {
  Player pla = P_BLACK;
  uint64_t moves = 0;
  bool passed = false;
  while(moves < mostMoves) {
    Loc loc = randomMove(board, points, pla, random);
    if(loc == Board::PASS_LOC) {
      board.clearSimpleKoLoc();
      if(passed)
        break;
      passed = true;
    }
    else {
      board.playMoveAssumeLegal(loc, pla);
      moves++;
      passed = false;
    }
    pla = getOpp(pla);
  }
  return moves;
}

static double processorTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// As iterLadders in neuralnet/nninputs.cpp asks: each chain with one or two liberties once, on one copy.
static uint64_t ladders(const Board& board, const vector<Loc>& points, vector<Loc>& buf, vector<Loc>& working) {
  bool asked[Board::MAX_ARR_SIZE] = {};
  Board copy(board);
  uint64_t caught = 0;
  for(Loc loc: points) {
    if(board.colors[loc] != P_BLACK && board.colors[loc] != P_WHITE)
      continue;
    Loc head = board.chain_head[loc];
    int libs = board.getNumLiberties(loc);
    if(libs > 2 || asked[head])
      continue;
    asked[head] = true;
    working.clear();
    caught += libs == 1 ? copy.searchIsLadderCaptured(loc, true, buf)
                        : copy.searchIsLadderCapturedAttackerFirst2Libs(loc, buf, working);
  }
  return caught;
}

static bool firstFigure = true;

static double timed(const string& name, double seconds, int batch, const function<void()>& work) {
  double begun = processorTime(), elapsed;
  uint64_t count = 0;
  do {
    for(int i = 0; i < batch; i++)
      work();
    count += batch;
    elapsed = processorTime() - begun;
  } while(elapsed < seconds);
  printf("%s    {\"name\": \"%s\", \"nanoseconds\": %.3f}", firstFigure ? "" : ",\n", name.c_str(), 1e9 * elapsed / (double)count);
  firstFigure = false;
  return elapsed;
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 0.2;
  Board::initHash();
  vector<string> games;
  printf("{\n  \"figures\": [\n");
  for(int size: {9, 19}) {
    string on = Global::intToString(size) + "x" + Global::intToString(size) + " plane";
    vector<Loc> points = pointsOf(size);
    const Board empty(size, size);
    Board board(empty);
    uint64_t area = points.size();

    Random same(1);
    uint64_t stones = 0, mark = 0;
    for(int game = 0; game < 256; game++) {
      board = empty;
      stones += playOut(board, points, 3 * area, same);
      for(Loc loc: points)
        mark = (mark * 31 + (uint64_t)board.colors[loc]) & 0xffffffff;
    }
    games.push_back("\"" + on + ": " + Global::uint64ToString(stones) + " stones, mark " + Global::uint64ToString(mark) + "\"");

    Random random(1);
    uint64_t moves = 0;
    double elapsed = timed("playout, " + on, seconds, 64, [&]() {
      board = empty;
      moves += playOut(board, points, 3 * area, random);
    });
    printf(",\n    {\"name\": \"move in a playout, %s\", \"nanoseconds\": %.3f}", on.c_str(), 1e9 * elapsed / (double)moves);

    vector<Board> middles;
    for(int i = 0; i < 64; i++) {
      Board middle(empty);
      playOut(middle, points, area * 2 / 5, random);
      middles.push_back(middle);
    }
    size_t nth = 0;
    auto next = [&]() -> const Board& { return middles[nth = (nth + 1) % middles.size()]; };
    volatile uint64_t kept = 0;
    timed("copy of a board, " + on, seconds, 8192, [&]() { board = next(); });
    vector<Loc> list;
    list.reserve(area);
    timed("list of legal points, " + on, seconds, 1024, [&]() {
      const Board& middle = next();
      list.clear();
      for(Loc loc: points)
        if(middle.isLegal(loc, P_BLACK, false))
          list.push_back(loc);
      kept = kept + list.size();
    });
    vector<Loc> buf, working;
    timed("all ladders of a position, " + on, seconds, 16, [&]() { kept = kept + ladders(next(), points, buf, working); });
    Color result[Board::MAX_ARR_SIZE];
    timed("pass-alive areas of a position, " + on, seconds, 16, [&]() {
      next().calculateArea(result, false, false, false, false);
      kept = kept + (uint64_t)result[points[0]];
    });
  }
  printf("\n  ],\n  \"games\": [%s, %s]\n}\n", games[0].c_str(), games[1].c_str());
  return 0;
}
