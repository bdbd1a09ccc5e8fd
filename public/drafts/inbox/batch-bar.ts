import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { isPlain } from '../card/draft/card-state.ts'
import { batchText, type ListState, listStateOf } from './batch.ts'
import type { InboxContext } from './inbox-data.ts'

/** Below the list: actions on the selected drafts, and their progress. Empty otherwise. */
export function renderBatchBar(context: InboxContext): HTMLElement {
  const state = listStateOf(context.app)
  const bar = el('div', { class: 'inbox-bar', role: 'status' })
  const draw = () => bar.replaceChildren(...content(state.get(), context).filter((node) => node !== null))
  draw()
  state.watch(({ batch }) => batch, draw, context.signal)
  state.watch(({ selected }) => selected, draw, context.signal)
  return bar
}

function content({ batch, selected, stop }: ListState, context: InboxContext): (HTMLElement | null)[] {
  const state = listStateOf(context.app)
  if (batch) {
    const running = batch.state === 'running'
    return [
      el('p', { class: batch.state === 'failed' ? 'problem' : null }, batchText(batch)),
      running ? button('Stop', () => stop?.abort()) : button('Close', () => state.set({ batch: null })),
    ]
  }
  return selected.size > 0 ? selection(context, selected) : []
}

function selection(context: InboxContext, selected: ReadonlySet<string>): (HTMLElement | null)[] {
  const lines = context.data.groups
    .flatMap((group) => group.lines)
    .filter(({ pending_change_id }) => selected.has(pending_change_id))
  if (lines.length === 0) return []
  const changesets = new Set(lines.map(({ changeset_id }) => changeset_id))
  const together = changesets.size === 1 && lines.every(isPlain)
  return [
    el(
      'p',
      {},
      `${lines.length} selected.`,
      together
        ? ''
        : ' Only up-to-date drafts of one changeset that delete nothing can be approved together.',
    ),
    together ? button('Approve', () => decideMany(context, lines, { approve: true }), icon('check')) : null,
    button('Reject', () => decideMany(context, lines, { approve: false, reason: '' }), icon('close')),
    button('Clear selection', () => {
      listStateOf(context.app).set({ selected: new Set() })
      for (const box of document.querySelectorAll<HTMLInputElement>('.inbox-select input'))
        box.checked = false
    }),
  ]
}

const button = (label: string, onclick: () => void, sign: Child = null) =>
  el('button', { class: 'button button-small', type: 'button', onclick }, sign, label)

/** `decideMany`, loaded when several drafts are first decided at once. */
async function decideMany(...args: Parameters<typeof import('./decide-many.ts').decideMany>): Promise<void> {
  const module = await import('./decide-many.ts')
  await module.decideMany(...args)
}
