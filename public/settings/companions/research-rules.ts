// The rules of research of a companion: a form with a value for each, its default, and a way back to that. Loaded when it
// is opened first.

import type {
  DepthSettings,
  ResearchRules,
  ResearchSettings,
} from '../../../lib/contract/companion/research-settings.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { el } from '../../ui/dom.ts'
import { formRow } from '../parts/setting.ts'

type RuleValue = string | number | boolean
type RuleGroup = keyof Pick<ResearchRules, 'depths' | 'thresholds' | 'prompts'>

/** Where a rule is: `depths`, `quick`, `passages`. */
type RulePath = readonly [RuleGroup, ...string[]]

type RuleField = {
  path: RulePath
  element: HTMLElement
  /** As it was loaded, unless it was changed. */
  changed(): RuleValue | null | undefined
  /** Empty: none. */
  setProblem(message: string): void
}

const depths = [
  ['quick', 'Quick research'],
  ['standard', 'Research'],
  ['deep', 'Deep research'],
] as const

const depthFields: readonly (readonly [keyof DepthSettings, string])[] = [
  ['sub_questions', 'Sub-questions'],
  ['passages', 'Passages for each'],
  ['context_characters', 'Characters of passages'],
  ['repairs', 'Rewrites of an answer'],
  ['max_claims', 'Claims in an answer'],
  ['budget_usd', 'Budget in US dollars'],
  ['budget_tokens', 'Budget in tokens'],
  ['calibrates', 'Check terms against the Space'],
  ['searches_web', 'Search connected sources'],
]

const thresholdFields = [
  ['citation', 'Claims supported by their passages'],
  ['entities', 'Names and values in the passages'],
  ['relations', 'Claims not turned around'],
] as const

const promptFields = [
  ['plan', 'Plan the search'],
  ['terms', 'Correct terms'],
  ['answer', 'Write the answer'],
  ['judge', 'Judge the claims'],
] as const

/** “Research rules”, which opens the form. */
export function renderResearchRules(app: App, agent: { id: string; name: string }): HTMLElement {
  const place = el('div', {})
  const path = `/api/agents/${agent.id}/research-settings`
  return formRow(
    {
      id: `research-rules-${agent.id}`,
      label: 'Research rules',
      hint: 'Depths, scores and prompts',
      verb: 'Change',
      name: `the research rules of ${agent.name}`,
      ontoggle: open,
    },
    place,
  )

  async function open(event: Event): Promise<void> {
    const isOpen = event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open
    if (!isOpen || place.childElementCount > 0) return
    try {
      draw(await app.api.get<ResearchSettings>(path))
    } catch (error) {
      place.replaceChildren(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    }
  }

  function draw(settings: ResearchSettings): void {
    place.replaceChildren(renderForm(settings, { agent_id: agent.id, save, reset }))
  }

  async function save(change: object): Promise<void> {
    draw(await app.api.patch<ResearchSettings>(path, change))
    app.toast('Saved the research rules.')
  }

  async function reset(): Promise<void> {
    draw(await app.api.delete<ResearchSettings>(path))
    app.toast('Reset the research rules to their defaults.')
  }
}

type FormActions = {
  agent_id: string
  save: (change: object) => Promise<void>
  reset: () => Promise<void>
}

function renderForm(settings: ResearchSettings, { agent_id, save, reset }: FormActions): HTMLElement {
  const field = (label: string, path: RulePath) => renderField(settings, { agent_id, label, path })
  const groups = [
    ...depths.map(([depth, title]) => ({
      title,
      fields: depthFields.map(([name, label]) => field(label, ['depths', depth, name])),
    })),
    {
      title: 'Scores to reach, from 0 to 1',
      fields: thresholdFields.map(([name, label]) => field(label, ['thresholds', name])),
    },
    { title: 'Prompts', fields: promptFields.map(([name, label]) => field(label, ['prompts', name])) },
  ]
  const fields = groups.flatMap((group) => group.fields)
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const isChanged = Object.keys(settings.overrides).length > 0
  return el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault()
        void run(() => save(changeOf(fields)))
      },
    },
    groups.map(({ title, fields: own }) =>
      el(
        'section',
        { 'aria-label': title },
        el('h4', {}, title),
        own.map(({ element }) => element),
      ),
    ),
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, 'Save'),
      isChanged &&
        el('button', { class: 'button', type: 'button', onclick: () => run(reset) }, 'Reset all to defaults'),
    ),
  )

  async function run(work: () => Promise<void>): Promise<void> {
    problem.hidden = true
    for (const each of fields) each.setProblem('')
    try {
      await work()
    } catch (error) {
      const unplaced = showIssues(fields, error)
      problem.textContent = unplaced
      problem.hidden = unplaced === ''
    }
  }
}

