import type { AppContext } from '../app/app.ts'

/** The keys that work everywhere. `lastAction` is the button of the newest toast that has one. */
export function addPageKeys({ app, signal }: AppContext, lastAction: () => HTMLElement | null): void {
  const { panels } = app
  const keys = [
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
      key: 'u',
      label: 'Undo last action',
      run: () => lastAction()?.click(),
      when: () => lastAction() !== null,
    },
    {
      key: '?',
      label: 'Keyboard shortcuts',
      run: async () => (await import('../components/help.ts')).showHelp(app.keys.list()),
    },
    { key: 'c', label: 'Focus chat', run: () => panels.toggleRail(true) },
  ]
  app.keys.add(
    keys.map((binding) => ({ ...binding, group: 'Everywhere' })),
    signal,
  )
}
