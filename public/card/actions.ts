import type { Card } from '../../lib/contract/card.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { chosenParts, countParts, readTicks } from './choose.ts'
import { chosenSides } from './conflicts.ts'
import type { Choice } from './decide.ts'
import { renderReason } from './reason.ts'

export type ActionOptions = {
  place: string
  /** The whole card, where the boxes stand. */
  card: HTMLElement
  onChoice: (choice: Choice) => Promise<void>
  /** Opens the draft for changes by the owner. */
  onEdit: () => void
  onAsk: (words: string) => void
  onPreview: () => void
  onAgain: (how: 'review-again' | 'as-new-page') => Promise<void>
}

/** What can be decided about a draft that waits. One that is out of date leads with a fresh draft. */
export function renderActions(shown: Card, options: ActionOptions): HTMLElement {
  const { place, card } = options
  const { pending_change_id: id, stale } = shown
  const actions = el(
    'div',
    { class: 'card-actions' },
    stale === null ? ready() : outOfDate(),
    renderReason({
      id: `${place}-reject-${id}`,
      draft: `reject:${id}`,
      action: 'reject',
      icon: 'close',
      open: 'Reject',
      label: 'Reason (may stay empty)',
      placeholder: 'Why not? The agent hears it.',
      send: 'Reject the draft',
      danger: true,
      onSend: (reason) => run(() => options.onChoice({ approve: false, reason })),
    }),
    el('div', { class: 'card-more-actions' }, more()),
  )
  return actions

  function ready(): Child {
    const approve = el(
      'button',
      {
        class: 'button button-approve',
        type: 'button',
        id: `${place}-approve-${id}`,
        'data-action': 'approve',
        onclick: sendApproval,
      },
      icon('check'),
      el('span', { class: 'approve-words' }, shown.operation === 'delete' ? 'Approve deletion' : 'Approve'),
    )
    const edit =
      shown.operation !== 'delete' &&
      el(
        'button',
        {
          class: 'button',
          type: 'button',
          'data-action': 'edit',
          id: `${place}-edit-${id}`,
          onclick: options.onEdit,
        },
        icon('edit'),
        'Edit',
      )
    return [approve, edit]
  }

  function outOfDate(): Child {
    const gone = stale?.current_version === null
    const how = gone ? 'as-new-page' : 'review-again'
    return el(
      'button',
      {
        class: 'button button-primary',
        type: 'button',
        id: `${place}-again-${id}`,
        'data-action': 'again',
        onclick: () => run(() => options.onAgain(how)),
      },
      icon(gone ? 'page' : 'refresh'),
      gone ? 'Make a new page of it' : 'Review again',
    )
  }

  function more(): Child {
    return [
      stale === null && countParts(shown) > 1 && chooser(),
      stale === null && quiet('Preview', 'preview', options.onPreview),
      renderReason({
        id: `${place}-ask-${id}`,
        draft: `ask:${id}`,
        action: 'ask',
        icon: null,
        open: 'Ask about it',
        label: `Ask ${shown.agent.slug === 'companion' ? shown.agent.name : 'the companion'} about this draft`,
        placeholder: 'What do you want to know, or have otherwise?',
        send: 'Send',
        danger: false,
        onSend: async (words) => options.onAsk(words),
      }),
    ]
  }

  function chooser(): HTMLElement {
    const button = quiet('Choose parts', 'choose', () => {
      const choosing = card.toggleAttribute('data-choosing')
      button.setAttribute('aria-pressed', String(choosing))
      if (choosing) card.querySelector<HTMLElement>('input.card-choice')?.focus()
      card.onchange = tellParts
      tellParts()
    })
    button.setAttribute('aria-pressed', 'false')
    return button
  }

  function tellParts(): void {
    const words = actions.querySelector('.approve-words')
    const button = actions.querySelector<HTMLButtonElement>('[data-action=approve]')
    if (!words || !button) return
    const ticks = card.hasAttribute('data-choosing') ? readTicks(card) : []
    const taken = ticks.filter((tick) => tick.taken).length
    words.textContent = taken === ticks.length ? 'Approve' : `Approve ${taken} of ${ticks.length}`
    button.disabled = ticks.length > 0 && chosenParts(shown, ticks) === null
  }

  function sendApproval(): void {
    const choices = chosenSides(card)
    const open = shown.conflicts.length - Object.keys(choices).length
    if (open > 0) {
      card.querySelector<HTMLElement>('input[data-conflict]:not(:checked)')?.focus()
      card.querySelector('.card-conflicts')?.setAttribute('data-open', '')
      return
    }
    const parts = card.hasAttribute('data-choosing') ? chosenParts(shown, readTicks(card)) : {}
    if (parts === null) return
    run(() =>
      options.onChoice({ approve: true, ...parts, ...(shown.conflicts.length > 0 ? { choices } : {}) }),
    )
  }

  async function run(work: () => Promise<void>): Promise<void> {
    if (actions.hasAttribute('data-busy')) return
    actions.setAttribute('data-busy', '')
    for (const button of actions.querySelectorAll('button')) button.disabled = true
    await work()
  }
}

const quiet = (label: string, action: string, onclick: () => void) =>
  el(
    'button',
    { class: 'button button-quiet button-small', type: 'button', 'data-action': action, onclick },
    label,
  )