/** Shows each issue at its field; what is left to say. */
function showIssues(fields: readonly RuleField[], error: unknown): string {
  const issues = error instanceof ApiError ? error.details.issues : null
  if (!Array.isArray(issues)) return messageOf(error)
  let count = 0
  let first: RuleField | null = null
  for (const { path, message } of issues) {
    const field = fields.find((each) => each.path.join('.') === String(path))
    if (!field) continue
    field.setProblem(String(message))
    first ??= field
    count += 1
  }
  first?.element.querySelector<HTMLElement>('.field, input')?.focus()
  return count === issues.length ? '' : messageOf(error)
}

/** What was changed, in the shape of the request. */
function changeOf(fields: readonly RuleField[]): object {
  const change: Record<string, Record<string, unknown>> = {}
  for (const { path, changed } of fields) {
    const value = changed()
    if (value === undefined) continue
    const [group, first = '', second] = path
    const before = change[group] ?? {}
    const next = second === undefined ? value : { ...(before[first] as object | undefined), [second]: value }
    change[group] = { ...before, [first]: next }
  }
  return change
}

const valueAt = (rules: object, path: readonly string[]): RuleValue | undefined =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], rules) as
    | RuleValue
    | undefined

function renderField(
  settings: ResearchSettings,
  { agent_id, label, path }: { agent_id: string; label: string; path: RulePath },
): RuleField {
  const id = `research-${agent_id}-${path.join('-')}`
  const value = valueAt(settings, path)!
  const standard = valueAt(settings.defaults, path)!
  const isSet = valueAt(settings.overrides, path) !== undefined
  let isReset = false
  const input = renderInput(value, id)
  const problem = el('p', { class: 'problem small', id: `${id}-problem`, hidden: true })
  const reset = el(
    'button',
    {
      class: 'button button-small button-quiet',
      type: 'button',
      hidden: !isSet,
      'aria-label': `Reset ${label} to its default`,
      onclick: () => {
        setValue(input, standard)
        isReset = true
        reset.hidden = true
        input.focus()
      },
    },
    'Reset',
  )
  input.addEventListener('input', () => {
    isReset = false
    reset.hidden = readValue(input, standard) === standard
  })
  return {
    path,
    element: el(
      'div',
      { class: 'setting' },
      el(
        'div',
        { class: 'setting-name' },
        el('label', { class: 'field-label', for: id }, label),
        el('span', { class: 'dim small' }, ' ', defaultWords(standard, isSet)),
        problem,
      ),
      el('div', { class: 'setting-value' }, input, reset),
    ),
    changed() {
      const now = readValue(input, standard)
      if (isReset || (isSet && now === standard)) return null
      return now === value ? undefined : now
    },
    setProblem(message) {
      problem.textContent = message
      problem.hidden = message === ''
      input.setAttribute('aria-invalid', String(message !== ''))
      if (message) input.setAttribute('aria-describedby', problem.id)
      else input.removeAttribute('aria-describedby')
    },
  }
}

function defaultWords(standard: RuleValue, isSet: boolean): string {
  if (typeof standard === 'string') return isSet ? 'Changed' : 'Default'
  const words = typeof standard === 'boolean' ? (standard ? 'on' : 'off') : standard.toLocaleString('en')
  return `Default: ${words}`
}

type RuleInput = HTMLInputElement | HTMLTextAreaElement

function renderInput(value: RuleValue, id: string): RuleInput {
  if (typeof value === 'boolean')
    return el('input', { class: 'switch', type: 'checkbox', id, checked: value })
  if (typeof value === 'string') return el('textarea', { class: 'field', id, rows: 6 }, value)
  return el('input', { class: 'field', id, inputmode: 'decimal', autocomplete: 'off', value: String(value) })
}

function setValue(input: RuleInput, value: RuleValue): void {
  if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = value === true
  else input.value = String(value)
}

/** Of the type of its default; a number that is none stays a text, which the server refuses. */
function readValue(input: RuleInput, standard: RuleValue): RuleValue {
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked
  if (typeof standard === 'string') return input.value
  const number = input.value.trim() === '' ? Number.NaN : Number(input.value)
  return Number.isNaN(number) ? input.value : number
}
