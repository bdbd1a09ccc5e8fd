// What is to be done so that a folder and a Space hold the same: for each note a move or a step. Pure. It is carried out in
// part at most, looked at again, and planned again, until nothing is left to do.

import { pathKey } from '../../../core/text/paths.ts'
import { decide, type Side, type SideName, type Step } from './decide.ts'
import { type Entry, type FileState, type Match, matchNotes, type PageState } from './match-notes.ts'

/** `both`: they moved alike, which is to be remembered. */
type Move = { side: SideName | 'both'; from: string; to: string }

/** A note that moves is looked at again before its text is. `isBlocked`: another file has the path that it should get. */
export type NotePlan = Match & ({ move: Move; step: null } | { move: null; step: Step; isBlocked: boolean })

type FolderState = {
  entries: readonly Entry[]
  files: readonly FileState[]
  pages: readonly PageState[]
  emptyText: string
  /** What is said of a known file that was not found: `absent` where that is proven. */
  missing: (entry: Entry) => Side
  /** The side whose path counts where both moved. */
  leads: SideName
}

/** `twins`: files that differ from another one by case or Unicode form alone. */
export type FolderPlan = { notes: NotePlan[]; twins: FileState[] }

export function planFolder(state: FolderState): FolderPlan {
  const { matches, twins } = matchNotes(state)
  const moves = new Map(matches.map((match) => [match, planMove(match, state.leads)]))
  const blocked = findBlocked(moves, state.files)
  const notes = matches.map((match): NotePlan => {
    const move = moves.get(match) ?? null
    if (move && !blocked.has(match)) return { ...match, move, step: null }
    return { ...match, move: null, step: planStep(match, state), isBlocked: move !== null }
  })
  return { notes, twins }
}

function planStep({ entry, file, page }: Match, { missing }: FolderState): Step {
  const fileSide = file?.side ?? (entry ? missing(entry) : ({ is: 'absent' } as const))
  return decide(entry?.base ?? null, fileSide, page?.side ?? { is: 'absent' })
}

function planMove({ entry, file, page }: Match, leads: SideName): Move | null {
  if (!file || !page || page.path === null) return null
  if (file.side.is !== 'text' || page.side.is !== 'text') return null
  if (file.path === page.path) {
    const isKnown = entry === null || entry.path === file.path
    return isKnown ? null : { side: 'both', from: entry.path, to: file.path }
  }
  // Without an entry they differ by case alone.
  const fileMoved = entry === null || file.path !== entry.path
  const pageMoved = entry === null || page.path !== entry.path
  const fileFollows = fileMoved && pageMoved ? leads === 'page' : !fileMoved
  return fileFollows
    ? { side: 'file', from: file.path, to: page.path }
    : { side: 'page', from: page.path, to: file.path }
}

/** Moves of files onto one that stays. */
function findBlocked(moves: ReadonlyMap<Match, Move | null>, files: readonly FileState[]): Set<Match> {
  const blocked = new Set<Match>()
  for (;;) {
    const leaving = new Set<string>()
    for (const [match, move] of moves)
      if (move?.side === 'file' && !blocked.has(match)) leaving.add(move.from)
    const staying = new Set(files.filter(({ path }) => !leaving.has(path)).map(({ path }) => pathKey(path)))
    const next = [...moves].filter(
      ([match, move]) => move?.side === 'file' && !blocked.has(match) && staying.has(pathKey(move.to)),
    )
    if (next.length === 0) return blocked
    for (const [match] of next) blocked.add(match)
  }
}
