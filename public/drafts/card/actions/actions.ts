import type { Card } from '../../../../lib/contract/changes/card.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { countParts } from '../draft/parts.ts'
import { type ActionHandlers, readApproval, renderSelectChanges } from './action-handlers.ts'
import { renderReason } from './reason.ts'

type ActionOptions = ActionHandlers & {
  place: string
  /** The whole card, with the checkboxes of its parts. */
  card: HTMLElement
}

/** Runs one action at a time: the buttons are disabled from then on, until the card is drawn again. */
type Run = (work: () => Promise<void>) => Promise<void>

/** The actions of a pending draft. A stale one offers an update in place of the approval. */
export function renderActions(draft: Card, options: ActionOptions): HTMLElement {
  const { place, onChoice } = options
  const id = draft.pending_change_id
  const actions = el(
    'div',
    { class: 'card-actions' },
    draft.stale === null ? renderApproval(draft, options, run) : renderRedraft(draft, options, run),
    renderReason({
      id: `${place}-reject-${id}`,
      draft: `reject:${id}`,
      action: 'reject',
      small: false,
      open: 'Reject',
      label: 'Reason (optional)',
      placeholder: 'Reason (sent to the agent)',
      send: 'Reject draft',
      danger: true,
      onSend: (reason) => run(() => onChoice({ approve: false, reason })),
    }),
    el('div', { class: 'card-more-actions' }, renderMore(draft, options)),
  )
  return actions

  async function run(work: () => Promise<void>): Promise<void> {
    if (actions.hasAttribute('data-busy')) return
    actions.setAttribute('data-busy', '')
    for (const button of actions.querySelectorAll('button')) button.disabled = true
    await work()
  }
}

function renderApproval(draft: Card, { place, card, onChoice, onEdit }: ActionOptions, run: Run): Child {
  const id = draft.pending_change_id
  const isDelete = draft.operation === 'delete'
  const approve = () => {
    const choice = readApproval(draft, card)
    if (choice) run(() => onChoice(choice))
  }
  return [
    el(
      'button',
      {
        class: ['button', isDelete ? 'button-delete' : 'button-approve'],
        type: 'button',
        id: `${place}-approve-${id}`,
        'data-action': 'approve',
        onclick: approve,
      },
      el('span', { class: 'approve-words' }, isDelete ? 'Approve deletion' : 'Approve'),
    ),
    !isDelete &&
      el(
        'button',
        {
          class: 'button button-quiet',
          type: 'button',
          'data-action': 'edit',
          id: `${place}-edit-${id}`,
          onclick: onEdit,
        },
        'Edit',
      ),
  ]
}

function renderRedraft(
  { pending_change_id, stale }: Card,
  { place, onRedraft }: ActionOptions,
  run: Run,
): HTMLElement {
  const isDeleted = stale?.current_version === null
  return el(
    'button',
    {
      class: 'button',
      type: 'button',
      id: `${place}-again-${pending_change_id}`,
      'data-action': 'again',
      onclick: () => run(() => onRedraft(isDeleted ? 'as-new-page' : 'review-again')),
    },
    isDeleted ? 'Create page from draft' : 'Update draft',
  )
}

function renderMore(draft: Card, { place, card, onAsk, onPreview }: ActionOptions): Child {
  const { pending_change_id: id, stale, agent } = draft
  return [
    stale === null && countParts(draft) > 1 && renderSelectChanges(draft, card),
    stale === null &&
      el(
        'button',
        {
          class: 'button button-quiet button-small',
          type: 'button',
          'data-action': 'preview',
          onclick: onPreview,
        },
        'Preview',
      ),
    renderReason({
      id: `${place}-ask-${id}`,
      draft: `ask:${id}`,
      action: 'ask',
      small: true,
      open: 'Ask',
      label: `Ask ${agent.slug === 'companion' ? agent.name : 'the companion'} about this draft`,
      placeholder: 'Ask, or request a change…',
      send: 'Send',
      danger: false,
      onSend: async (words) => onAsk(words),
    }),
  ]
}
