// Saves a page while it is edited: shortly after the last change, one save at a time, each with the version it was made
// on. Transient failures are retried; a conflicting change from elsewhere stops the saving until the owner has chosen.

import { ApiError } from '../../app/api/api.ts'
import type { PageText } from '../data/page-data.ts'

/** The fields of a page that saving needs. */
export type SavedPage = PageText & { version: number; updated_at: string; updated_by: string }

export type SaveState =
  | { name: 'saved' }
  | { name: 'unsaved' }
  | { name: 'saving' }
  /** `retryMs`: time until the retry; `null`: no retry. */
  | { name: 'failed'; error: unknown; retryMs: number | null }
  | { name: 'conflict'; theirs: SavedPage }

export type AutosaveOptions = {
  /** The version that the editor started from. */
  base: SavedPage
  read: () => PageText
  /** Sends the fields that changed, on top of a version. */
  send: (fields: Partial<PageText>, version: number) => Promise<SavedPage>
  onState: (state: SaveState) => void
  /** PageText that changed elsewhere and not here, for the editor to show. */
  onTheirs: (fields: Partial<PageText>, theirs: SavedPage) => void
  onSaved: (saved: SavedPage) => void
  /** While true the title is not saved by itself: each save of one is a rename, which the links to the page follow. */
  holdsTitle?: () => boolean
  /** While true nothing is saved automatically, as during a merge. */
  isHeld?: () => boolean
  delayMs?: number
  signal: AbortSignal
}

export type Autosave = {
  state(): SaveState
  /** The version that the text was last in sync with. */
  base(): SavedPage
  /** Something may have been typed. */
  changed(): void
  /** Saves now. Settles when nothing is being sent; never rejects. */
  flush(): Promise<void>
  /** Settles when nothing is being sent. */
  settled(): Promise<void>
  /** Takes over another version of the page where it does not conflict with what was typed; else stops saving. */
  reconcile(theirs: SavedPage): void
  /** The owner has compared the text with `theirs`: the next save is made on it. */
  rebase(theirs: SavedPage): void
  /** Reports a failure that did not come from saving, such as the page being in the trash. */
  fail(error: unknown): void
}

const retryDelaysMs = [2000, 5000, 10_000, 30_000]
const fieldNames = ['title', 'body'] as const

export const createAutosave = (options: AutosaveOptions): Autosave => new PageAutosave(options)

class PageAutosave implements Autosave {
  readonly #options: AutosaveOptions
  #base: SavedPage
  #state: SaveState = { name: 'saved' }
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0

