// What every history shows of a version besides its diff: why it is there, and the way back.

import type { EntityVersion } from '../../lib/contract/history.ts'
import { actorName } from '../actor-name.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'

/** The draft that a version came from: its agent, what the owner had asked, and the agent's own words. */
export function renderReason(reason: EntityVersion['reason']): Child {
  if (!reason) return null
  const { agent, asked, note, pending_change_id } = reason
  return el(
    'div',
    { class: 'version-reason' },
    el(
      'p',
      {},
      'Drafted by ',
      visible(agent.name),
      asked && [', when you had said ', el('q', { dir: 'auto' }, visible(short(asked)))],
    ),
    note !== '' &&
      el(
        'p',
        {},
        el('span', { class: 'card-label' }, 'Agent’s note'),
        ' ',
        el('span', { dir: 'auto' }, visible(note)),
      ),
    el(
      'a',
      { class: 'button button-small', href: `/inbox/${pending_change_id}?tab=decided` },
      icon('inbox'),
      'See the draft',
    ),
  )
}

type Undoable = Pick<EntityVersion, 'seq' | 'undone'> & { since?: number }

/** The button that takes a version back; for one that is taken back already, by whom and when. */
export function renderUndo(app: App, { seq, since, undone }: Undoable, onUndone: () => void): HTMLElement {
  if (undone) {
    return el(
      'p',
      { class: 'dim small' },
      `Undone by ${actorName(undone.by)} `,
      timeAgo(undone.at, app.now()),
    )
  }
  const run = async () => {
    button.disabled = true
    const { undoChange } = await import('../components/undo-change.ts')
    const path = `/api/audit/${seq}/undo`
    if (await undoChange(app, since === undefined ? { path } : { path, since })) onUndone()
    button.disabled = false
  }
  const button = el(
    'button',
    { class: 'button button-small', type: 'button', id: `undo-${seq}`, onclick: run },
    icon('undo'),
    'Undo this',
  )
  return button
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
