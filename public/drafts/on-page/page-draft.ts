// One draft in the page that it would change: a bar above the text, and each change at its place in it.

import type { CardHunk } from '../../../lib/contract/changes/text-change.ts'
import type { AppContext } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderParts, renderTable } from '../../ui/diff/diff-hunk.ts'
import { el } from '../../ui/dom.ts'
import { offerUndo } from '../card/actions/closed.ts'
import { renderLinks, renderQuotes } from '../card/content/text.ts'
import { cardState } from '../card/draft/card-state.ts'
import { type Choice, decide, reportShown } from '../card/draft/decide.ts'
import { describeParts, type PartSelection, selectedParts } from '../card/draft/parts.ts'
import { drawInText } from './draw-in-text.ts'
import { isWriting, type WaitingDraft } from './find-waiting.ts'
import { renderBar } from './render-bar.ts'

type Options = {
  /** The change that was decided last: the focus goes to what is in its place. `null` once it did. */
  resume: { at: number | null }
  /** Shows another draft of the page. */
  onNextDraft: () => void
  /** Looks again for what waits. */
  load: () => void
}

/** Changes that are drawn in the text; of more the Inbox shows the rest. */
const maxChanges = 200

export class PageDraft {
  readonly #context: AppContext
  readonly #draft: WaitingDraft
  readonly #options: Options
  readonly #end = new AbortController()
  readonly #hunks: readonly CardHunk[]
  #changes: HTMLElement[] = []
  #bar: HTMLElement | null = null
  #undraw = () => {}
  /** The change that the focus was last on. */
  #at = -1
  #deciding = false

  constructor(context: AppContext, draft: WaitingDraft, options: Options) {
    this.#context = context
    this.#draft = draft
    this.#options = options
    const { card } = draft
    const body = card.fields.find(({ name }) => name === 'body')
    const isPlain = card.operation === 'update' && card.stale === null && card.conflicts.length === 0
    this.#hunks = isPlain ? (body?.text?.hunks ?? []).slice(0, maxChanges) : []
  }

  /** Whether that is what is drawn. */
  isSame({ card, page, at, count }: WaitingDraft): boolean {
    const own = this.#draft
    const before = [own.card.pending_change_id, own.card.stale, own.page.version, own.at, own.count]
    const after = [card.pending_change_id, card.stale, page.version, at, count]
    return this.#bar?.isConnected === true && JSON.stringify(before) === JSON.stringify(after)
  }

  isOf({ card }: WaitingDraft): boolean {
    return card.pending_change_id === this.#draft.card.pending_change_id
  }

  /** The change with the focus; -1: it is elsewhere. */
  focusedAt(): number {
    return this.#changes.findIndex((change) => change.contains(document.activeElement))
  }

