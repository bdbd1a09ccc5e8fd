import { keyCaps } from '../../ui/components/key-caps.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { switchBox, switchRow } from '../parts/setting.ts'
import { shortcuts } from './shortcuts.ts'

export const keyboardSection = defineSection<null>({
  load: () => Promise.resolve(null),
  render: (_data, { app }) => [
    switchRow(
      'Single letters are shortcuts',
      switchBox({
        id: 'letter-keys',
        checked: app.prefs.get().letterKeys,
        onchange: ({ target }: Event) =>
          target instanceof HTMLInputElement && app.prefs.set({ letterKeys: target.checked }),
      }),
      'They act only while no text field has the focus. Shortcuts with Ctrl, Alt or ⌘ always work.',
    ),
    shortcuts.map(({ group, keys }) =>
      el(
        'section',
        { class: 'help-group' },
        el('h2', {}, group),
        el(
          'dl',
          { class: 'help-keys' },
          keys.map(([key, label]) => el('div', {}, el('dt', {}, keyCaps(key)), el('dd', {}, label))),
        ),
      ),
    ),
  ],
})
