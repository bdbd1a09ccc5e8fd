import type { ActivityItem, SpaceOverview } from '../../lib/contract/overview.ts'
import { actorNameFirst } from '../actor-name.ts'
import { entityHref, kindLabel } from '../addresses.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { ViewContext } from '../view.ts'
import { renderSection } from './section.ts'

const verbs: Record<string, string> = {
  create: 'added',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
}
/** More would push the rest of the home out of sight; the whole of it is a view of its own. */
const most = 8

/** What happened last, in a line each. */
export function renderActivity({ activity }: SpaceOverview, context: ViewContext): Child {
  if (activity.length === 0) return null
  return renderSection(
    { id: 'home-activity', title: 'Recent activity', href: '/activity' },
    el(
      'ul',
      { class: 'happenings' },
      activity.slice(0, most).map((item) => line(item, context)),
    ),
  )
}

function line(
  { actor, action, entity_type, entity_id, title, fields, at }: ActivityItem,
  { space, now }: ViewContext,
) {
  const href = action === 'delete' ? null : entityHref(space!.slug, entity_type, entity_id)
  const what = title || kindLabel(entity_type).toLowerCase()
  const changed = fields
    .map((name) =>
      name
        .replace(/^body$/, 'text')
        .replace(/_(id|on)$/, '')
        .replaceAll('_', ' '),
    )
    .join(', ')
  return el(
    'li',
    { class: 'happening' },
    el(
      'p',
      {},
      el(
        'span',
        { class: 'dim' },
        `${actorNameFirst(actor)} ${verbs[action] ?? action}${changed ? ` ${changed} of` : ''} `,
      ),
      href ? el('a', { href }, what) : el('span', {}, what),
    ),
    timeAgo(at, now),
  )
}
