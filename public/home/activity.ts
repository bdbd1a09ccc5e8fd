import type { ActivityItem, SpaceOverview } from '../../lib/contract/space/overview.ts'
import type { ViewContext } from '../app/view.ts'
import { quoted } from '../components/quoted.ts'
import { type Child, el } from '../dom.ts'
import { actorNameFirst } from '../entities/actor-name.ts'
import { entityHref, kindLabel } from '../entities/addresses.ts'
import { timeAgo } from '../time.ts'
import { renderSection } from './section.ts'

const verbs: Record<string, string> = {
  create: 'added',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
}
/** The rest is in the Activity view. */
const maxItems = 8

/** The latest activity, in a line each. */
export function renderActivity({ activity }: SpaceOverview, context: ViewContext): Child {
  if (activity.length === 0) return null
  return renderSection(
    { id: 'home-activity', title: 'Recent activity', href: '/activity' },
    el(
      'ul',
      { class: 'happenings' },
      activity.slice(0, maxItems).map((item) => line(item, context)),
    ),
  )
}

function line(
  { actor, action, entity_type, entity_id, title, fields, at }: ActivityItem,
  { space, now }: ViewContext,
) {
  const href = action === 'delete' ? null : entityHref(space!.slug, entity_type, entity_id)
  const what = title ? quoted(title) : kindLabel(entity_type).toLowerCase()
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
