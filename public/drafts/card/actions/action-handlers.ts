import type { Card } from '../../../../lib/contract/changes/card.ts'
import { composeMessage } from '../../../app/actions/conversation.ts'
import { messageOf } from '../../../app/api/api.ts'
import type { App } from '../../../app/app.ts'
import { savedText } from '../../../app/storage/saved-text.ts'
import { el } from '../../../ui/dom.ts'
import { entityHref, kindLabel, spaceHref } from '../../../ui/words/addresses.ts'
import { chosenSides } from '../content/stale.ts'
import { type CardOptions, cardState } from '../draft/card-state.ts'
import { type Choice, decide, type Outcome, type Redraft, redraft } from '../draft/decide.ts'
import { describeParts, readSelection, selectedParts } from '../draft/parts.ts'
import { offerUndo } from './closed.ts'
import { purgeLine } from './purge-line.ts'

/** A card on the page, and the draft that it shows. */
type CardView = {
  element: HTMLElement
  current(): Card
  /** Draws the card again, with a sentence above it. */
  show(card: Card, notice?: string): void
  /** Loads the draft again, then shows it. */
  reload(notice?: string): Promise<void>
}

export type ActionHandlers = {
  onChoice: (choice: Choice) => Promise<void>
  /** Opens a form with the values of the draft. */
  onEdit: () => Promise<void>
  onAsk: (text: string) => Promise<void>
  onPreview: () => Promise<void>
  onRedraft: (how: Redraft) => Promise<void>
  /** Rejects a line of memory, and has no others proposed that nobody asked for. */
  onNeverAsk: () => Promise<void>
  /** Approves that a line of memory goes, and removes it from the history. */
  onForgetForGood: (text: string) => Promise<void>
}

/** The actions of a card. A refused decision is shown on the card. */
export function createActionHandlers(view: CardView, options: CardOptions): ActionHandlers {
  const { app, place = 'card' } = options
  const { element, current, show } = view
  return {
    onChoice,
    onEdit,
    onAsk: (text) => askAbout(app, current(), text),
    onPreview,
    onRedraft,
    onNeverAsk,
    onForgetForGood,
  }

  async function onChoice(choice: Choice): Promise<void> {
    const outcome = await whileBusy(() => decide(app.api, current(), choice))
    if (!outcome.done) return await showRefusal(outcome)
    savedText(`reject:${current().pending_change_id}`).write('')
    const { card, successor } = outcome.change
    const before = current()
    const part = choice.approve ? describeParts(before, choice) : null
    const rest = successor?.status === 'pending' && successor.derivation === 'rest' ? successor.card : null
    show(rest ?? card)
    app.announce(`${cardState(card).word}: ${part ?? card.summary}`)
    if (choice.approve) offerUndo(app, card, part)
    if (rest) return options.onReplaced?.(rest.pending_change_id)
    if (card.status === 'approved' && card.operation === 'create' && place !== 'inbox' && !card.memory)
      openNewPage(app, card)
    options.onDecided?.(card)
  }

  async function onNeverAsk(): Promise<void> {
    try {
      await app.api.patch(`/api/spaces/${current().space.id}/memory-settings`, { asks: false })
    } catch (error) {
      return show(current(), messageOf(error))
    }
    await onChoice({ approve: false, reason: 'Never ask' })
    app.toast('Void proposes no more lines here. Say “Remember that …” to add one.')
  }

  async function onForgetForGood(text: string): Promise<void> {
    await onChoice({ approve: true })
    if (current().status === 'approved' && (await purgeLine(app, current(), text))) await view.reload()
  }

  async function onRedraft(how: Redraft): Promise<void> {
    const outcome = await whileBusy(() => redraft(app.api, current(), how))
    if (!outcome.done) return await showRefusal(outcome)
    if (options.onReplaced) return options.onReplaced(outcome.change.id)
    show(outcome.change.card, 'This is a new draft. Review it before you approve.')
  }

  async function onEdit(): Promise<void> {
    const { renderEdit } = await import('./edit.ts')
    const form = await renderEdit(app, current(), {
      place,
      onSave: (edited) => onChoice({ approve: true, edited }),
      onCancel: () => show(current()),
    })
    element.querySelector('.card-body')?.replaceChildren(form)
    element.querySelector('.card-actions')?.remove()
    form.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }

  // A new page has an address of its own before it is there.
  async function onPreview(): Promise<void> {
    const { pending_change_id, space, operation, entity_type, entity_id } = current()
    const slug = app.state.get().spaces.find(({ id }) => id === space.id)?.slug
    if (place === 'rail' && operation === 'create' && entity_type === 'page' && slug)
      return await app.navigate(`${entityHref(slug, 'page', entity_id)}?draft=1`)
    const { showPreview } = await import('./preview.ts')
    await showPreview(app, `/api/pending-changes/${pending_change_id}/preview`, space.id)
  }

  async function whileBusy(work: () => Promise<Outcome>): Promise<Outcome> {
    element.toggleAttribute('aria-busy', true)
    const outcome = await work()
    element.removeAttribute('aria-busy')
    return outcome
  }

  async function showRefusal({ message, moved }: Extract<Outcome, { done: false }>): Promise<void> {
    app.announce(message)
    if (moved) await view.reload(message)
    else show(current(), message)
  }
}

