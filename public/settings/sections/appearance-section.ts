import type { TimeZone } from '../../../lib/contract/auth.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { Theme } from '../../app/prefs.ts'
import { askToNotify, isNotifying, stopNotifying } from '../../app/storage/notify.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow, groupRow, switchBox, switchRow } from '../parts/setting.ts'

async function setNotifying(box: HTMLInputElement, app: Pick<App, 'toast'>): Promise<void> {
  if (!box.checked) return stopNotifying()
  box.checked = await askToNotify()
  if (!box.checked)
    app.toast('Your browser does not allow notifications here. Allow them in its settings for this site.', {
      tone: 'problem',
    })
}

const sources = {
  server: 'Set by the server until a browser reports one.',
  browser: 'Reported by your browser.',
  owner: '',
} as const

function renderTimeZone(
  { time_zone, set_by }: TimeZone,
  app: Pick<App, 'api' | 'toast' | 'announce'>,
): Child {
  const zones = Intl.supportedValuesOf('timeZone')
  const names = zones.includes(time_zone) ? zones : [time_zone, ...zones]
  return fieldRow(
    'Time zone',
    el(
      'select',
      { class: 'field', id: 'time-zone', onchange: save },
      names.map((name) =>
        el('option', { value: name, selected: name === time_zone }, name.replaceAll('_', ' ')),
      ),
    ),
    `Decides what today is, and when reminders, the daily budget and the nightly backup begin. ${sources[set_by]}`,
  )

  async function save({ currentTarget }: Event): Promise<void> {
    const { value } = currentTarget as HTMLSelectElement
    try {
      await app.api.put<TimeZone>('/api/time-zone', { time_zone: value })
      document.documentElement.dataset.zone = value
      app.announce('Time zone saved.')
    } catch (error) {
      app.toast(`Could not save the time zone. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['dark', 'Dark'],
  ['light', 'Light'],
]

export const appearanceSection = defineSection<TimeZone>({
  load: ({ api }) => api.get<TimeZone>('/api/time-zone'),
  render: (zone, { app }) => [
    el(
      'div',
      {},
      renderTimeZone(zone, app),
      groupRow(
        'Theme',
        el(
          'div',
          { class: 'option-words' },
          themes.map(([theme, label]) =>
            el(
              'label',
              {},
              el('input', {
                type: 'radio',
                name: 'theme',
                id: `theme-${theme}`,
                value: theme,
                checked: app.prefs.get().theme === theme,
                onchange: () => app.prefs.set({ theme }),
              }),
              label,
            ),
          ),
        ),
        'In this browser',
      ),
      switchRow(
        'Let the companion open pages',
        switchBox({
          id: 'move-view',
          checked: app.prefs.get().moveView,
          onchange: ({ currentTarget }: Event) =>
            app.prefs.set({ moveView: (currentTarget as HTMLInputElement).checked }),
        }),
        'In this browser. When off, it shows links instead.',
      ),
      switchRow(
        'Show notifications',
        switchBox({
          id: 'notify',
          checked: isNotifying(),
          onchange: ({ currentTarget }: Event) => setNotifying(currentTarget as HTMLInputElement, app),
        }),
        'In this browser, for new drafts and reminders while you look at another window.',
      ),
    ),
  ],
})
