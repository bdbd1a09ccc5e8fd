import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { ChangeSince } from '../../../../lib/contract/changes/decision.ts'
import { fieldLabel } from '../../../../lib/text/properties/field-label.ts'
import { icon } from '../../../ui/components/icon.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { timeAgo } from '../../../ui/time.ts'
import { actorName } from '../../../ui/words/actor-name.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { fieldValue } from '../../../ui/words/field-value.ts'

/** Why a draft is stale, and what has changed since it was made; `null` when it is not. */
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
          ? `The ${kind} was deleted, so there is nothing to change. You can create a page from the draft.`
          : `The ${kind} has changed since this was drafted (version ${stale.base_version}, now ` +
              `${stale.current_version}). Update the draft to merge both changes, then approve it.`,
      ),
    ),
    since.length > 0 &&
      el(
        'ul',
        { class: 'card-since', 'aria-label': 'Changes since the draft' },
        since.map((entry) => renderEntry(entry, card, now)),
      ),
  )
}

function renderEntry({ at, by, action, fields }: ChangeSince, { references }: Card, now: Date): HTMLElement {
  const who = by === 'owner' ? 'You' : actorName(by)
  const did = { create: 'created it', delete: 'deleted it', restore: 'restored it' }[action]
  const names = fields.map(({ name }) => fieldLabel(name).toLowerCase()).join(', ')
  return el(
    'li',
    {},
    `${who} ${did ?? `changed ${names || 'it'}`} `,
    timeAgo(at, now),
    fields.map(({ name, before, after, long }): Child => {
      if (long) return null
      const render = (value: unknown) => visible(fieldValue({ name, value }, { references, now }))
      return el(
        'span',
        { class: 'since-field' },
        el('del', {}, render(before)),
        ' → ',
        el('ins', {}, render(after)),
      )
    }),
  )
}
