import type { Event, GameRef, NewGame, Opponent, PlayAnswer, PlayView, Side, StartPlay } from '../bindings'
import type { CommandName, Commands } from '../backend'
import { Refused, type FakeGame } from './game'

type PlayCommand = 'list_opponents' | 'rated_progress' | 'test_engine' | 'add_engine' | 'start_play' | 'get_play' | 'play_turn' | 'take_back' | 'resign_play' | 'settle_play' | 'stop_play' | 'hint'
type Handlers = { [Name in PlayCommand & CommandName]: (args: Commands[Name][0]) => Commands[Name][1] }

export interface FakeTable {
  gameOf(id: string): FakeGame
  open(asked: NewGame): FakeGame
  emit(event: Event): void
}

interface Play { person: Side | null, opponent: string | null, rated: boolean, teaching: number | null, clock: StartPlay['clock'], tip: number, generation: number, result: string | null, counting: boolean }

const refuse = (message: string): Refused => new Refused({ kind: 'invalidRequest', message })

/** Games against somebody who answers with the first legal move near the middle. */
export function createFakePlays(table: FakeTable): Handlers {
  const plays = new Map<string, Play>()
  function of(gameId: string): Play {
    const play = plays.get(gameId)
    if (!play) throw new Refused({ kind: 'notFound', message: 'this game is not played' })
    return play
  }
  function viewOf(gameId: string): PlayView {
    const play = of(gameId)
    const { toMove } = table.gameOf(gameId).viewAt(play.tip)
    const over = play.result !== null || play.counting
    const left = play.clock && { mainSeconds: play.clock.mainSeconds, periodSeconds: null, periods: play.clock.kind === 'byoYomi' ? play.clock.periods : 0, stones: 0 }
    return {
      gameId, person: play.person, opponent: play.opponent, toMove: over ? null : toMove, thinking: false, tip: play.tip, generation: play.generation,
      clocks: left && { black: left, white: left, running: over ? null : toMove }, teaching: play.teaching, rated: play.rated, result: play.result, counting: play.counting,
    }
  }
  function answer(gameId: string): void {
    const play = of(gameId)
    const game = table.gameOf(gameId)
    const { legal, toMove, gameOver } = game.viewAt(play.tip)
    if (play.person === null || toMove === play.person || gameOver || play.result !== null) return
    const middle = Math.floor(legal.length / 2)
    const order = legal.map((_, index) => index).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    game.goTo(play.tip)
    const update = game.play(order.find(point => legal[point]) ?? null)
    play.tip = game.current
    play.generation++
    table.emit({ event: 'play', payload: { update, play: viewOf(gameId), notice: null } })
  }
  function changed(gameId: string, update: PlayAnswer['update'], warning: PlayAnswer['warning'] = null): PlayAnswer {
    if (update) of(gameId).generation++
    return { update, play: viewOf(gameId), warning }
  }

  const added: Opponent[] = []

  return {
    list_opponents: () => ({ opponents: [
      ...['easy', 'medium', 'hard', 'expert'].map(id => ({ id, kind: 'level' as const, needsNetwork: id === 'hard', command: '' })),
      ...['rank_15k', 'rank_1d'].map(id => ({ id, kind: 'rank' as const, needsNetwork: true, command: '' })),
      ...added,
    ], styles: ['territorial', 'local'], problem: null }),
    test_engine: () => ({ name: 'pretended', version: '1', firstMove: 'E5' }),
    add_engine: ({ name, command }) => {
      added.push({ id: name, kind: 'engine', needsNetwork: false, command })
      return { name: 'pretended', version: '1', firstMove: 'E5' }
    },
    rated_progress: () => ({
      boards: [9, 13, 19].map(size => ({
        size, rating: 1500, deviation: 350, opponent: 'rank_10k',
        games: size === 9 ? [1420, 1480, 1555, 1540].map((rating, index) => ({ played: 1_700_000_000 + index, opponent: 'rank_10k', score: index % 2, rating, deviation: 250 - 30 * index, record: null })) : [],
      })),
    }),
    start_play: ({ game: asked, person, opponent, clock, teaching }) => {
      const game = table.open(asked)
      plays.set(game.gameId, { person, opponent: opponent === 'rated' ? 'rank_10k' : opponent, rated: opponent === 'rated', teaching, clock, tip: 0, generation: 0, result: null, counting: false })
      const started = { game: game.whole(), play: viewOf(game.gameId) }
      setTimeout(() => answer(game.gameId), 20)
      return started
    },
    get_play: ({ gameId }) => viewOf(gameId),
    play_turn: ({ gameId, vertex, insist }) => {
      const play = of(gameId)
      const game = table.gameOf(gameId)
      if (play.result !== null || play.counting) throw refuse('the game is over')
      // The first line loses, as everybody knows.
      if (play.teaching !== null && !insist && vertex !== null && vertex < game.width) return changed(gameId, null, { vertex, points: 12 })
      game.goTo(play.tip)
      const update = game.play(vertex)
      play.tip = game.current
      play.counting = game.view().gameOver
      if (!play.counting) setTimeout(() => answer(gameId), 20)
      return changed(gameId, update)
    },
    take_back: ({ gameId }) => {
      const play = of(gameId)
      const game = table.gameOf(gameId)
      for (let step = 0; step < (play.person === null ? 1 : 2); step++) play.tip = game.node(play.tip).parent
      return changed(gameId, game.goTo(play.tip))
    },
    resign_play: ({ gameId }) => {
      const play = of(gameId)
      play.result = play.person === 'black' ? 'W+R' : 'B+R'
      return changed(gameId, table.gameOf(gameId).update(false))
    },
    settle_play: ({ game: { gameId } }: { game: GameRef }) => {
      const play = of(gameId)
      play.counting = false
      play.result = 'B+3.5'
      return changed(gameId, table.gameOf(gameId).update(false))
    },
    stop_play: ({ gameId }) => { plays.delete(gameId); return null },
    hint: ({ gameId, degree }) => ({ degree, points: [table.gameOf(gameId).view().legal.indexOf(1)] }),
  }
}
