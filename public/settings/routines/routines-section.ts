import { type ReadyRoutine, readyRoutines } from '../../../lib/contract/companion/ready-routines.ts'
import type { Routine, RoutineRun } from '../../../lib/contract/companion/routines.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { icon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayAndTime, timeAgo } from '../../ui/time.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { closeForm, createToastChange, defineSection, renderFigures } from '../parts/section.ts'
import {
  fieldRow,
  formRow,
  hintedRow,
  renderThing,
  switchBox,
  switchRow,
  valueRow,
} from '../parts/setting.ts'
import { type RoutineFields, renderRoutineForm, whenText } from './routine-form.ts'

type Placed = { space: Space; routine: Routine }
/** `cut`: the Spaces that have more than are listed. */
type Data = { spaces: Space[]; routines: Placed[]; cut: Space[] }

/** Of a Space, the newest. */
const maxListed = 200

/** The routines of every Space: what each does and when, what came of it, and a form for more. */
export const routinesSection = defineSection<Data>({
  async load({ api }) {
    const { items: spaces } = await api.get<List<Space>>('/api/spaces?limit=200')
    const lists = await Promise.all(
      spaces.map(async (space) => {
        const path = `/api/spaces/${space.id}/routines?limit=${maxListed}`
        const { items, next_cursor } = await api.get<List<Routine>>(path)
        return { space, items, isCut: next_cursor !== null }
      }),
    )
    return {
      spaces,
      routines: lists.flatMap(({ space, items }) => items.map((routine) => ({ space, routine }))),
      cut: lists.filter(({ isCut }) => isCut).map(({ space }) => space),
    }
  },
  render: ({ spaces, routines, cut }, context) => [
    el(
      'p',
      { class: 'dim' },
      'A routine follows an instruction by itself, at times or after an event. It answers in a thread of its own and leaves drafts in the Inbox; it changes nothing.',
    ),
    routines.map((placed) => renderRoutine(placed, context)),
    cut.map(({ name }) =>
      el('p', { class: 'dim small' }, `The newest ${maxListed} routines of `, visible(name), '.'),
    ),
    spaces.length > 0 && renderReady(spaces, routines, context),
    spaces.length > 0 && renderNew(spaces, context),
  ],
  affectedBy: (event) => event.type === 'routine' || event.type === 'space',
})

function renderRoutine({ space, routine }: Placed, context: ViewContext): HTMLElement {
  const { id, name, when, enabled, paused_reason, week, next_due_at, conversation_id } = routine
  const { app } = context
  const change = createToastChange(context)
  const box = switchBox({ id: `toggle-${id}`, checked: enabled, onchange: () => void set(box.checked) })
  const set = (isOn: boolean) =>
    change(
      () => app.api.patch(`/api/routines/${id}`, { enabled: isOn }),
      `${quoteShown(name)} is switched ${isOn ? 'on' : 'off'}.`,
    )
  const save = async (fields: RoutineFields) => {
    await app.api.patch(`/api/routines/${id}`, fields)
    closeForm(`edit-${id}`)
    await context.refresh()
    app.toast(`Saved ${quoteShown(name)}.`)
  }
  return renderThing(
    {
      id: `routine-${id}`,
      name: visible(name),
      after: el('bdi', { class: 'dim small' }, visible(space.name)),
    },
    switchRow('On', box, paused_reason && el('span', { class: 'problem' }, visible(paused_reason))),
    formRow(
      {
        id: `edit-${id}`,
        label: 'When',
        hint: next_due_at && ['Next ', dayAndTime(next_due_at, context.now)],
        value: visible(whenText(when)),
        verb: 'Edit',
        name,
      },
      renderRoutineForm({ routine, label: 'Save', onSave: save }),
    ),
    hintedRow(
      'Runs',
      [week, '. ', costText(routine)],
      button('Run now', `run-${id}`, () => run(routine, context, false)),
      button('Dry run', `dry-${id}`, () => run(routine, context, true)),
      conversation_id &&
        el(
          'a',
          { class: 'button button-small', href: entityHref(space.slug, 'conversation', conversation_id) },
          'Thread',
        ),
    ),
    renderHistory(routine, context),
    valueRow(
      'Delete',
      renderArmedButton({
        label: 'Delete',
        name,
        id: `delete-${id}`,
        press: () => change(() => app.api.delete(`/api/routines/${id}`), `Deleted ${quoteShown(name)}.`),
      }),
    ),
  )
}

function costText({ ready, enabled, expected_monthly_usd, budget_usd }: Routine): string {
  if (ready === 'tidy' && budget_usd === 0) return 'It needs no model and costs nothing.'
  const run = `At most $${budget_usd.toFixed(2)} a run`
  if (!enabled || expected_monthly_usd === null) return `${run}.`
  return `${run}, about $${expected_monthly_usd.toFixed(2)} a month.`
}

