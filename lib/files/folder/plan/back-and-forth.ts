// Notes that two programs change against each other: one undoes what the other does, each time it sees it. Such a note is
// left alone for a while, so that its history does not fill and the owner learns of it.

import type { SideName } from './decide.ts'

/** A text that one side took over from the other. Texts are hashes; `over`: what both had. */
type Turn = { to: SideName; text: string; over: string | null }

/** By path. Times are of a clock that only goes on. */
export type BackAndForth = {
  turns: Map<string, (Turn & { at: number })[]>
  restsUntil: Map<string, number>
}

export const newBackAndForth = (): BackAndForth => ({ turns: new Map(), restsUntil: new Map() })

const windowMs = 60_000
const maxTurns = 5
const restMs = 600_000

/** Notes a turn, and lets the note rest once it went back and forth too often. The same turn again is one. */
export function noteTurn({ turns, restsUntil }: BackAndForth, path: string, turn: Turn, at: number): void {
  const recent = (turns.get(path) ?? []).filter((one) => at - one.at < windowMs)
  const last = recent.at(-1)
  if (last?.to === turn.to && last.text === turn.text) return
  const isBack =
    last && (last.to !== turn.to || recent.some((one) => [one.text, one.over].includes(turn.text)))
  const run = isBack ? [...recent, { ...turn, at }] : [{ ...turn, at }]
  if (run.length <= maxTurns) turns.set(path, run)
  else {
    turns.delete(path)
    restsUntil.set(path, at + restMs)
  }
}

/** Paths of the notes that rest. Forgets what is over. */
export function listResting({ turns, restsUntil }: BackAndForth, now: number): Set<string> {
  for (const [path, until] of restsUntil) if (until <= now) restsUntil.delete(path)
  for (const [path, run] of turns) if (now - run.at(-1)!.at >= windowMs) turns.delete(path)
  return new Set(restsUntil.keys())
}
