// What becomes of one note that a folder and a Space share: from what both held when they last agreed, and what each holds
// now. A pure, total function, in which both sides are alike. Nothing is taken away that the other side has not taken over.

/** What one side holds. `text` is a hash of the text; two that are equal are one text. */
export type Side =
  | { is: 'text'; text: string }
  /** Proven: a file that might only be out of reach is `unknown`. */
  | { is: 'absent' }
  | { is: 'unknown' }
  /** It is there and cannot be kept in step. `reason`: the rest of a sentence about it. */
  | { is: 'held'; reason: string }

/** What both sides held when they last agreed. Null: they never did, or that can no longer be relied on. */
export type Base = {
  /** Null: nothing is known that both held; both are kept until the owner decided. */
  text: string | null
  /** The two texts whose conflict waits for the owner. */
  waiting?: { file: string; page: string } | null
} | null

export type SideName = 'file' | 'page'

export type Step =
  | { do: 'nothing' }
  /** They agree: remember that. */
  | { do: 'record'; text: string }
  /** `over`: the text that it replaces there. `deleted`: it had been deleted there, and comes back as it was changed here. */
  | { do: 'copy'; to: SideName; text: string; over: string | null; deleted: boolean }
  /** To the trash of that side. */
  | { do: 'delete'; from: SideName; text: string }
  /** Both changed: merge them by what they had in common. What conflicts waits for the owner. */
  | { do: 'merge'; base: string; file: string; page: string }
  /** Two texts that nothing connects: both stay, and the owner decides. */
  | { do: 'separate'; file: string; page: string }
  /** Gone on both sides. */
  | { do: 'forget' }
  /** Nothing can be said yet. */
  | { do: 'wait' }
  | { do: 'hold'; reason: string }

export function decide(base: Base, file: Side, page: Side): Step {
  const sides = [file, page]
  if (!sides.every(isSide)) return { do: 'hold', reason: 'it is in a state that Void does not know' }
  const held = sides.find((side) => side.is === 'held')
  if (held?.is === 'held') return { do: 'hold', reason: held.reason }
  if (sides.some((side) => side.is === 'unknown')) return { do: 'wait' }
  if (file.is === 'text' && page.is === 'text') return decideBetween(base, file.text, page.text)
  if (file.is === 'text') return decideAbsent(base, file.text, 'page')
  if (page.is === 'text') return decideAbsent(base, page.text, 'file')
  return { do: 'forget' }
}

function decideBetween(base: Base, file: string, page: string): Step {
  if (file === page)
    return base?.text === file && !base.waiting ? { do: 'nothing' } : { do: 'record', text: file }
  if (base?.waiting?.file === file && base.waiting.page === page) return { do: 'nothing' }
  if (base === null || base.text === null) return { do: 'separate', file, page }
  if (base.text === file) return { do: 'copy', to: 'file', text: page, over: file, deleted: false }
  if (base.text === page) return { do: 'copy', to: 'page', text: file, over: page, deleted: false }
  return { do: 'merge', base: base.text, file, page }
}

/** A change outweighs a deletion: only what is as both had it is deleted. */
function decideAbsent(base: Base, text: string, missing: SideName): Step {
  if (base?.text === text && !base.waiting)
    return { do: 'delete', from: missing === 'file' ? 'page' : 'file', text }
  return { do: 'copy', to: missing, text, over: null, deleted: base !== null }
}

const isSide = (side: Side): boolean => {
  switch (side?.is) {
    case 'text':
      return typeof side.text === 'string'
    case 'held':
      return typeof side.reason === 'string'
    case 'absent':
    case 'unknown':
      return true
    default:
      return false
  }
}
