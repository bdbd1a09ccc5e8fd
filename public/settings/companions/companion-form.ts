import type { Agent, OfferedTool } from '../../../lib/contract/agents.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { firstCompanion, maxCompanionName, maxInstructions } from '../../../lib/contract/limits.ts'
import type { ModelList, ThinkingLevel } from '../../../lib/contract/model.ts'
import { messageOf } from '../../app/api/api.ts'
import { colorChoice } from '../../ui/components/color-choice.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { el } from '../../ui/dom.ts'
import { renderModelField } from '../parts/model-field.ts'
import { fieldRow, groupRow } from '../parts/setting.ts'

/** What a companion can be given. */
export type CompanionChoices = { tools: OfferedTool[]; spaces: Space[]; models: ModelList }

export type CompanionFormOptions = {
  /** `null`: a new one. */
  companion: Agent | null
  choices: CompanionChoices
  /** Of the button. */
  label: string
  /** Gets the fields as the API takes them. Its failure is shown in the form. */
  onSave: (fields: Record<string, unknown>) => Promise<void>
}

/** The form for a companion, new or existing. The built-in one keeps its name, its permissions and all Spaces. */
export function renderCompanionForm({
  companion,
  choices,
  label,
  onSave,
}: CompanionFormOptions): HTMLFormElement {
  const { tools, spaces, models } = choices
  const key = companion?.id ?? 'new'
  const id = (field: string) => `companion-${key}-${field}`
  const builtIn = companion?.slug === firstCompanion
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const name = renderName(companion?.name ?? '', id('name'))
  const instructions = renderInstructions(companion?.instructions ?? '', id('instructions'))
  const tier = renderTier(companion?.capabilities.suggest !== false, id('tier'))
  const model = renderModelField(models, {
    id: id('model'),
    label: 'Model',
    value: companion?.model ?? '',
    placeholder: `Default (${models.configured})`,
  })
  const thinking = renderThinking(companion?.thinking ?? 'auto', id('thinking'))
  const toolChecks = tools.map((tool) =>
    renderCheck(
      { value: tool.name, id: id(tool.name) },
      tool.title,
      companion?.tools?.includes(tool.name) ?? true,
    ),
  )
  const spaceChecks = spaces.map((space) =>
    renderCheck(
      { value: space.id, id: id(space.id) },
      space.name,
      companion?.scopes.spaces?.includes(space.id) ?? false,
    ),
  )
  const colors = colorChoice(companion?.color ?? 'violet', id('color'), (color) => renderMark({ color }))

  return el(
    'form',
    { class: 'stack', onsubmit: save },
    !builtIn && [fieldRow('Name', name), fieldRow('Permissions', tier)],
    model.element,
    fieldRow('Thinking', thinking),
    fieldRow('Instructions', instructions),
    groupRow(
      'Tools',
      toolChecks.map(({ element }) => element),
    ),
    !builtIn &&
      groupRow(
        'Spaces',
        spaceChecks.map(({ element }) => element),
        'Empty: all, including future',
      ),
    groupRow('Color', colors.choices),
    problem,
    el('div', { class: 'row' }, el('button', { class: 'button button-primary', type: 'submit' }, label)),
  )

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const chosenTools = chosenOf(toolChecks)
    const chosenSpaces = chosenOf(spaceChecks)
    problem.hidden = true
    try {
      await onSave({
        instructions: instructions.value,
        model: model.input.value.trim() || null,
        thinking: thinking.value,
        tools: chosenTools.length === tools.length ? null : chosenTools,
        color: colors.chosen(),
        ...(!builtIn && {
          name: name.value.trim(),
          tier: tier.value,
          spaces: chosenSpaces.length > 0 ? chosenSpaces : null,
        }),
      })
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

const renderInstructions = (value: string, id: string): HTMLTextAreaElement =>
  el(
    'textarea',
    { class: 'field', id, maxlength: maxInstructions, placeholder: 'Purpose and writing style' },
    value,
  )

const renderTier = (suggests: boolean, id: string): HTMLSelectElement =>
  el(
    'select',
    { class: 'field', id },
    el('option', { value: 'suggest', selected: suggests }, 'Read and draft'),
    el('option', { value: 'read', selected: !suggests }, 'Read only'),
  )

const renderThinking = (value: ThinkingLevel, id: string): HTMLSelectElement =>
  el(
    'select',
    { class: 'field', id },
    levels.map(([level, label]) => el('option', { value: level, selected: level === value }, label)),
  )

const levels: readonly [ThinkingLevel, string][] = [
  ['auto', 'Auto'],
  ['off', 'Off'],
  ['low', 'Low effort'],
  ['medium', 'Medium effort'],
  ['high', 'High effort'],
]

const renderName = (value: string, id: string): HTMLInputElement =>
  el('input', {
    class: 'field',
    id,
    required: true,
    maxlength: maxCompanionName,
    autocomplete: 'off',
    placeholder: 'Editor',
    value,
  })

type Check = { input: HTMLInputElement; element: HTMLElement }

function renderCheck(attributes: { value: string; id: string }, label: string, checked: boolean): Check {
  const input = el('input', { type: 'checkbox', ...attributes, checked })
  return { input, element: el('label', { class: 'check-line' }, input, label) }
}

const chosenOf = (checks: readonly Check[]) =>
  checks.filter(({ input }) => input.checked).map(({ input }) => input.value)
