import type { Card } from '../../lib/contract/card.ts'
import type { ChangeSince } from '../../lib/contract/decision.ts'
import { actorName } from '../actor-name.ts'
import { kindLabel } from '../addresses.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { fieldName, fieldValue } from './words.ts'

/** Why a draft cannot be approved as it is, and what happened since it was made; nothing for one that can. */
export function renderStale(card: Card, now: Date): HTMLElement | null {
  const { stale } = card
  if (card.status !== 'pending' || !stale) return null
  const kind = kindLabel(card.entity_type).toLowerCase()
  const since = stale.since ?? []
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
          ? `The ${kind} is gone, so there is nothing left to change. What it says can become a new page.`
          : `The ${kind} has changed since this was drafted (version ${stale.base_version}, now ` +
              `${stale.current_version}), so it cannot be approved as it is. Review again makes a new draft that ` +
              'keeps both.',
      ),
    ),
    since.length > 0 &&
      el(
        'ul',
        { class: 'card-since', 'aria-label': 'What changed since' },
        since.map((entry) => renderEntry(entry, card, now)),
      ),
  )
}

function renderEntry({ at, by, action, fields }: ChangeSince, { references }: Card, now: Date): HTMLElement {
  const who = by === 'owner' ? 'You' : actorName(by)
  const did = { create: 'made it', delete: 'deleted it', restore: 'restored it' }[action]
  const names = fields.map(({ name }) => fieldName(name).toLowerCase()).join(', ')
  return el(
    'li',
    {},
    `${who} ${did ?? `changed ${names || 'it'}`} `,
    timeAgo(at, now),
    fields.map(({ name, before, after, long }): Child => {
      if (long) return null
      const say = (value: unknown) => visible(fieldValue({ name, value }, { references, now }))
      return el(
        'span',
        { class: 'since-field' },
        el('del', {}, say(before)),
        ' → ',
        el('ins', {}, say(after)),
      )
    }),
  )
}
