import type { App } from '../../app/app.ts'
import type { Theme } from '../../app/prefs.ts'
import { askToNotify, isNotifying, stopNotifying } from '../../app/storage/notify.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'

async function setNotifying(box: HTMLInputElement, app: Pick<App, 'toast'>): Promise<void> {
  if (!box.checked) return stopNotifying()
  box.checked = await askToNotify()
  if (!box.checked)
    app.toast('Your browser does not allow notifications here. Allow them in its settings for this site.', {
      tone: 'problem',
    })
}

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['dark', 'Dark'],
  ['light', 'Light'],
]

export const appearanceSection = defineSection<null>({
  load: async () => null,
  render: (_data, { app }) => [
    el('p', { class: 'dim' }, 'Stored in this browser only.'),
    el(
      'fieldset',
      { class: 'choices' },
      el('legend', { class: 'field-label' }, 'Theme'),
      themes.map(([theme, label]) =>
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
          el('strong', {}, label),
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
        el('strong', {}, 'Let the companion open pages'),
        el(
          'span',
          { class: 'dim small' },
          'It can open tabs and highlight passages. When off, it shows links instead.',
        ),
      ),
    ),
    el(
      'label',
      { class: 'choice' },
      el('input', {
        type: 'checkbox',
        id: 'notify',
        checked: isNotifying(),
        onchange: ({ currentTarget }: Event) => setNotifying(currentTarget as HTMLInputElement, app),
      }),
      el(
        'span',
        {},
        el('strong', {}, 'Show notifications'),
        el('span', { class: 'dim small' }, 'For new drafts and reminders, while you look at another window.'),
      ),
    ),
  ],
})
