// What every history shows of a version besides its diff: the reason, and undo.

import type { EntityVersion } from '../../../lib/contract/entities.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { actorName } from '../../ui/words/names.ts'

/** The draft that a version came from: its agent, the owner's message, and the agent's reason. */
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
      asked && [' after you asked ', el('q', { dir: 'auto' }, visible(short(asked)))],
    ),
    note !== '' &&
      el(
        'p',
        {},
        el('span', { class: 'card-label' }, 'Reason'),
        ' ',
        el('span', { dir: 'auto' }, visible(note)),
      ),
    el(
      'a',
      { class: 'button button-small', href: `/inbox/${pending_change_id}?tab=decided` },
      icon('inbox'),
      'Open draft',
    ),
  )
}

type Undoable = Pick<EntityVersion, 'seq' | 'undone'> & { since?: number }

/** The button that undoes a version; for one that is undone, by whom and when. */
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
    const { undoChange } = await import('../../app/actions/undo-change.ts')
    const path = `/api/audit/${seq}/undo`
    if (await undoChange(app, since === undefined ? { path } : { path, since })) onUndone()
    button.disabled = false
  }
  const button = el(
    'button',
    { class: 'button button-small', type: 'button', id: `undo-${seq}`, onclick: run },
    icon('undo'),
    'Undo',
  )
  return button
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
