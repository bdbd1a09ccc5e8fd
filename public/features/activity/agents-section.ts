// What agents did with the entity that is shown: a section below it, which asks when it is opened. It is put there
// behind the view, with code that is loaded later.

import type { ActivityEntry } from '../../../lib/contract/activity.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import type { AppContext, Subject } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { agentsHref, renderEntry } from './entry.ts'

/** Where the views of entities end. An editor and a history have none. */
const placeSelector = '#view :is(.page-main, .detail, .source-doc)'
const maxEntries = 10

export function startAgentsSections({ app, signal }: AppContext): void {
  let current: { entityId: string; section: HTMLDetailsElement } | null = null
  app.state.watch(({ subject }) => subject, onSubject, signal)
  onSubject(app.state.get().subject)

  /** Called before the view is drawn: the section of the same entity stays, with the focus. */
  function onSubject(subject: Subject | null): void {
    if (subject?.entityId !== current?.entityId)
      current = subject && { entityId: subject.entityId, section: createSection(subject.entityId) }
    const active = document.activeElement
    const focused = active instanceof HTMLElement && current?.section.contains(active) ? active : null
    queueMicrotask(() => {
      if (!current) return
      document.querySelector(placeSelector)?.append(current.section)
      focused?.focus({ preventScroll: true })
      if (current.section.open) fill(current.section, current.entityId)
    })
  }

  function createSection(entityId: string): HTMLDetailsElement {
    const section = el(
      'details',
      {
        class: 'agents-section',
        id: 'agents-section',
        ontoggle: () => section.open && fill(section, entityId),
      },
      el('summary', {}, 'What agents did here'),
      el('div', {}),
    )
    return section
  }

  async function fill(section: HTMLElement, entityId: string): Promise<void> {
    const query = { entity_id: entityId, actor: 'agents', limit: maxEntries }
    const list = section.querySelector('div')
    try {
      const { items } = await app.api.get<List<ActivityEntry>>(withQuery('/api/activity', query))
      const { space } = app.state.get()
      const context = { spaces: space ? [space] : [], now: app.now() }
      list?.replaceChildren(
        ...(items.length === 0
          ? [el('p', { class: 'dim' }, 'No agent has read or drafted anything here.')]
          : [
              el(
                'ul',
                { class: 'activity-list' },
                items.map((entry) => renderEntry(entry, context)),
              ),
              el('p', {}, el('a', { href: agentsHref(entityId) }, 'View all in Activity')),
            ]),
      )
    } catch (error) {
      list?.replaceChildren(el('p', { class: 'dim' }, `Could not load this. ${messageOf(error)}`))
    }
  }
}
