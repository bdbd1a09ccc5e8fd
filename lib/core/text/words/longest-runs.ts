/** Words from `at` on in the other text, and how many of them; 0 of none. */
export type CommonRun = { length: number; at: number }

/**
 * For each place among `words`, the longest run of words from there on that `all` has too, and a place where it has
 * it. A suffix automaton of `words`, read from their end (Blumer et al., 1985): linear in `all`, whatever repeats.
 */
export function longestRuns(words: readonly string[], all: readonly string[]): CommonRun[] {
  const states = automatonOf(words.toReversed())
  let state = states[0]!
  let length = 0
  for (let at = all.length - 1; at >= 0; at--) {
    while (state.link && !state.next.has(all[at]!)) {
      state = state.link
      length = state.length
    }
    const next = state.next.get(all[at]!)
    length = next ? length + 1 : 0
    state = next ?? state
    if (next && length >= state.found.length) state.found = { length, at }
  }
  for (const { link, found } of states.toSorted((a, b) => b.length - a.length)) {
    if (found.length > 0 && link?.link && link.found.length < link.length)
      link.found = { length: link.length, at: found.at }
  }
  const beginnings = states.filter(({ isBeginning }) => isBeginning)
  return words.map((_, from) => foundAt(beginnings[words.length - from]!))
}

type State = {
  /** Of the longest run that ends here. */
  length: number
  /** Of all words up to one, and not only of some that end there. */
  isBeginning: boolean
  next: Map<string, State>
  link: State | null
  found: CommonRun
}

const createState = (length: number, isBeginning: boolean): State => ({
  length,
  isBeginning,
  next: new Map(),
  link: null,
  found: { length: 0, at: 0 },
})

function automatonOf(words: readonly string[]): State[] {
  const root = createState(0, true)
  const states = [root]
  let last = root
  for (const [index, word] of words.entries()) {
    const state = createState(index + 1, true)
    states.push(state)
    let before: State | null = last
    for (; before && !before.next.has(word); before = before.link) before.next.set(word, state)
    const target = before?.next.get(word)
    if (!before || !target) state.link = root
    else if (target.length === before.length + 1) state.link = target
    else {
      const copy: State = {
        ...createState(before.length + 1, false),
        next: new Map(target.next),
        link: target.link,
      }
      states.push(copy)
      for (; before?.next.get(word) === target; before = before.link) before.next.set(word, copy)
      target.link = copy
      state.link = copy
    }
    last = state
  }
  return states
}

function foundAt(state: State): CommonRun {
  let at: State | null = state
  while (at && at.found.length === 0) at = at.link
  return at?.found ?? { length: 0, at: 0 }
}
