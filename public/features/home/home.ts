import type { Space } from '../../../lib/contract/entities/entities.ts'
import { countText } from '../../../lib/contract/space/counted.ts'
import type { SpaceOverview } from '../../../lib/contract/space/overview.ts'
import { defineView } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { kindNames, spaceHref } from '../../ui/words/addresses.ts'
import { renderGettingStarted } from './beginning.ts'
import { renderContinue } from './continue.ts'
import { renderDraftLines } from './drafts.ts'
import { renderOpenTasks, renderToday } from './open-tasks.ts'

/** The home of a Space: pending drafts, what is due today, open tasks, and where one left off. */
export const view = defineView<SpaceOverview>({
  layout: 'wide',
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/overview`),
  title: (_overview, { space }) => space!.name,
  render(overview, context) {
    const space = context.space!
    const empty = Object.values(overview.counts).every((count) => count === 0)
    return el(
      'div',
      { class: 'home' },
      el(
        'header',
        { class: 'view-head' },
        el('h1', {}, space.name),
        space.description && el('p', { class: 'dim' }, space.description),
        counts(space, overview),
      ),
      renderDraftLines(overview.drafts.count, overview.drafts.cards, context.now),
      empty
        ? renderGettingStarted(context)
        : el(
            'div',
            { class: 'home-columns' },
            el(
              'div',
              { class: 'home-column' },
              renderToday(overview, context),
              renderOpenTasks(overview, context),
            ),
            el('div', { class: 'home-column' }, renderContinue(overview, context)),
          ),
    )
  },
  affectedBy: (event, _overview, { space }) =>
    (event.type === 'entity' || event.type === 'change') && event.data.space_id === space!.id,
})

function counts({ slug }: Space, overview: SpaceOverview): Child {
  const held = Object.entries(kindNames).flatMap(([type, { path, one, many }]) => {
    const count = overview.counts[type] ?? 0
    if (count === 0) return []
    const label = `${countText(count)} ${(count === 1 ? one : many).toLowerCase()}`
    return [el('a', { class: 'home-count', href: `${spaceHref(slug)}/${path}` }, label)]
  })
  return held.length > 0 && el('p', { class: 'home-counts' }, held)
}
