import type { EntityVersion, VersionDiff } from '../../../lib/contract/entities.ts'
import { fieldLabel } from '../../../lib/core/text/properties/field-label.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { visible } from '../../ui/components/visible.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { el } from '../../ui/dom.ts'
import { exactTime } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'

export type Comparable = { version: number; at: string }

/** The versions that can be compared. */
export const comparable = (versions: readonly Pick<EntityVersion, 'version' | 'at'>[]): Comparable[] =>
  versions.flatMap(({ version, at }) => (version === null ? [] : [{ version, at }]))

/** Two versions to choose, the newest first, and the differences. `path` is that of the entity. */
export function renderCompare(app: App, path: string, versions: readonly Comparable[]): HTMLElement | null {
  if (versions.length < 2) return null
  const result = el('div', { class: 'compare-result version-change', 'aria-live': 'polite' })
  const from = choice('compare-from', 'From', versions, 1)
  const to = choice('compare-to', 'To', versions, 0)
  return el(
    'form',
    { class: 'compare', onsubmit: compare },
    el('label', { class: 'field-label', for: 'compare-from' }, 'Version'),
    from,
    el('label', { class: 'field-label', for: 'compare-to' }, 'with'),
    to,
    el('button', { class: 'button button-small', type: 'submit', id: 'compare' }, 'Compare'),
    result,
  )

  async function compare(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      const query = withQuery(`${path}/history/diff`, { from: from.value, to: to.value })
      result.replaceChildren(...renderFields(await app.api.get<VersionDiff>(query)))
    } catch (error) {
      result.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
}

function choice(
  id: string,
  label: string,
  versions: readonly Comparable[],
  selected: number,
): HTMLSelectElement {
  return el(
    'select',
    { class: 'field', id, 'aria-label': `${label} version` },
    versions.map(({ version, at }, index) =>
      el('option', { value: String(version), selected: index === selected }, `${version} · ${exactTime(at)}`),
    ),
  )
}

function renderFields({ fields, from, to }: VersionDiff): HTMLElement[] {
  if (fields.length === 0) return [el('p', { class: 'dim' }, `Versions ${from} and ${to} are identical.`)]
  return fields.map(({ name, before, after }) =>
    el(
      'section',
      { class: 'compare-field' },
      el('h2', {}, fieldLabel(name)),
      [before, after].some(
        (value) => typeof value === 'string' && (value.includes('\n') || value.length > 160),
      )
        ? renderDiff(textOf(before), textOf(after), `compare-${name}`)
        : el(
            'p',
            {},
            el('del', {}, visible(textOf(before) || 'none')),
            ' → ',
            el('ins', {}, visible(textOf(after) || 'none')),
          ),
    ),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
