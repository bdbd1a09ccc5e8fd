// Saves a page while it is edited: shortly after the last change, one save at a time, each with the version it was made
// on. Transient failures are retried; a conflicting change from elsewhere stops the saving until the owner has chosen. A
// save whose answer was lost keeps its id, so that the server tells it from somebody else's; what the server changed in a
// text that was sent, such as the links of a renamed page to itself, is taken into the editor.

import { cleanLine, cleanText } from '../../../lib/core/text/clean.ts'
import { ApiError } from '../../app/api/api.ts'
import { type AppliedSave, createSaveId, isAnswerLost, refusalOf } from '../../app/api/saves.ts'
import type { PageText } from '../data/page-data.ts'
import { compareVersions, fieldNames, mergeSaved, mergeTitle } from './merge-saved.ts'

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
  /** A save on top of the base that may have been applied: its answer was lost, or the editor closed before it came. */
  saveId?: string | null
  /** Sends the fields that changed, on top of a version. */
  send: (fields: Partial<PageText>, version: number, saveId: string) => Promise<SavedPage>
  onState: (state: SaveState) => void
  /** PageText that changed elsewhere and not here, for the editor to show. */
  onTheirs: (fields: Partial<PageText>, theirs: SavedPage | null) => void
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
  /** The id of the next save, or of the one on its way. */
  saveId(): string
  /** Something may have been typed. */
  changed(): void
  /** Saves now. Settles when nothing is being sent; never rejects. */
  flush(): Promise<void>
  /** Settles when nothing is being sent. */
  settled(): Promise<void>
  /** Takes over another version of the page where it does not conflict with what was typed; else stops saving. */
  reconcile(theirs: SavedPage): void
  /** Takes over another version that this window wrote, such as one with a new title. */
  takeOwn(saved: SavedPage): void
  /** The owner has compared the text with `theirs`: the next save is made on it. */
  rebase(theirs: SavedPage): void
  /** Reports a failure that did not come from saving, such as the page being in the trash. */
  fail(error: unknown): void
}

const retryDelaysMs = [2000, 5000, 10_000, 30_000]

export const createAutosave = (options: AutosaveOptions): Autosave => new PageAutosave(options)

class PageAutosave implements Autosave {
  readonly #options: AutosaveOptions
  #base: SavedPage
  #state: SaveState = { name: 'saved' }
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | null = null
  #failures = 0
  #saveId: string
  /** The save with this id may have been applied. */
  #isUnanswered: boolean

  constructor(options: AutosaveOptions) {
    this.#options = options
    this.#base = options.base
    this.#saveId = options.saveId ?? createSaveId()
    this.#isUnanswered = Boolean(options.saveId)
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer))
  }

  state(): SaveState {
    return this.#state
  }

  base(): SavedPage {
    return this.#base
  }

  saveId(): string {
    return this.#saveId
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
    if (isHeld && !this.#isUnanswered && Object.keys(others).length === 0) return
    this.#sending = this.#save(isHeld ? others : this.#pending()).finally(() => {
      this.#sending = null
    })
    await this.#sending
  }

  reconcile(theirs: SavedPage): void {
    if (theirs.version <= this.#base.version || this.#isConflict()) return
    // It may be one's own: the next save tells.
    if (this.#isUnanswered) {
      this.#schedule(0)
      return
    }
    const { taken: merged, isConflict } = compareVersions(this.#base, this.#options.read(), theirs)
    if (!isConflict) this.#base = theirs
    // Also in a conflict: keeping one's own text does not undo a new title of theirs.
    if (Object.keys(merged).length > 0) this.#options.onTheirs(merged, theirs)
    if (isConflict) {
      clearTimeout(this.#timer)
      this.#become({ name: 'conflict', theirs })
    } else if (this.#state.name !== 'saving') this.#compare()
  }

  takeOwn(saved: SavedPage): void {
    if (saved.version <= this.#base.version || this.#isConflict() || this.#isUnanswered) return
    this.#takeSaved({}, saved, null)
  }

  rebase(theirs: SavedPage): void {
    this.#base = theirs
    this.#answered()
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
      const saved = await send(fields, this.#base.version, this.#saveId)
      this.#failures = 0
      this.#answered()
      this.#takeSaved(fields, saved, null)
      onSaved(saved)
      this.#settle(this.#delayMs())
    } catch (error) {
      const refusal = refusalOf<SavedPage>(error)
      if (!refusal) {
        this.#isUnanswered ||= isAnswerLost(error)
        return this.fail(error)
      }
      this.#answered()
      const { current, saved } = refusal
      if (saved) this.#takeApplied(saved, current)
      else this.reconcile(current)
      this.#settle(0)
    }
  }

  #answered(): void {
    this.#saveId = createSaveId()
    this.#isUnanswered = false
  }

  #settle(delayMs: number): void {
    if (this.#isConflict()) return
    const more = this.#isDirty()
    this.#become(more ? { name: 'unsaved' } : { name: 'saved' })
    if (more && !this.#isHeld()) this.#schedule(delayMs)
  }

  /** An earlier try was applied; `current` is the page since then. */
  #takeApplied({ version, fields }: AppliedSave, current: SavedPage): void {
    const applied = Object.fromEntries(
      fieldNames.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
    )
    // A rename turns the links of the page to itself, as a version of its own.
    const isFromElsewhere = current.version > version + (applied.title === undefined ? 0 : 1)
    this.#takeSaved(applied, current, isFromElsewhere ? current : null)
  }

  /** Goes on from the page as it is after a save of `fields`, with what else changed in it. `theirs`: if it was not the server. */
  #takeSaved(fields: Partial<PageText>, saved: SavedPage, theirs: SavedPage | null): void {
    const mine = this.#options.read()
    const { title, body } = { ...this.#base, ...fields }
    // White space that the server normalizes is no change.
    const isSame = { title: saved.title === cleanLine(title), body: saved.body === cleanText(body) }
    const next = {
      title: isSame.title ? mine.title : mergeTitle({ sent: title, saved: saved.title, mine: mine.title }),
      body: isSame.body ? mine.body : mergeSaved({ sent: body, saved: saved.body, mine: mine.body }),
    }
    if (next.title === null || next.body === null) {
      this.#base = { ...this.#base, title, body }
      this.#become({ name: 'conflict', theirs: saved })
      return
    }
    this.#base = {
      ...saved,
      title: isSame.title ? title : saved.title,
      body: isSame.body ? body : saved.body,
    }
    const changed = fieldNames.filter((name) => next[name] !== mine[name])
    if (changed.length > 0)
      this.#options.onTheirs(Object.fromEntries(changed.map((name) => [name, next[name]])), theirs)
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
    return this.#isUnanswered || Object.keys(this.#pending()).length > 0
  }

  /** The fields to save. An empty title waits for its first letter. */
  #pending(): Partial<PageText> {
    const mine = this.#options.read()
    const differing = fieldNames.filter((name) => mine[name] !== this.#base[name])
    const sendable = differing.filter((name) => name !== 'title' || mine.title.trim() !== '')
    return Object.fromEntries(sendable.map((name) => [name, mine[name]]))
  }
}

/** Whether the same request may succeed later. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