  /** Draws it into the view; not while that shows another version of the page. */
  show(): void {
    const { card, page, links } = this.#draft
    const { app, signal } = this.#context
    const notices = document.querySelector<HTMLElement>('#view #page-notices')
    const main = document.querySelector<HTMLElement>('#view .page-main')
    const { subject } = app.state.get()
    if (!notices || !main || subject?.version !== page.version) return

    const hunks = isWriting() ? [] : this.#hunks
    this.#changes = hunks.map((hunk, index) =>
      renderChange(hunk, {
        number: index + 1,
        count: hunks.length,
        onDecide: (approve) => this.#decideOn(index, approve),
        onStep: (by) => this.#step(by, index),
        onFocus: () => this.#moveTo(index),
      }),
    )
    this.#bar = renderBar(this.#draft, {
      changes: this.#changes.length,
      onStep: (by) => this.#step(by, this.#at),
      onNextDraft: this.#options.onNextDraft,
      onDecide: (approve) => this.#decide(approve ? { approve: true } : { approve: false, reason: '' }),
    })
    notices.append(this.#bar)
    this.#undraw = drawInText({ main, page, links, slug: app.state.get().space?.slug ?? '' }, this.#drawn())
    reportShown(this.#bar, card, { app, signal: AbortSignal.any([signal, this.#end.signal]), now: app.now() })
    this.#restoreFocus()
  }

  /** Leaves the bar alone: the text is as it is. */
  removeChanges(): void {
    this.#undraw()
    this.#undraw = () => {}
    for (const change of this.#changes.splice(0)) change.remove()
    this.#bar?.querySelector('.draft-steps')?.remove()
  }

  remove(): void {
    this.#end.abort()
    this.removeChanges()
    this.#bar?.remove()
  }

  #drawn() {
    return this.#changes.map((element, index) => ({ element, hunk: this.#hunks[index]! }))
  }

  /** After a decision the change that is now in its place is up; the bar where there is none. */
  #restoreFocus(): void {
    const { resume } = this.#options
    if (resume.at === null) return
    const next = this.#changes[Math.min(resume.at, this.#changes.length - 1)] ?? this.#bar
    resume.at = null
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }

  #moveTo(index: number): void {
    this.#at = index
    const place = this.#bar?.querySelector('.draft-place')
    if (place) place.textContent = `Change ${index + 1} of ${this.#changes.length}`
  }

  #step(by: 1 | -1, from: number): void {
    const { length } = this.#changes
    const next = this.#changes[from < 0 ? (by > 0 ? 0 : length - 1) : (from + by + length) % length]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'center', behavior: 'instant' })
  }

  async #decideOn(index: number, approve: boolean): Promise<void> {
    this.#at = index
    const { card } = this.#draft
    const number = this.#hunks[index]!.index
    const isThis = ({ field, hunk }: PartSelection) => field === 'body' && hunk === number
    const parts = selectedParts(
      card,
      partsOf(this.#draft).map((part) => ({ ...part, selected: isThis(part) === approve })),
    )
    if (approve) await this.#decide({ approve: true, ...parts })
    else await this.#decide({ approve: false, reason: '', ...(parts ? { keep: parts } : {}) })
  }

  async #decide(choice: Choice): Promise<void> {
    if (this.#deciding) return
    this.#deciding = true
    const { app } = this.#context
    const buttons = [this.#bar, ...this.#changes].flatMap((each) => [
      ...(each?.querySelectorAll('button') ?? []),
    ])
    for (const button of buttons) button.disabled = true
    const outcome = await decide(app.api, this.#draft.card, choice)
    if (outcome.done) {
      const { card } = outcome.change
      const part = choice.approve ? describeParts(this.#draft.card, choice) : null
      app.announce(`${cardState(card).word}: ${part ?? card.summary}`)
      if (choice.approve) offerUndo(app, card, part)
      this.#options.resume.at = Math.max(0, this.#at)
    } else {
      this.#deciding = false
      for (const button of buttons) button.disabled = false
      app.toast(outcome.message, { tone: 'problem' })
    }
    this.#options.load()
  }
}

/** Every part of the draft that can be decided by itself. */
const partsOf = ({ card }: WaitingDraft): PartSelection[] =>
  card.fields.flatMap(({ name, text }): PartSelection[] =>
    name === 'body' && text
      ? text.hunks.map(({ index }) => ({ field: name, hunk: index, selected: false }))
      : [{ field: name, hunk: null, selected: false }],
  )

type ChangeOptions = {
  /** Its number among those of the draft, from 1. */
  number: number
  count: number
  onDecide: (approve: boolean) => void
  onStep: (by: 1 | -1) => void
  onFocus: () => void
}

/** One change of a text: the words that go and those that come, as they are in the source, and its decision. */
function renderChange(hunk: CardHunk, options: ChangeOptions): HTMLElement {
  const { number, count, onDecide, onFocus } = options
  const label = `Change ${number} of ${count}`
  return el(
    'section',
    {
      class: ['draft-change', `hunk-${hunk.kind.replace('_', '-')}`],
      tabindex: -1,
      'aria-label': label,
      'data-change': hunk.index,
      onfocusin: onFocus,
      onkeydown: (event: KeyboardEvent) => onKey(event, options),
    },
    hunk.table
      ? renderTable(hunk.table)
      : el('div', { class: 'diff-text', dir: 'auto' }, renderParts(hunk.parts)),
    renderLinks(hunk.links),
    renderQuotes(hunk.quotes),
    el(
      'div',
      { class: 'row' },
      decision('Approve', `Approve change ${number}`, () => onDecide(true)),
      decision('Reject', `Reject change ${number}`, () => onDecide(false)),
    ),
  )
}

/** As in the Inbox, while the focus is on the change. */
function onKey(event: KeyboardEvent, { onDecide, onStep }: ChangeOptions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const run = {
    j: () => onStep(1),
    k: () => onStep(-1),
    a: () => onDecide(true),
    r: () => onDecide(false),
  }[event.key]
  if (!run) return
  event.preventDefault()
  event.stopPropagation()
  run()
}

const decision = (name: 'Approve' | 'Reject', label: string, onclick: () => void) =>
  el(
    'button',
    {
      class: 'button button-small button-quiet',
      type: 'button',
      'aria-label': label,
      'data-action': name.toLowerCase(),
      onclick,
    },
    icon(name === 'Approve' ? 'check' : 'close'),
    name,
  )
