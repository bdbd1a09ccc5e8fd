import type { Space, SpaceInstructions } from '../../../lib/contract/entities.ts'
import { maxSpaceInstructions } from '../../../lib/contract/limits.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { colorChoice } from '../../ui/components/color-choice.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { spaceMark } from '../../ui/components/marks.ts'
import { el } from '../../ui/dom.ts'

/** Edits a Space's name, its description, its mark and what its companions are told. */
export async function showSpaceDialog(app: App, space: Space, refresh: () => Promise<void>): Promise<void> {
  try {
    const instructions = await app.api.get<SpaceInstructions>(`/api/spaces/${space.id}/instructions`)
    openDialog(app, space, instructions, refresh)
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

const instructionsHint =
  'Given to every companion that answers in this Space with a language model, in addition to its own. Other agents ' +
  'cannot see or change them.'

function openDialog(
  app: App,
  space: Space,
  { instructions, version }: SpaceInstructions,
  refresh: () => Promise<void>,
): void {
  const name = el('input', {
    class: 'field',
    id: 'space-name',
    value: space.name,
    maxlength: 200,
    required: true,
  })
  const about = el('input', { class: 'field', id: 'space-about', value: space.description, maxlength: 2000 })
  const instructionsField = el(
    'textarea',
    {
      class: 'field',
      id: 'space-instructions',
      rows: 6,
      maxlength: maxSpaceInstructions,
      placeholder: 'Such as: Answer in Italian. Dates as DD.MM.YYYY.',
      'aria-describedby': 'space-instructions-hint',
    },
    instructions,
  )
  const colors = colorChoice(space.color, 'space-color', (color) => spaceMark({ ...space, color }))
  const emoji = emojiField(space.emoji)
  const lineBreaks = el('input', {
    type: 'checkbox',
    id: 'space-line-breaks',
    checked: space.line_breaks === true,
  })
  const problem = el('p', { class: 'problem', role: 'alert' })
  const dialog = showDialog(
    { title: `Edit ${space.name}`, name: 'space' },
    el(
      'form',
      { class: 'stack', onsubmit: submit },
      el('label', { class: 'field-label', for: 'space-name' }, 'Name'),
      name,
      el('label', { class: 'field-label', for: 'space-about' }, 'Description'),
      about,
      colors.element,
      el('label', { class: 'field-label', for: 'space-emoji' }, 'Emoji'),
      emoji,
      el('p', { class: 'dim small', id: 'space-emoji-hint' }, 'Shown in place of the first letter.'),
      el(
        'label',
        { class: 'row' },
        lineBreaks,
        'Show single line breaks as breaks, as Obsidian and Logseq do',
      ),
      el('label', { class: 'field-label', for: 'space-instructions' }, 'Instructions for its companions'),
      instructionsField,
      el('p', { class: 'dim small', id: 'space-instructions-hint' }, instructionsHint),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Save'),
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      ),
    ),
  )

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = {
      name: name.value,
      description: about.value,
      color: colors.chosen(),
      emoji: emoji.value.trim(),
      line_breaks: lineBreaks.checked,
      instructions: instructionsField.value,
      version,
    }
    try {
      await app.api.patch(`/api/spaces/${space.id}`, fields)
      dialog.close()
      await refresh()
    } catch (error) {
      problem.replaceChildren(messageOf(error))
    }
  }
}

const emojiField = (value: string): HTMLInputElement =>
  el('input', {
    class: 'field space-emoji-field',
    id: 'space-emoji',
    value,
    maxlength: 16,
    autocomplete: 'off',
    placeholder: 'None',
    'aria-describedby': 'space-emoji-hint',
  })
