import { el } from '../dom.ts'
import type { Theme } from '../prefs.ts'
import { defineSection } from './section.ts'

const themes: readonly (readonly [Theme, string, string])[] = [
  ['system', 'As the system has it', 'Dark and light follow the settings of this device.'],
  ['dark', 'Dark', 'Light letters on a dark ground.'],
  ['light', 'Light', 'Dark letters on a light ground.'],
]

export const appearanceSection = defineSection<null>({
  load: async () => null,
  render: (_data, { app }) => [
    el('p', { class: 'dim' }, 'Kept in this browser only.'),
    el(
      'fieldset',
      { class: 'choices' },
      el('legend', { class: 'field-label' }, 'Theme'),
      themes.map(([theme, label, what]) =>
        el(
          'label',
          { class: 'choice' },
          el('input', {
            type: 'radio',
            name: 'theme',
            id: `theme-${theme}`,
            value: theme,
            checked: app.prefs.get().theme === theme,
            onchange: () => app.prefs.set({ theme }),
          }),
          el('span', {}, el('strong', {}, label), el('span', { class: 'dim small' }, what)),
        ),
      ),
    ),
    el(
      'label',
      { class: 'choice' },
      el('input', {
        type: 'checkbox',
        id: 'move-view',
        checked: app.prefs.get().moveView,
        onchange: ({ currentTarget }: Event) =>
          app.prefs.set({ moveView: (currentTarget as HTMLInputElement).checked }),
      }),
      el(
        'span',
        {},
        el('strong', {}, 'Let the companion move my view'),
        el(
          'span',
          { class: 'dim small' },
          'It may open tabs and mark passages. Off, it offers links instead.',
        ),
      ),
    ),
  ],
})
