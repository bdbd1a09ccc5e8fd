import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import { conflict, invalid } from '../errors.ts'
import { applyHunks, computeHunks } from '../text/diff/hunks.ts'

/** The chosen hunks of a text applied to it, and how many hunks there are; `null`: too complex to compare. */
export type ChooseHunks = (input: HunkChoice) => Promise<{ count: number; text: string } | null>

type HunkChoice = { before: string; after: string; wanted: readonly number[] }

export function chooseHunks({ before, after, wanted }: HunkChoice): { count: number; text: string } {
  const count = computeHunks(before, after).length
  return { count, text: applyHunks(before, after, new Set(wanted)) }
}

type PartsChoice = {
  fields: readonly string[]
  hunks: Readonly<Record<string, readonly number[]>>
  choose: ChooseHunks
}

export type Parts = { chosen: Record<string, unknown>; rest: Record<string, unknown> }

/**
 * The payload of a draft in two: the chosen fields, of a long text the chosen hunks, and what remains to be reviewed
 * once those are applied. `rest` is empty when everything was chosen. Throws a 400 `AppError` for a field or hunk that
 * the draft does not have, or when nothing is chosen; 409 `too_complex` for hunks of a text that cannot be compared.
 */
export async function splitPayload(
  kind: Kind,
  row: EntityRow | null,
  { payload }: PendingChange,
  { fields, hunks, choose }: PartsChoice,
): Promise<Parts> {
  const unknown = [...fields, ...Object.keys(hunks)].find((name) => !Object.hasOwn(payload, name))
  if (unknown !== undefined) throw invalid(`The draft does not change ${unknown}.`)

  const parts: Parts = { chosen: {}, rest: {} }
  for (const [name, value] of Object.entries(payload)) {
    const wanted = hunks[name]
    if (!fields.includes(name)) parts.rest[name] = value
    else if (wanted === undefined) parts.chosen[name] = value
    else {
      const sides = { before: textOf(row?.[name]), after: textOf(value) }
      await splitText(parts, choose, { kind, name, ...sides, wanted })
    }
  }
  if (Object.keys(parts.chosen).length === 0) {
    throw invalid('No parts selected. Select at least one, or reject the draft.')
  }
  return parts
}

const tooComplex = (name: string) =>
  conflict(
    'too_complex',
    `The change of ${name} is too complex to be approved in part. Approve all of it, edit it, or reject it.`,
  )

type Text = { kind: Kind; name: string; before: string; after: string; wanted: readonly number[] }

async function splitText(
  parts: Parts,
  choose: ChooseHunks,
  { kind, name, before, after, wanted }: Text,
): Promise<void> {
  if (name !== kind.bodyField) throw invalid(`${name} is not a long text: select it as a whole.`)
  const applied = await choose({ before, after, wanted })
  if (!applied) throw tooComplex(name)
  const { count, text } = applied
  const outside = wanted.find((number) => number >= count)
  if (outside !== undefined)
    throw invalid(`${name} has ${count} hunks, numbered from 0. Unknown hunk: ${outside}.`)

  const chosen = new Set(wanted)
  if (chosen.size > 0) parts.chosen[name] = text
  if (chosen.size < count) parts.rest[name] = after
}