  constructor(options: AutosaveOptions) {
    this.#options = options
    this.#base = options.base
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer))
  }

  state(): SaveState {
    return this.#state
  }

  base(): SavedPage {
    return this.#base
  }

  settled(): Promise<void> {
    return this.#sending ?? Promise.resolve()
  }

  /** Reads nothing: putting a long text together takes longer than a key may. Whether it differs is seen when it is saved. */
  changed(): void {
    if (this.#isConflict()) return
    if (this.#state.name !== 'saving') this.#become({ name: 'unsaved' })
    this.#schedule(this.#delayMs())
  }

  /** What is in sync is so at once. */
  #compare(): void {
    if (this.#isConflict()) return
    const dirty = this.#isDirty()
    if (this.#state.name !== 'saving') this.#become(dirty ? { name: 'unsaved' } : { name: 'saved' })
    if (dirty && !this.#isHeld()) this.#schedule(this.#delayMs())
    else clearTimeout(this.#timer)
  }

  flush(): Promise<void> {
    return this.#flush(true)
  }

  /** `byOwner`: also what is held, and a title. */
  async #flush(byOwner: boolean): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#sending) await this.#sending
    if (this.#isConflict()) return
    if (!this.#isDirty()) {
      this.#become({ name: 'saved' })
      return
    }
    if (!byOwner && this.#isHeld()) return
    const { title, ...others } = this.#pending()
    const isHeld = title !== undefined && !byOwner && this.#options.holdsTitle?.()
    if (isHeld && Object.keys(others).length === 0) return
    this.#sending = this.#save(isHeld ? others : this.#pending()).finally(() => {
      this.#sending = null
    })
    await this.#sending
  }

  reconcile(theirs: SavedPage): void {
    if (theirs.version <= this.#base.version || this.#isConflict()) return
    const { taken: merged, isConflict } = compareVersions(this.#base, this.#options.read(), theirs)
    if (!isConflict) this.#base = theirs
    // Also in a conflict: keeping one's own text does not undo a new title of theirs.
    if (Object.keys(merged).length > 0) this.#options.onTheirs(merged, theirs)
    if (isConflict) {
      clearTimeout(this.#timer)
      this.#become({ name: 'conflict', theirs })
    } else if (this.#state.name !== 'saving') this.#compare()
  }

  rebase(theirs: SavedPage): void {
    this.#base = theirs
    this.#state = { name: 'saved' }
    this.#compare()
    this.#options.onState(this.#state)
  }

  fail(error: unknown): void {
    const retryMs = isTransient(error) ? (retryDelaysMs[this.#failures] ?? retryDelaysMs.at(-1)!) : null
    this.#failures += 1
    this.#become({ name: 'failed', error, retryMs })
    if (retryMs !== null) this.#schedule(retryMs)
  }

  async #save(fields: Partial<PageText>): Promise<void> {
    const { send, onSaved } = this.#options
    this.#become({ name: 'saving' })
    try {
      const saved = await send(fields, this.#base.version)
      const { title, body } = this.#base
      // What was sent, not what came back: the server normalizes white space, which is no change of ours.
      this.#base = { ...saved, title, body, ...fields }
      this.#failures = 0
      onSaved(saved)
      const more = this.#isDirty()
      this.#become(more ? { name: 'unsaved' } : { name: 'saved' })
      if (more && !this.#isHeld()) this.#schedule(this.#delayMs())
    } catch (error) {
      const theirs = currentOf(error)
      if (!theirs) return this.fail(error)
      this.reconcile(theirs)
      if (this.#isConflict()) return
      this.#become({ name: 'unsaved' })
      this.#schedule(0)
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#options.signal.aborted) this.#timer = setTimeout(() => this.#flush(false), ms)
  }

  #become(next: SaveState): void {
    if (next.name === this.#state.name && next.name !== 'failed') return
    this.#state = next
    this.#options.onState(next)
  }

  #isConflict(): boolean {
    return this.#state.name === 'conflict'
  }

  #isHeld(): boolean {
    return this.#options.isHeld?.() ?? false
  }

  #delayMs(): number {
    return this.#options.delayMs ?? 900
  }

  #isDirty(): boolean {
    return Object.keys(this.#pending()).length > 0
  }

  /** The fields to save. An empty title waits for its first letter. */
  #pending(): Partial<PageText> {
    const mine = this.#options.read()
    const differing = fieldNames.filter((name) => mine[name] !== this.#base[name])
    const sendable = differing.filter((name) => name !== 'title' || mine.title.trim() !== '')
    return Object.fromEntries(sendable.map((name) => [name, mine[name]]))
  }
}

/** The fields of `theirs` that can be taken over, and whether both sides changed one. */
function compareVersions(base: SavedPage, mine: PageText, theirs: SavedPage) {
  const touched = fieldNames.filter((name) => theirs[name] !== base[name])
  const differing = touched.filter((name) => mine[name] !== theirs[name])
  const free = differing.filter((name) => mine[name] === base[name])
  const merged: Partial<PageText> = Object.fromEntries(free.map((name) => [name, theirs[name]]))
  return { taken: merged, isConflict: free.length < differing.length }
}

/** Whether the same request may succeed later. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

function currentOf(error: unknown): SavedPage | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { current } = error.details
  return typeof current === 'object' && current !== null && 'version' in current
    ? (current as SavedPage)
    : null
}
