import type { Card } from '../../lib/contract/card.ts'
import type { List } from '../../lib/contract/entities.ts'
import { kindLabel } from '../addresses.ts'
import { messageOf, withQuery } from '../api.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { CardOptions } from './card.ts'
import { fieldName } from './card-words.ts'
import { icon } from './icon.ts'

type AuditEntry = {
  at: string
  actor: string
  action: string
  version: number | null
  after: Record<string, unknown> | null
}

/** Why a draft cannot be approved any more, and what happened since it was made; nothing for one that can. */
export function renderStale(card: Card, { app, now, place = 'card' }: CardOptions): HTMLElement | null {
  const { stale } = card
  if (card.status !== 'pending' || !stale) return null
  const kind = kindLabel(card.entity_type).toLowerCase()
  const log = el('ul', { class: 'card-since' })
  return el(
    'div',
    { class: 'card-stale' },
    el(
      'p',
      {},
      icon('warning'),
      el(
        'span',
        {},
        stale.current_version === null
          ? `The ${kind} is gone, so there is nothing left to change. Reject the draft to clear it.`
          : `The ${kind} has changed since this was drafted (version ${stale.base_version}, now ` +
              `${stale.current_version}). Approving would overwrite that, so it is switched off: reject the draft ` +
              'with a reason, and a new one can be made.',
      ),
    ),
    el(
      'details',
      { class: 'card-more', id: `${place}-since-${card.pending_change_id}`, ontoggle: showLog },
      el('summary', {}, 'What changed since'),
      log,
    ),
  )

  async function showLog(): Promise<void> {
    if (log.childElementCount > 0) return
    try {
      const path = withQuery('/api/audit', { entity_id: card.entity_id, limit: 50 })
      const { items } = await app.api.get<List<AuditEntry>>(path)
      const since = items.filter(({ version }) => version === null || version > stale!.base_version)
      log.replaceChildren(...since.map((entry) => renderEntry(entry, now)))
    } catch (error) {
      log.replaceChildren(el('li', { class: 'problem' }, messageOf(error)))
    }
  }
}

function renderEntry({ at, actor, action, after }: AuditEntry, now: Date): HTMLElement {
  const fields =
    action === 'update'
      ? Object.keys(after ?? {})
          .map(fieldName)
          .join(', ')
      : ''
  const who = actor === 'owner' ? 'You' : actor
  const did = { create: 'made it', delete: 'deleted it', restore: 'restored it' }[action]
  return el('li', {}, `${who} ${did ?? `changed ${fields.toLowerCase() || 'it'}`} `, timeAgo(at, now))
}
