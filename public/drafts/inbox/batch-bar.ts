import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import { type Child, el, flatten } from '../../ui/dom.ts'
import { renderReason } from '../card/actions/reason.ts'
import { isPlain } from '../card/draft/card-state.ts'
import { batchText, type ListState, listStateOf } from './batch.ts'
import type { InboxContext } from './inbox-data.ts'

/** Below the list: actions on the selected drafts, and their progress. Empty otherwise. */
export function renderBatchBar(context: InboxContext): HTMLElement {
  const state = listStateOf(context.app)
  const bar = el('div', { class: 'inbox-bar' })
  const draw = () => bar.replaceChildren(...flatten([content(state.get(), context)]))
  draw()
  state.watch(({ batch }) => batch, draw, context.signal)
  state.watch(({ selected }) => selected, draw, context.signal)
  return bar
}

function content({ batch, selected, stop }: ListState, context: InboxContext): Child {
  const state = listStateOf(context.app)
  if (batch) {
    const running = batch.state === 'running'
    return [
      el('p', { class: batch.problems.length > 0 ? 'problem' : null, role: 'status' }, batchText(batch)),
      running
        ? button('Stop', 'button-quiet', () => stop?.abort())
        : button('Close', 'button-quiet', () => state.set({ batch: null })),
    ]
  }
  const lines = context.data.groups
    .flatMap((group) => group.lines)
    .filter(({ pending_change_id }) => selected.has(pending_change_id))
  return lines.length > 0 && selection(context, lines)
}

/** What is kept of a reason that is not sent. */
const reasonName = 'reject:selected'

function selection(context: InboxContext, lines: readonly CardLine[]): Child {
  const plain = lines.filter(isPlain)
  const apart = lines.length - plain.length
  return [
    el('p', { role: 'status' }, `${lines.length} selected`),
    plain.length > 0 &&
      button(
        apart === 0 ? `Approve ${plain.length}` : `Approve ${plain.length} of ${lines.length}`,
        'button-approve',
        () => decideMany(context, plain, { approve: true }),
      ),
    renderReason({
      id: 'inbox-reject-selected',
      draft: reasonName,
      action: 'reject-selected',
      small: true,
      open: 'Reject',
      label: lines.length === 1 ? 'Reason (optional)' : `One reason for all ${lines.length} (optional)`,
      placeholder: 'Reason (sent to the agents)',
      send: `Reject ${lines.length}`,
      danger: true,
      onSend: async (reason) => {
        savedText(reasonName).write('')
        await decideMany(context, lines, { approve: false, reason })
      },
    }),
    button('Clear', 'button-quiet', () => clearSelection(context)),
    apart > 0 &&
      el(
        'p',
        { class: 'dim small inbox-apart' },
        `${apart} ${apart === 1 ? 'deletes something, calls a tool or is' : 'delete something, call a tool or are'} out of date: decide on ${apart === 1 ? 'it' : 'each'} alone.`,
      ),
  ]
}

function clearSelection({ app }: InboxContext): void {
  listStateOf(app).set({ selected: new Set() })
  for (const box of document.querySelectorAll<HTMLInputElement>('.inbox-select input')) box.checked = false
}

const button = (label: string, name: string, onclick: () => void) =>
  el('button', { class: ['button button-small', name], type: 'button', onclick }, label)

/** `decideMany`, loaded when several drafts are first decided at once. */
async function decideMany(...args: Parameters<typeof import('./decide-many.ts').decideMany>): Promise<void> {
  const module = await import('./decide-many.ts')
  await module.decideMany(...args)
}