async function run({ id, name }: Routine, { app, refresh }: ViewContext, dry_run: boolean): Promise<void> {
  try {
    await app.api.post(`/api/routines/${id}/run`, { dry_run })
    app.toast(dry_run ? `Dry run of ${quoteShown(name)} started.` : `${quoteShown(name)} started.`)
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}

const states: Record<RoutineRun['status'], string> = {
  running: 'Running',
  done: 'Done',
  nothing_to_do: 'Nothing to do',
  failed: 'Failed',
  skipped: 'Skipped',
}

/** Its runs, loaded when they are looked at. */
function renderHistory({ id, name }: Routine, { app, now, signal }: ViewContext): HTMLElement {
  const slot = el('div', { class: 'slot' })
  const load = async () => {
    try {
      const { items } = await app.api.get<List<RoutineRun>>(`/api/routines/${id}/runs?limit=50`, { signal })
      const rows = items.map((one): [Child, ...Child[]] => [
        timeAgo(one.due_at, now),
        `${states[one.status]}${one.dry_run ? ' (dry run)' : ''}`,
        draftsText(one.drafts.map(({ status }) => status)),
        one.cost_usd === null ? '–' : `$${one.cost_usd.toFixed(2)}`,
        visible(one.problem ?? ''),
      ])
      slot.replaceChildren(
        rows.length === 0
          ? el('p', { class: 'dim small' }, 'No runs yet')
          : renderFigures(`Runs of ${name}`, ['When', 'Result', 'Drafts', 'Cost', 'Problem'], rows),
      )
    } catch (error) {
      slot.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
  const ontoggle = (event: Event) => {
    if (event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open) void load()
  }
  return formRow(
    { id: `runs-${id}`, label: 'Past runs', verb: 'Show', name: `past runs of ${name}`, ontoggle },
    slot,
  )
}

function draftsText(all: readonly string[]): string {
  const counts = [...Map.groupBy(all, (status) => status)].map(([status, each]) => `${each.length} ${status}`)
  return counts.join(', ') || '–'
}

/** Ready-made ones that a Space does not have yet; each can be edited before it is switched on. */
function renderReady(spaces: readonly Space[], routines: readonly Placed[], context: ViewContext): Child {
  const rows = readyRoutines.flatMap((ready) => {
    const without = spaces.filter(
      ({ id }) => !routines.some(({ space, routine }) => space.id === id && routine.ready === ready.ready),
    )
    return without.length > 0 ? [renderOneReady(ready, without, context)] : []
  })
  return (
    rows.length > 0 &&
    el('section', { 'aria-labelledby': 'ready' }, el('h2', { id: 'ready' }, 'Ready-made'), rows)
  )
}

function renderOneReady(
  { about, ...routine }: ReadyRoutine,
  spaces: readonly Space[],
  context: ViewContext,
): HTMLElement {
  const { app } = context
  const { ready, name } = routine
  const space = spaceChoice(spaces, `routine-${ready}-space`)
  const when = { ...routine.when, time_zone: '' }
  const save = async (fields: RoutineFields) => {
    await app.api.post(`/api/spaces/${space.value}/routines`, { ...fields, ready })
    closeForm(`edit-${ready}`)
    await context.refresh()
    app.toast(`${name} is switched on.`)
  }
  return formRow(
    { id: `edit-${ready}`, label: name, hint: about, value: whenText(when), verb: 'Set up', name },
    renderRoutineForm({
      routine: { ...routine, id: ready, when },
      label: 'Switch on',
      first: fieldRow('Space', space),
      onSave: save,
    }),
  )
}

const spaceChoice = (spaces: readonly Space[], id: string): HTMLSelectElement =>
  el(
    'select',
    { id, class: 'field' },
    spaces.map((space) => el('option', { value: space.id }, space.name)),
  )

function renderNew(spaces: readonly Space[], { app, refresh }: ViewContext): HTMLElement {
  const space = spaceChoice(spaces, 'routine-new-space')
  const save = async (fields: RoutineFields) => {
    await app.api.post(`/api/spaces/${space.value}/routines`, fields)
    closeForm('routine-new')
    await refresh()
    app.toast(`Created ${quoteShown(fields.name)}.`)
  }
  return el(
    'details',
    { class: 'token-new', id: 'routine-new' },
    el('summary', { class: 'button' }, icon('plus'), 'New routine'),
    renderRoutineForm({
      routine: null,
      label: 'Create routine',
      first: fieldRow('Space', space),
      onSave: save,
    }),
  )
}

const button = (label: string, id: string, onclick: () => Promise<void>): HTMLElement =>
  el('button', { class: 'button button-small', type: 'button', id, onclick }, label)
