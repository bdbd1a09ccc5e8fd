import { isPlain } from '../card/words.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { batchText } from './batch.ts'
import type { InboxContext } from './data.ts'
import { decideLines } from './decide-lines.ts'
import { type Memory, memoryOf } from './memory.ts'

/** At the foot of the list: what to do with the selected drafts, and how far it is. Empty otherwise. */
export function renderBatchBar(context: InboxContext): HTMLElement {
  const memory = memoryOf(context.app)
  const bar = el('div', { class: 'inbox-bar', role: 'status' })
  const draw = () => bar.replaceChildren(...content(memory.get(), context).filter((node) => node !== null))
  draw()
  memory.watch(({ batch }) => batch, draw, context.signal)
  memory.watch(({ selected }) => selected, draw, context.signal)
  return bar
}

function content({ batch, selected, stop }: Memory, context: InboxContext): (HTMLElement | null)[] {
  const memory = memoryOf(context.app)
  if (batch) {
    const running = batch.state === 'running'
    return [
      el('p', { class: batch.state === 'failed' ? 'problem' : null }, batchText(batch)),
      running ? button('Stop', () => stop?.abort()) : button('Close', () => memory.set({ batch: null })),
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
      together ? '' : ' Only fresh drafts of one changeset that delete nothing can be approved together.',
    ),
    together ? button('Approve', () => decideLines(context, lines, { approve: true }), icon('check')) : null,
    button('Reject', () => decideLines(context, lines, { approve: false, reason: '' }), icon('close')),
    button('Clear', () => {
      memoryOf(context.app).set({ selected: new Set() })
      for (const box of document.querySelectorAll<HTMLInputElement>('.inbox-select input'))
        box.checked = false
    }),
  ]
}

const button = (label: string, onclick: () => void, sign: Child = null) =>
  el('button', { class: 'button button-small', type: 'button', onclick }, sign, label)
