import type { Card } from '../../../../lib/contract/changes/card.ts'
import { el } from '../../../ui/dom.ts'
import { chosenSides } from '../content/conflicts.ts'
import type { Choice } from '../draft/decide.ts'
import { readSelection, selectedParts } from '../draft/parts.ts'

/** The toggle that shows a checkbox at each part of the card. The approve button counts those that are checked. */
export function renderSelectChanges(shown: Card, card: HTMLElement): HTMLElement {
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
    const selecting = card.toggleAttribute('data-choosing')
    button.setAttribute('aria-pressed', String(selecting))
    if (selecting) card.querySelector<HTMLElement>('input.card-choice')?.focus()
    card.onchange = () => updateApprove(shown, card)
    updateApprove(shown, card)
  }
}

/** The approval as the card is filled in; `null` while a conflict is open, or nothing is selected. */
export function readApproval(shown: Card, card: HTMLElement): Choice | null {
  const choices = chosenSides(card)
  if (Object.keys(choices).length < shown.conflicts.length) {
    card.querySelector<HTMLElement>('input[data-conflict]:not(:checked)')?.focus()
    card.querySelector('.card-conflicts')?.setAttribute('data-open', '')
    return null
  }
  const parts = card.hasAttribute('data-choosing') ? selectedParts(shown, readSelection(card)) : {}
  if (parts === null) return null
  return { approve: true, ...parts, ...(shown.conflicts.length > 0 ? { choices } : {}) }
}

function updateApprove(shown: Card, card: HTMLElement): void {
  const label = card.querySelector('.approve-words')
  const button = card.querySelector<HTMLButtonElement>('[data-action=approve]')
  if (!label || !button) return
  const selection = card.hasAttribute('data-choosing') ? readSelection(card) : []
  const count = selection.filter(({ selected }) => selected).length
  label.textContent = count === selection.length ? 'Approve' : `Approve ${count} of ${selection.length}`
  button.disabled = selection.length > 0 && selectedParts(shown, selection) === null
}
