import { defineView } from '../app/view.ts'
import { el } from '../ui/dom.ts'
import { spaceHref } from '../ui/words/addresses.ts'
import { spaceGlanceSection } from './glance/space-glance.ts'
import { spaceMemorySection } from './memory/memory-section.ts'
import { combine, type OpenSection } from './parts/section.ts'
import { valueRow } from './parts/setting.ts'
import { spaceNotesSection } from './spaces/space-notes.ts'
import { spaceTrustSection } from './spaces/space-trust.ts'

const sections = [spaceNotesSection, spaceMemorySection, spaceGlanceSection, spaceTrustSection]

/** What is set for one Space alone. */
export const view = defineView<OpenSection>({
  load: async (context) => {
    const all = await combine(sections.map((section) => () => Promise.resolve(section)))
    return await all.open(context)
  },
  title: (_open, { space }) => `Settings of ${space!.name}`,
  render(open, context) {
    const { app, refresh } = context
    const space = context.space!
    return el(
      'section',
      { class: 'settings-section space-settings', 'aria-label': 'Space settings' },
      el(
        'div',
        {},
        el('p', { class: 'crumbs' }, el('a', { href: spaceHref(space.slug) }, el('bdi', {}, space.name))),
        el('h1', {}, 'Space settings'),
      ),
      valueRow(
        'Name, mark and instructions',
        el('button', { class: 'button', type: 'button', id: 'edit-space', onclick: edit }, 'Edit…'),
      ),
      open.render(context),
    )

    async function edit(): Promise<void> {
      const { showSpaceDialog } = await import('./spaces/space-dialog.ts')
      await showSpaceDialog(app, space, refresh)
    }
  },
  mount: (root, open, context) => open.mount?.(root, context),
  affectedBy: (event, open) => open.affectedBy?.(event) ?? false,
})
