import type { PendingChange } from '../contract/card.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import { invalid } from '../errors.ts'
import { applyHunks, computeHunks } from './hunks.ts'

export type Parts = { chosen: Record<string, unknown>; rest: Record<string, unknown> }

/**
 * The payload of a draft in two: the chosen fields, of a long text the chosen hunks, and what remains to be reviewed
 * once those are applied. `rest` is empty when everything was chosen. Throws a 400 `AppError` for a field or hunk that
 * the draft does not have, or when nothing is chosen.
 */
export function splitPayload(
  kind: Kind,
  row: EntityRow | null,
  { payload }: PendingChange,
  { fields, hunks }: { fields: readonly string[]; hunks: Readonly<Record<string, readonly number[]>> },
): Parts {
  const unknown = [...fields, ...Object.keys(hunks)].find((name) => !Object.hasOwn(payload, name))
  if (unknown !== undefined) throw invalid(`The draft does not change ${unknown}.`)

  const parts: Parts = { chosen: {}, rest: {} }
  for (const [name, value] of Object.entries(payload)) {
    const wanted = hunks[name]
    if (!fields.includes(name)) parts.rest[name] = value
    else if (wanted === undefined) parts.chosen[name] = value
    else splitText(parts, { kind, name, before: textOf(row?.[name]), after: textOf(value), wanted })
  }
  if (Object.keys(parts.chosen).length === 0) {
    throw invalid('Nothing of the draft is chosen. Reject it, if nothing of it is wanted.')
  }
  return parts
}

type Text = { kind: Kind; name: string; before: string; after: string; wanted: readonly number[] }

function splitText(parts: Parts, { kind, name, before, after, wanted }: Text): void {
  if (name !== kind.bodyField) throw invalid(`${name} is no long text: choose it whole, or not.`)
  const count = computeHunks(before, after).length
  const outside = wanted.find((number) => number >= count)
  if (outside !== undefined)
    throw invalid(`${name} has ${count} hunks, numbered from 0; there is no ${outside}.`)

  const chosen = new Set(wanted)
  if (chosen.size > 0) parts.chosen[name] = applyHunks(before, after, chosen)
  if (chosen.size < count) parts.rest[name] = after
}
