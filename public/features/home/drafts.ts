import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { countText } from '../../../lib/contract/space/counted.ts'
import { type IconName, icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { renderSection } from './section.ts'

const icons: Record<string, IconName> = { create: 'plus', update: 'edit', delete: 'trash' }

type Line = Pick<CardLine, 'pending_change_id' | 'operation' | 'summary' | 'created_at'>

/** How many drafts wait, and some of them; nothing when there are none. */
export function renderDraftLines(count: number, lines: readonly Line[], now: Date): Child {
  if (count === 0) return null
  const title = count === 1 ? '1 pending draft' : `${countText(count)} pending drafts`
  return renderSection(
    { id: 'home-drafts', title, href: '/inbox', all: 'Inbox' },
    el(
      'ul',
      { class: 'rows home-drafts' },
      lines.map(({ pending_change_id, operation, summary, created_at }) =>
        el(
          'li',
          { class: 'row-item' },
          icon(icons[operation] ?? 'edit'),
          el('a', { class: 'row-title', href: `/inbox/${pending_change_id}` }, summary),
          timeAgo(created_at, now),
        ),
      ),
    ),
  )
}
