import { markColors } from '../../../lib/contract/limits.ts'
import { type Child, el } from '../dom.ts'

type Color = (typeof markColors)[number]

/** One of the colours of companions and Spaces, by radio buttons; `mark` draws one. */
export function colorChoice(chosen: Color, groupName: string, mark: (color: Color) => Child) {
  const inputs = markColors.map((color) =>
    el('input', {
      type: 'radio',
      name: groupName,
      id: `${groupName}-${color}`,
      value: color,
      checked: color === chosen,
    }),
  )
  const choices = el(
    'div',
    { class: 'mark-colors' },
    markColors.map((color, index) =>
      el(
        'label',
        { class: 'check-line' },
        inputs[index],
        mark(color),
        `${color[0]!.toUpperCase()}${color.slice(1)}`,
      ),
    ),
  )
  const element = el('fieldset', {}, el('legend', { class: 'field-label' }, 'Color'), choices)
  return { element, choices, chosen: () => inputs.find((input) => input.checked)?.value ?? chosen }
}
