import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { App } from '../../../app/app.ts'
import { savedText } from '../../../app/storage/saved-text.ts'
import type { CardOptions } from '../draft/card-options.ts'
import { cardState } from '../draft/card-state.ts'
import { type Choice, decide, type Outcome, type Redraft, redraft } from '../draft/decide.ts'
import { describeParts } from '../draft/parts.ts'
import { askAbout } from './ask-about.ts'
import { offerUndo } from './closed.ts'

/** A card on the page, and the draft that it shows. */
export type CardView = {
  element: HTMLElement
  shown(): Card
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
}

/** The actions of a card. A refused decision is shown on the card. */
export function createActionHandlers(view: CardView, options: CardOptions): ActionHandlers {
  const { app, place = 'card' } = options
  const { element, shown, show } = view
  return { onChoice, onEdit, onAsk: (text) => askAbout(app, shown(), text), onPreview, onRedraft }

  async function onChoice(choice: Choice): Promise<void> {
    const outcome = await whileBusy(() => decide(app.api, shown(), choice))
    if (!outcome.done) return await showRefusal(outcome)
    savedText(`reject:${shown().pending_change_id}`).write('')
    const { card } = outcome.change
    const before = shown()
    const part = choice.approve ? describeParts(before, choice) : null
    show(card)
    app.announce(`${cardState(card).word}: ${part ?? card.summary}`)
    if (choice.approve) offerUndo(app, card, part)
    if (card.status === 'approved' && card.operation === 'create' && place !== 'inbox') openNew(app, card)
    options.onDecided?.(card)
  }

  async function onRedraft(how: Redraft): Promise<void> {
    const outcome = await whileBusy(() => redraft(app.api, shown(), how))
    if (!outcome.done) return await showRefusal(outcome)
    if (options.onReplaced) return options.onReplaced(outcome.change.id)
    show(outcome.change.card, 'This is a new draft. Review it before you approve.')
  }

  async function onEdit(): Promise<void> {
    const { renderEdit } = await import('./edit.ts')
    const form = await renderEdit(app, shown(), {
      place,
      onSave: (edited) => onChoice({ approve: true, edited }),
      onCancel: () => show(shown()),
    })
    element.querySelector('.card-body')?.replaceChildren(form)
    element.querySelector('.card-actions')?.remove()
    form.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }

  async function onPreview(): Promise<void> {
    const { showPreview } = await import('./preview.ts')
    const { pending_change_id, space } = shown()
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
    else show(shown(), message)
  }
}

async function openNew(app: App, card: Card): Promise<void> {
  const { openNewPage } = await import('./open-new-page.ts')
  openNewPage(app, card)
}
