import type { Card } from '../../lib/contract/card.ts'
import { el } from '../dom.ts'
import { keepDraft } from '../drafts.ts'
import type { Choice } from './card-decide.ts'
import { icon } from './icon.ts'

export type ActionOptions = { place: string; onChoice: (choice: Choice) => Promise<void> }

/** Approve, and Reject with room for a reason. A draft that is out of date can only be rejected. */
export function renderActions(card: Card, { place, onChoice }: ActionOptions): HTMLElement {
  const id = `${place}-approve-${card.pending_change_id}`
  const approve = el(
    'button',
    {
      class: 'button button-approve',
      type: 'button',
      id,
      'data-action': 'approve',
      onclick: () => send({ approve: true }),
    },
    icon('check'),
    card.operation === 'delete' ? 'Approve deletion' : 'Approve',
  )
  const actions = el(
    'div',
    { class: 'card-actions' },
    card.stale === null && approve,
    renderReject(card, { place, onChoice: send }),
  )
  return actions

  async function send(choice: Choice): Promise<void> {
    if (actions.hasAttribute('data-busy')) return
    actions.setAttribute('data-busy', '')
    for (const button of actions.querySelectorAll('button')) button.disabled = true
    await onChoice(choice)
  }
}

// A native disclosure, so that it stays open when the view around it is drawn anew.
function renderReject({ pending_change_id }: Card, { place, onChoice }: ActionOptions): HTMLElement {
  const draft = () => keepDraft(`reject:${pending_change_id}`)
  const id = `${place}-reason-${pending_change_id}`
  const reason = el('textarea', {
    class: 'field',
    id,
    rows: 2,
    maxlength: 2000,
    placeholder: 'Why not? It is kept with the draft.',
    oninput: () => draft().write(reason.value),
  })
  const summary = el(
    'summary',
    { class: 'button', 'data-action': 'reject', onclick: flip },
    icon('close'),
    'Reject',
  )
  const details = el(
    'details',
    {
      class: 'card-reject',
      id: `${place}-reject-${pending_change_id}`,
      onkeydown: onKey,
    },
    summary,
    el(
      'form',
      { class: 'card-reason', onsubmit: submit },
      el('label', { class: 'field-label', for: id }, 'Reason (may stay empty)'),
      reason,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-danger', type: 'submit' }, 'Reject the draft'),
        el('button', { class: 'button button-quiet', type: 'button', onclick: close }, 'Cancel'),
      ),
    ),
  )
  return details

  // Opened here and now, not when the browser gets to it: what is typed next already belongs to the reason.
  function flip(event: Event): void {
    event.preventDefault()
    details.open = !details.open
    if (!details.open) return
    if (reason.value === '') reason.value = draft().read()
    reason.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    if (event.key !== 'Escape' || !details.open) return
    event.stopPropagation()
    close()
  }

  function close(): void {
    details.open = false
    summary.focus()
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    await onChoice({ approve: false, reason: reason.value.trim() })
  }
}
