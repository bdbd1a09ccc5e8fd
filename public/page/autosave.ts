// Saves a page while it is written: a moment after the last change, one save at a time, each naming the version it
// was made on. A failure is tried again by itself where that can help; a change from elsewhere that touches the same
// field stops the saving until a person has chosen.

import { ApiError } from '../api.ts'

export type Fields = { title: string; body: string }

/** What of a page the saving needs to know. */
export type Stored = Fields & { version: number; updated_at: string; updated_by: string }

export type SaveState =
  | { name: 'saved' }
  | { name: 'unsaved' }
  | { name: 'saving' }
  /** `retryMs`: tried again after so long; `null`: not by itself. */
  | { name: 'failed'; error: unknown; retryMs: number | null }
  | { name: 'conflict'; theirs: Stored }

export type AutosaveOptions = {
  /** What the editor started from. */
  base: Stored
  read: () => Fields
  /** Sends the fields that changed, on top of a version. */
  send: (fields: Partial<Fields>, version: number) => Promise<Stored>
  onState: (state: SaveState) => void
  /** Fields that changed elsewhere and not here: the editor is to show them. */
  onTheirs: (fields: Partial<Fields>, theirs: Stored) => void
  onSaved: (stored: Stored) => void
  /** While true nothing is saved by itself, as in the middle of a merge. */
  isHeld?: () => boolean
  delayMs?: number
  signal: AbortSignal
}

export type Autosave = {
  state(): SaveState
  /** What the text was last in step with. */
  base(): Stored
  /** Something was typed. */
  changed(): void
  /** Saves now, whatever waits. Settles when there is nothing on its way; never rejects. */
  flush(): Promise<void>
  /** Settles when nothing is on its way. */
  settled(): Promise<void>
  /** The page is at another version than ours: takes over what does not touch what was typed, or stops. */
  meet(theirs: Stored): void
  /** What is shown was compared with `theirs` by a person: the next save goes on top of it. */
  rebase(theirs: Stored): void
  /** Tells of a failure that did not come from saving, such as the page being in the trash. */
  fail(error: unknown): void
}

const waitsMs = [2000, 5000, 10_000, 30_000]
const names = ['title', 'body'] as const

export function createAutosave(options: AutosaveOptions): Autosave {
  const { read, send, onState, onTheirs, onSaved, isHeld = () => false, delayMs = 900, signal } = options
  let base = options.base
  let state: SaveState = { name: 'saved' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | null = null
  let failures = 0
  signal.addEventListener('abort', () => clearTimeout(timer))

  const settled = () => sending ?? Promise.resolve()
  return { state: () => state, base: () => base, changed, flush, settled, meet, rebase, fail }

  function changed(): void {
    if (state.name === 'conflict') return
    const dirty = Object.keys(pending()).length > 0
    if (state.name !== 'saving') become(dirty ? { name: 'unsaved' } : { name: 'saved' })
    if (dirty && !isHeld()) wait(delayMs)
    else clearTimeout(timer)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    if (sending) await sending
    if (state.name === 'conflict') return
    if (Object.keys(pending()).length === 0) {
      become({ name: 'saved' })
      return
    }
    sending = save().finally(() => {
      sending = null
    })
    await sending
  }

  async function save(): Promise<void> {
    const fields = pending()
    become({ name: 'saving' })
    try {
      const stored = await send(fields, base.version)
      // What was sent, not what came back: the server tidies white space, and that is no change of ours.
      base = { ...stored, ...pickFields(base), ...fields }
      failures = 0
      onSaved(stored)
      const more = Object.keys(pending()).length > 0
      become(more ? { name: 'unsaved' } : { name: 'saved' })
      if (more && !isHeld()) wait(delayMs)
    } catch (error) {
      const theirs = currentOf(error)
      if (theirs) {
        meet(theirs)
        if (!isConflict()) {
          become({ name: 'unsaved' })
          wait(0)
        }
      } else fail(error)
    }
  }

  function meet(theirs: Stored): void {
    if (theirs.version <= base.version || state.name === 'conflict') return
    const mine = read()
    const touched = names.filter((name) => theirs[name] !== base[name])
    const differing = touched.filter((name) => mine[name] !== theirs[name])
    const clash = differing.some((name) => mine[name] !== base[name])
    // Also beside a clash: a new title of theirs is not undone by keeping one's own text.
    const taken = differing.filter((name) => mine[name] === base[name])
    if (!clash) base = theirs
    if (taken.length > 0) onTheirs(Object.fromEntries(taken.map((name) => [name, theirs[name]])), theirs)
    if (clash) {
      clearTimeout(timer)
      become({ name: 'conflict', theirs })
      return
    }
    if (state.name !== 'saving') changed()
  }

  function rebase(theirs: Stored): void {
    base = theirs
    state = { name: 'saved' }
    changed()
    onState(state)
  }

  function fail(error: unknown): void {
    const again = mayPass(error) ? (waitsMs[Math.min(failures, waitsMs.length - 1)] ?? null) : null
    failures += 1
    become({ name: 'failed', error, retryMs: again })
    if (again !== null) wait(again)
  }

  function wait(ms: number): void {
    clearTimeout(timer)
    if (!signal.aborted) timer = setTimeout(flush, ms)
  }

  function become(next: SaveState): void {
    if (next.name === state.name && next.name !== 'failed') return
    state = next
    onState(next)
  }

  function isConflict(): boolean {
    return state.name === 'conflict'
  }

  /** A page cannot be without a title: an empty one waits for its first letter. */
  function pending(): Partial<Fields> {
    const mine = read()
    const differing = names.filter((name) => mine[name] !== base[name])
    const sendable = differing.filter((name) => name !== 'title' || mine.title.trim() !== '')
    return Object.fromEntries(sendable.map((name) => [name, mine[name]]))
  }
}

const pickFields = ({ title, body }: Fields): Fields => ({ title, body })

/** Whether the same request may succeed later: no answer, too many requests, or trouble of the server's own. */
const mayPass = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

function currentOf(error: unknown): Stored | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { current } = error.details
  return typeof current === 'object' && current !== null && 'version' in current ? (current as Stored) : null
}
