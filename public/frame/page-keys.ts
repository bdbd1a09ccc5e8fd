import { createPage } from '../app/actions/create-page.ts'
import type { AppContext } from '../app/app.ts'
import type { KeyBinding } from '../app/keys.ts'
import { findText } from '../page/blame/find-text.ts'
import { dailyHref } from '../page/notes/daily-note.ts'

/** The keys that work everywhere, from the moment the page is ready. `lastAction` is the button of the newest toast that has one. */
export function addPageKeys({ app, signal }: AppContext, lastAction: () => HTMLElement | null): void {
  const { panels } = app
  const keys: KeyBinding[] = [
    {
      key: 'Mod+k',
      label: 'Search or run a command',
      run: () => panels.openPalette(),
      inFields: true,
    },
    {
      key: 'Escape',
      label: 'Close navigation',
      run: () => panels.toggleNav(false),
      when: () => document.documentElement.dataset.sheet === 'nav',
    },
    {
      key: 'Alt+u',
      label: 'Undo last action',
      run: () => lastAction()?.click(),
      when: () => lastAction() !== null,
    },
    {
      key: '?',
      label: 'Keyboard shortcuts',
      run: async () => (await import('./palette/help.ts')).showHelp(app.keys.list()),
    },
    { key: 'c', label: 'Focus chat', run: () => panels.toggleRail(true) },
    {
      key: 'N',
      label: 'New page',
      run: () => createPage(app, app.state.get().space!, null),
      when: () => app.state.get().space !== null,
    },
    {
      key: 'D',
      label: 'Open today’s note',
      run: () => app.navigate(dailyHref(app.state.get().space!.slug)),
      when: () => app.state.get().space !== null,
    },
    {
      key: 'y',
      label: 'Where this came from',
      group: 'Reading',
      run: async () => (await import('../page/blame/show-blame.ts')).lookUpText(app),
      when: () => findText(document) !== null && document.querySelector('dialog[open]') === null,
    },
  ]
  app.keys.add(
    keys.map((binding) => ({ group: 'Everywhere', ...binding })),
    signal,
  )
}
