import type { Card } from '../../../../lib/contract/changes/card.ts'
import { savedText } from '../../../app/storage/saved-text.ts'
import { type IconName, icon } from '../../../ui/components/icon.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { countParts } from '../draft/parts.ts'
import { type ActionHandlers, readApproval, renderSelectChanges } from './action-handlers.ts'

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
      icon: 'close',
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
        class: 'button button-approve',
        type: 'button',
        id: `${place}-approve-${id}`,
        'data-action': 'approve',
        onclick: approve,
      },
      icon('check'),
      el('span', { class: 'approve-words' }, isDelete ? 'Approve deletion' : 'Approve'),
    ),
    !isDelete &&
      el(
        'button',
        {
          class: 'button',
          type: 'button',
          'data-action': 'edit',
          id: `${place}-edit-${id}`,
          onclick: onEdit,
        },
        icon('edit'),
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
      class: 'button button-primary',
      type: 'button',
      id: `${place}-again-${pending_change_id}`,
      'data-action': 'again',
      onclick: () => run(() => onRedraft(isDeleted ? 'as-new-page' : 'review-again')),
    },
    icon(isDeleted ? 'page' : 'refresh'),
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
      icon: null,
      open: 'Ask',
      label: `Ask ${agent.slug === 'companion' ? agent.name : 'the companion'} about this draft`,
      placeholder: 'Ask, or request a change…',
      send: 'Send',
      danger: false,
      onSend: async (words) => onAsk(words),
    }),
  ]
}

type ReasonOptions = {
  id: string
  /** The name under which unsent text is stored. */
  draft: string
  action: string
  icon: IconName | null
  /** The labels of the button that opens it, of its field, and of the button that sends it. */
  open: string
  label: string
  placeholder: string
  send: string
  danger: boolean
  onSend: (text: string) => Promise<void>
}

/** A button that opens a text field. A native disclosure, so it stays open when the view is drawn again. */
function renderReason(options: ReasonOptions): HTMLElement {
  const { id, action, danger } = options
  const draft = () => savedText(options.draft)
  const field = el('textarea', {
    class: 'field',
    id: `${id}-words`,
    rows: 2,
    maxlength: 2000,
    placeholder: options.placeholder,
    oninput: () => draft().write(field.value),
  })
  const summary = el(
    'summary',
    {
      class: options.icon ? 'button' : 'button button-quiet button-small',
      'data-action': action,
      onclick: flip,
    },
    options.icon && icon(options.icon),
    options.open,
  )
  const details = el(
    'details',
    { class: 'card-reject', id, onkeydown: onKey },
    summary,
    el(
      'form',
      { class: 'card-reason', onsubmit: submit },
      el('label', { class: 'field-label', for: `${id}-words` }, options.label),
      field,
      el(
        'div',
        { class: 'row' },
        el(
          'button',
          { class: ['button', danger ? 'button-danger' : 'button-primary'], type: 'submit' },
          options.send,
        ),
        el('button', { class: 'button button-quiet', type: 'button', onclick: close }, 'Cancel'),
      ),
    ),
  )
  return details

  // Opened at once, not after the click event: the keys pressed next belong to the field.
  function flip(event: Event): void {
    event.preventDefault()
    details.open = !details.open
    if (!details.open) return
    if (field.value === '') field.value = draft().read()
    field.focus()
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
    await options.onSend(field.value.trim())
  }
}
