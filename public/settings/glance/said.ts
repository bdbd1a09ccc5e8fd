import type { Glance, GlanceVerdict } from '../../../lib/contract/companion/glance.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'

/** Suggestions made or recorded, each with the owner's verdict. */
export function renderSaid(nudges: readonly Glance[], context: ViewContext): Child {
  if (nudges.length === 0)
    return el('p', { class: 'dim' }, 'No suggestions yet. They are listed here for you to rate.')
  return el(
    'ul',
    { class: 'rows glance-said', 'aria-label': 'Suggestions' },
    nudges.map((nudge) => renderRow(nudge, context)),
  )
}

function renderRow(nudge: Glance, context: ViewContext): HTMLElement {
  const { id, mode, message, evidence, verdict, created_at } = nudge
  const answer = (label: string, value: GlanceVerdict) =>
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        id: `glance-${value}-${id}`,
        'aria-pressed': verdict === value,
        'aria-label': `${label}: ${message ?? ''}`,
        onclick: () => judge(context, id, value),
      },
      label,
    )
  return el(
    'li',
    { class: 'glance-row' },
    el(
      'div',
      { class: 'grow' },
      el('p', { dir: 'auto' }, visible(message ?? '')),
      el(
        'p',
        { class: 'dim small' },
        mode === 'shadow' ? 'Would have said ' : 'Said ',
        timeAgo(created_at, context.now),
        evidence.map(({ quote }) => [' · ', el('q', { dir: 'auto' }, visible(quote))]),
      ),
    ),
    el(
      'div',
      { class: 'row', role: 'group', 'aria-label': 'Was this useful?' },
      answer('Yes', 'useful'),
      answer('No', 'noise'),
    ),
  )
}

async function judge({ app, refresh }: ViewContext, id: string, verdict: GlanceVerdict): Promise<void> {
  try {
    await app.api.patch(`/api/glances/${id}`, { verdict })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}
