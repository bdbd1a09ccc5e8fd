export type Store<State> = {
  get(): State
  /** Replaces the state, or the named parts of it. Tells the watchers once, when something differs. */
  set(change: Partial<State> | ((state: State) => Partial<State>)): void
  /**
   * Calls `onChange` whenever what `select` picks has changed, compared with `Object.is`; not for the value that is
   * there already. Ends with the signal.
   */
  watch<Part>(select: (state: State) => Part, onChange: (part: Part) => void, signal: AbortSignal): void
}

/** One observable object. A watcher may set it; the others are then called with the newest state only. */
export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial
  const watchers = new Set<() => void>()

  return {
    get: () => state,

    set(change) {
      const parts = typeof change === 'function' ? change(state) : change
      const next = { ...state, ...parts }
      if (isSame(state, next)) return
      state = next
      for (const check of [...watchers]) if (watchers.has(check)) check()
    },

    watch(select, onChange, signal) {
      if (signal.aborted) return
      let lastValue = select(state)
      const check = () => {
        const now = select(state)
        if (Object.is(now, lastValue)) return
        lastValue = now
        onChange(now)
      }
      watchers.add(check)
      signal.addEventListener('abort', () => watchers.delete(check), { once: true })
    },
  }
}

function isSame(one: object, other: object): boolean {
  const keys = Object.keys(other)
  return (
    keys.length === Object.keys(one).length &&
    keys.every((key) => Object.is(Reflect.get(one, key), Reflect.get(other, key)))
  )
}
