import type { Routine } from '../../../lib/contract/companion/routines.ts'
import { describeRecurrence } from '../../../lib/core/schedule/describe-recurrence.ts'
import { parseRecurrence } from '../../../lib/core/schedule/recurrence.ts'
import { messageOf } from '../../app/api/api.ts'
import { type Child, el } from '../../ui/dom.ts'
import { capital } from '../../ui/words/field-value.ts'
import { fieldRow } from '../parts/setting.ts'

type When = { schedule: string } | { event: 'mail' | 'page' | 'import'; filter: string }

/** What the form sends, as the API takes it. */
export type RoutineFields = {
  name: string
  instruction: string
  when: When
  budget_usd: number
  daily_budget_usd: number | null
  quiet_hours: Routine['quiet_hours']
}

type Shown = { id: string; name: string; instruction: string; when: Routine['when'] } & Partial<
  Pick<Routine, 'budget_usd' | 'daily_budget_usd' | 'quiet_hours'>
>

type FormOptions = {
  /** `null`: a new one. */
  routine: Shown | null
  label: string
  /** Fields before the others. */
  first?: Child
  /** Its failure is shown in the form. */
  onSave: (fields: RoutineFields, form: HTMLFormElement) => Promise<void>
}

const weekdays = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}

const whens = {
  daily: 'Every day',
  workdays: 'Every weekday',
  weekly: 'Every week',
  rule: 'By a recurrence rule',
  mail: 'When mail arrives',
  page: 'When a page changes',
  import: 'After an import',
}
type WhenName = keyof typeof whens

/** The form for a routine, new or existing. */
export function renderRoutineForm({ routine, label, first, onSave }: FormOptions): HTMLFormElement {
  const id = (field: string) => `routine-${routine?.id ?? 'new'}-${field}`
  const start = readWhen(routine?.when)
  const input = (field: string, value: string, props: Record<string, unknown> = {}) =>
    el('input', { class: 'field', id: id(field), value, ...props })
  const choice = (field: string, all: Readonly<Record<string, string>>, chosen: string) =>
    el('select', { class: 'field', id: id(field), onchange: showParts }, options(all, chosen))
  const name = input('name', routine?.name ?? '', { maxlength: 100, required: true })
  const instruction = el(
    'textarea',
    { class: 'field', id: id('instruction'), rows: 4, maxlength: 20_000, required: true },
    routine?.instruction ?? '',
  )
  const when = choice('when', whens, start.name)
  const day = choice('day', weekdays, start.day)
  const time = input('time', start.time, { type: 'time', required: true })
  const rule = input('rule', start.rule, { maxlength: 1000 })
  const filter = input('filter', start.filter, { maxlength: 200 })
  const money = { type: 'number', min: 0, max: 1000, step: 0.01 }
  const budget = input('budget', String(routine?.budget_usd ?? 0.5), { ...money, required: true })
  const daily = input('daily', String(routine?.daily_budget_usd ?? ''), money)
  const quiet = { from: routine?.quiet_hours?.from ?? '', until: routine?.quiet_hours?.until ?? '' }
  const from = input('quiet-from', quiet.from, { type: 'time' })
  const until = input('quiet-until', quiet.until, { type: 'time' })
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const parts = {
    day: fieldRow('On', day),
    time: fieldRow('At', time),
    rule: fieldRow('Rule', rule, 'Such as FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=8;BYMINUTE=0'),
    filter: fieldRow('Only from', filter, 'Optional: a sender, or the page that it is below'),
  }
  const form = el(
    'form',
    { class: 'stack', onsubmit: save },
    first,
    fieldRow('Name', name),
    fieldRow('Instruction', instruction),
    fieldRow('When', when),
    Object.values(parts),
    fieldRow('Budget of a run', budget, 'US dollars'),
    fieldRow('Budget of a day', daily, 'US dollars, optional'),
    fieldRow('Quiet from', from, 'Optional'),
    fieldRow('Quiet until', until),
    problem,
    el('div', { class: 'row' }, el('button', { class: 'button button-primary', type: 'submit' }, label)),
  )
  showParts()
  return form

  function showParts(): void {
    const chosen = when.value as WhenName
    parts.day.hidden = chosen !== 'weekly'
    parts.time.hidden = !['daily', 'workdays', 'weekly'].includes(chosen)
    parts.rule.hidden = chosen !== 'rule'
    parts.filter.hidden = chosen !== 'mail' && chosen !== 'page'
    time.disabled = parts.time.hidden
  }

  function chosenWhen(): When {
    const chosen = when.value as WhenName
    if (chosen === 'mail' || chosen === 'page' || chosen === 'import')
      return { event: chosen, filter: chosen === 'import' ? '' : filter.value.trim() }
    if (chosen === 'rule') return { schedule: rule.value.trim() }
    const [hour = '9', minute = '0'] = time.value.split(':')
    const days = {
      daily: 'FREQ=DAILY',
      workdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      weekly: `FREQ=WEEKLY;BYDAY=${day.value}`,
    }
    return { schedule: `${days[chosen]};BYHOUR=${Number(hour)};BYMINUTE=${Number(minute)}` }
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    problem.hidden = true
    try {
      const fields = { name: name.value.trim(), instruction: instruction.value, when: chosenWhen() }
      const limits = {
        budget_usd: Number(budget.value),
        daily_budget_usd: daily.value === '' ? null : Number(daily.value),
        quiet_hours: quietHours(from.value, until.value),
      }
      await onSave({ ...fields, ...limits }, form)
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

/** Throws for one time without the other. */
function quietHours(from: string, until: string): Routine['quiet_hours'] {
  if (from === '' && until === '') return null
  if (from === '' || until === '') throw new Error('Quiet hours need both times.')
  return { from, until }
}

const options = (all: Readonly<Record<string, string>>, chosen: string): HTMLElement[] =>
  Object.entries(all).map(([value, label]) => el('option', { value, selected: value === chosen }, label))

const simple =
  /^(?:FREQ=DAILY|FREQ=WEEKLY;BYDAY=(MO,TU,WE,TH,FR|MO|TU|WE|TH|FR|SA|SU));BYHOUR=(\d{1,2});BYMINUTE=(\d{1,2})$/

function readWhen(when: Routine['when'] | undefined) {
  const none = { name: 'daily' as WhenName, day: 'MO', time: '09:00', rule: '', filter: '' }
  if (!when) return none
  if ('event' in when) return { ...none, name: when.event, filter: when.filter }
  const [match, days, hour = '', minute = ''] = simple.exec(when.schedule) ?? []
  if (match === undefined) return { ...none, name: 'rule' as WhenName, rule: when.schedule }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const name: WhenName = days === undefined ? 'daily' : days.includes(',') ? 'workdays' : 'weekly'
  return { ...none, name, time, day: days && !days.includes(',') ? days : 'MO' }
}

/** When a routine runs, in words. */
export function whenText(when: Routine['when']): string {
  const { name, day, time, rule, filter } = readWhen(when)
  if (name === 'rule') return ruleText(rule)
  if (name === 'weekly') return `Every ${weekdays[day as keyof typeof weekdays]} at ${time}`
  if (name === 'daily' || name === 'workdays') return `${whens[name]} at ${time}`
  return filter ? `${whens[name]}: ${filter}` : whens[name]
}

/** A rule in words; as it is written where it is none. */
function ruleText(text: string): string {
  const rule = parseRecurrence(text)
  if (!rule) return text
  const { count } = rule
  const times = count === null ? '' : count === 1 ? ', once' : `, ${count} times in all`
  return capital(`${describeRecurrence({ ...rule, count: null })}${times}`)
}
