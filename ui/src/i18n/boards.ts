import type { BoardTopology } from '@/api'
import { say } from './index'

/** `9 × 9 · torus`: the size of a board, and how its edges meet where they do. */
export function boardWords({ width, height, topology }: { readonly width: number, readonly height: number, readonly topology: BoardTopology }): string {
  const size = width === height ? say('game.new.square', { n: width }) : say('board.size', { columns: width, rows: height })
  return topology === 'plane' ? size : `${size} · ${edgesWord(topology)}`
}

/** What a board whose edges meet is called. */
export const edgesWord = (topology: Exclude<BoardTopology, 'plane'>): string => say(topology === 'torus' ? 'board.torus' : 'board.cylinder')