/** Opens a page that an approval has just made, unless it is what is shown. */
function openNewPage(app: App, { entity_type, entity_id, space }: Card): void {
  const { spaces, path } = app.state.get()
  const slug = spaces.find(({ id }) => id === space.id)?.slug
  const href = slug && entityHref(slug, entity_type, entity_id)
  if (href && entity_type === 'page' && path !== href) app.navigate(href)
}

/** The toggle that shows a checkbox at each part of the card. The approve button counts those that are checked. */
export function renderSelectChanges(draft: Card, card: HTMLElement): HTMLElement {
  const button = el(
    'button',
    {
      class: 'button button-quiet button-small',
      type: 'button',
      'data-action': 'choose',
      'aria-pressed': false,
      onclick: toggle,
    },
    'Select changes',
  )
  return button

  function toggle(): void {
    const selecting = !card.hasAttribute('data-choosing')
    setSelecting(draft, card, selecting)
    if (selecting) card.querySelector<HTMLElement>('input.card-choice')?.focus()
  }
}

function setSelecting(draft: Card, card: HTMLElement, selecting: boolean): void {
  card.toggleAttribute('data-choosing', selecting)
  card.querySelector('[data-action=choose]')?.setAttribute('aria-pressed', String(selecting))
  card.onchange = () => updateApprove(draft, card)
  updateApprove(draft, card)
}

/** Selects as before, after a card was drawn again on which a part was left out. */
export function resumeSelecting(draft: Card, card: HTMLElement): void {
  const isPartial = readSelection(card).some(({ selected }) => !selected)
  if (isPartial && card.querySelector('[data-action=choose]')) setSelecting(draft, card, true)
}

/** The approval as the card is filled in; `null` while a conflict is open, or nothing is selected. */
export function readApproval(draft: Card, card: HTMLElement): Choice | null {
  const choices = chosenSides(card)
  if (Object.keys(choices).length < draft.conflicts.length) {
    card.querySelector<HTMLElement>('input[data-conflict]:not(:checked)')?.focus()
    card.querySelector('.card-conflicts')?.setAttribute('data-open', '')
    return null
  }
  const parts = card.hasAttribute('data-choosing') ? selectedParts(draft, readSelection(card)) : {}
  if (parts === null) return null
  return { approve: true, ...parts, ...(draft.conflicts.length > 0 ? { choices } : {}) }
}

function updateApprove(draft: Card, card: HTMLElement): void {
  const label = card.querySelector('.approve-words')
  const button = card.querySelector<HTMLButtonElement>('[data-action=approve]')
  if (!label || !button) return
  const selection = card.hasAttribute('data-choosing') ? readSelection(card) : []
  const count = selection.filter(({ selected }) => selected).length
  label.textContent = count === selection.length ? 'Approve' : `Approve ${count} of ${selection.length}`
  button.disabled = selection.length > 0 && selectedParts(draft, selection) === null
}

/**
 * Sends a message about a draft, in the Space that it belongs to. It names the draft by its id: the draft's text is not
 * the owner's, and must not be read as such.
 */
async function askAbout(app: App, card: Card, text: string): Promise<void> {
  if (text === '') return
  const { spaces, space } = app.state.get()
  const home = spaces.find(({ id }) => id === card.space.id)
  if (home && home.id !== space?.id) await app.navigate(spaceHref(home.slug))
  const doing = { create: 'create', update: 'change', delete: 'delete', call: 'make' }[card.operation]
  const about = `About the draft to ${doing} a ${kindLabel(card.entity_type).toLowerCase()} (${card.pending_change_id})`
  savedText(`ask:${card.pending_change_id}`).write('')
  composeMessage(app, `${about}: ${text}`, { send: true })
}
