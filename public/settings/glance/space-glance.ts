import type {
  Glance,
  GlanceMode,
  GlanceSettings,
  GlanceSettingsChange,
} from '../../../lib/contract/companion/glance.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import { isolated } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { defineSection, renderFigures } from '../parts/section.ts'
import { groupRow, hintedRow, valueRow } from '../parts/setting.ts'
import { renderSaid } from './said.ts'

export const glanceWords =
  'When a mail that you open or receive needs your attention, Void can show a one-sentence suggestion. In shadow mode it only records it.'

/** The glance of a Space: its mode, what it would have said, and what it cost. */
export const spaceGlanceSection = defineSection<SpaceGlance>({
  async load({ api, space }) {
    const path = `/api/spaces/${space!.id}`
    const settings = await api.get<GlanceSettings>(`${path}/glance-settings`)
    const { items: nudges } = await api.get<List<Glance>>(`${path}/glances?nudges=true&limit=30`)
    return { space: space!, settings, nudges }
  },
  render: (data, context) => [
    el('h2', {}, 'Glance'),
    el('p', { class: 'dim' }, glanceWords),
    data.settings.unavailable && el('p', { class: 'problem' }, data.settings.unavailable),
    renderSpace(data, context),
  ],
  affectedBy: (event) => event.type === 'nudge',
})

type SpaceGlance = { space: Space; settings: GlanceSettings; nudges: Glance[] }

const modes: Record<GlanceMode, string> = { off: 'Off', shadow: 'Shadow', live: 'Live' }

/** The glance of a Space, and everything that can be set of it. */
function renderSpace({ space, settings, nudges }: SpaceGlance, context: ViewContext): HTMLElement {
  const { mode, turned_off_at } = settings
  const isIdle = mode === 'off' && nudges.length === 0
  return el(
    'section',
    { class: 'thing', 'aria-label': 'Glance' },
    turned_off_at !== null &&
      el('p', { class: 'problem' }, 'Turned off automatically: ten nudges in a row were not used.'),
    renderModes(space, settings, context),
    mode !== 'off' && renderWatch(space, settings, context),
    !isIdle && [
      renderScore(settings),
      renderMuted(settings, context),
      renderSaid(nudges, context),
      renderDays(settings, context),
    ],
  )
}

function renderModes({ id }: Space, { mode, score }: GlanceSettings, context: ViewContext): Child {
  const isOffered = score.ready || mode === 'live'
  const option = (value: GlanceMode) =>
    el(
      'label',
      {},
      el('input', {
        type: 'radio',
        name: `glance-mode-${id}`,
        id: `glance-${value}-${id}`,
        checked: value === mode,
        disabled: value === 'live' && !isOffered,
        onchange: () => change(context, id, { mode: value }),
      }),
      modes[value],
    )
  const isWaiting = !isOffered && mode === 'shadow'
  return [
    groupRow(
      'Mode',
      el('div', { class: 'option-words' }, option('off'), option('shadow'), option('live')),
      isWaiting &&
        'Live mode is offered after 20 verdicts with at most 10 % false alarms and at least 70 % silence.',
    ),
    score.ready &&
      mode === 'shadow' &&
      hintedRow(
        'Live mode',
        'Its suggestions were accurate and infrequent.',
        el(
          'button',
          {
            class: 'button button-small',
            type: 'button',
            onclick: () => change(context, id, { mode: 'live' }),
          },
          'Turn on',
        ),
      ),
  ]
}

function renderWatch(space: Space, { unavailable }: GlanceSettings, { app }: ViewContext): Child {
  return hintedRow(
    'Watch a window',
    'A picture is sent to the model once the window has changed and then stayed still for 30 seconds. It is not stored.',
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        id: `glance-watch-${space.id}`,
        disabled: unavailable !== null,
        onclick: () => watch(app, space),
      },
      'Watch a window…',
    ),
  )
}

/** A browser lets a window be shared only over HTTPS or on the machine itself, and a phone not at all. */
function watch(app: App, space: Space): void {
  const isPossible = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices
  if (!isPossible) app.toast('This browser cannot share a window. On a computer, open Void over HTTPS.')
  else if (app.watchWindow) void app.watchWindow(space)
  else app.toast('The page is still loading. Try again.')
}

const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`)

function renderScore({ score: { judged, false_alarms, restraint } }: GlanceSettings): Child {
  return hintedRow(
    'How it did',
    'By your verdicts',
    `${judged} judged, ${percent(false_alarms)} false alarms, ${percent(restraint)} silence`,
  )
}

function renderDays({ days, space_id }: GlanceSettings, { now }: ViewContext): Child {
  const used = days.filter(({ evaluations, avoided }) => evaluations + avoided > 0).toReversed()
  if (used.length === 0) return null
  return el(
    'details',
    { id: `glance-days-${space_id}` },
    el('summary', {}, 'Cost by day'),
    renderFigures(
      'Cost by day',
      ['Day', 'Nudges', 'Ended by code', 'Asked a model', 'Tokens', 'Cost'],
      used.map(({ day, nudges, avoided, evaluations, tokens, cost }) => [
        dayText(day, now),
        ...[nudges, avoided, evaluations, tokens].map(String),
        cost === null ? '–' : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`,
      ]),
    ),
  )
}

function renderMuted({ muted, space_id }: GlanceSettings, context: ViewContext): Child {
  if (muted.length === 0) return null
  return muted.map((mute) =>
    valueRow(
      'Muted',
      el('span', { class: 'grow' }, mute.type === 'kind' ? kinds[mute.value] : isolated(mute.value)),
      el(
        'button',
        {
          class: 'button button-small',
          type: 'button',
          'aria-label': `Unmute ${mute.value}`,
          onclick: () => change(context, space_id, { unmute: mute }),
        },
        'Unmute',
      ),
    ),
  )
}

const kinds: Record<string, string> = {
  question: 'questions',
  request: 'requests',
  deadline: 'deadlines',
  decision: 'decisions',
  reply: 'replies',
}

async function change({ app, refresh }: ViewContext, id: string, what: GlanceSettingsChange): Promise<void> {
  await toastFailure(app, app.api.patch(`/api/spaces/${id}/glance-settings`, what))
  await refresh()
}
