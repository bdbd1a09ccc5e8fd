import type { Conflict, Side } from '../../../../lib/contract/changes/decision.ts'
import { tooComplex } from '../../../ui/components/too-complex.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'

/** The conflicts of a merge, each with its versions: the owner chooses one of each before the draft can be approved. */
export function renderConflicts(conflicts: readonly Conflict[], id: string): Child {
  return conflicts.map((conflict) =>
    el(
      'fieldset',
      { class: 'card-conflict' },
      el(
        'legend',
        {},
        `Changed on both sides${conflict.at === null ? `: ${conflict.field.replaceAll('_', ' ')}` : ''}`,
      ),
      conflict.too_complex && tooComplex('The change', 'Its text is shown as it is.'),
      option(conflict, 'current', 'Keep current version'),
      option(conflict, 'draft', 'Use draft version'),
      el(
        'details',
        { class: 'card-more', id: `${id}-base-${conflict.index}` },
        el('summary', {}, 'Original version'),
        el('pre', { dir: 'auto' }, visible(textOf(conflict.base))),
      ),
    ),
  )

  function option(conflict: Conflict, side: Side, label: string): HTMLElement {
    const name = `${id}-side-${conflict.index}`
    return el(
      'label',
      { class: 'card-side' },
      el('input', {
        type: 'radio',
        name,
        id: `${name}-${side}`,
        value: side,
        'data-conflict': conflict.index,
      }),
      el('span', {}, label, el('pre', { dir: 'auto' }, visible(textOf(conflict[side])))),
    )
  }
}

/** The sides chosen so far, by the index of the conflict. */
export function chosenSides(card: Element): Record<string, Side> {
  const chosen = [...card.querySelectorAll<HTMLInputElement>('input[data-conflict]:checked')]
  return Object.fromEntries(
    chosen.map(({ dataset, value }) => [dataset.conflict ?? '', value === 'draft' ? 'draft' : 'current']),
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
