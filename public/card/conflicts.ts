import type { Conflict, Side } from '../../lib/contract/decision.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

/** Places that were changed on both sides: the owner chooses one side of each before anything can be approved. */
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
      option(conflict, 'current', 'Keep what stands there now'),
      option(conflict, 'draft', 'Take the draft’s'),
      el(
        'details',
        { class: 'card-more', id: `${id}-base-${conflict.index}` },
        el('summary', {}, 'As it was before both'),
        el('pre', { dir: 'auto' }, visible(say(conflict.base))),
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
      el('span', {}, label, el('pre', { dir: 'auto' }, visible(say(conflict[side])))),
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

function say(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(nothing)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
