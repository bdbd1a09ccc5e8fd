// A newer draft for a thing that has one waiting from an earlier turn: both changes in one. Where both change the same
// words the newer one counts, and the card says what is left out.

import { findPastFields } from '../../content/writes/history.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../contract/entities/kind.ts'
import { textOf } from '../../contract/entities/kind.ts'
import { AppError } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { mergeInThread } from '../compare-drafts.ts'
import { type Edit, type Proposal, withEdits } from './proposal.ts'

type Fields = Record<string, unknown>
type Parts = { threads: TextThreads; kind: Kind; row: EntityRow; proposal: Proposal }

/** The fields of a proposed update with those that `waiting` would change besides. Throws as `applyEdits` does. */
export async function extendDraft(db: Queryable, parts: Parts, waiting: PendingChange): Promise<Fields> {
  const drafted = await rebase(db, parts, waiting)
  const { kind, row, proposal } = parts
  try {
    // Edits mostly name words of the draft, which the agent wrote itself.
    if (proposal.edits?.length) {
      const text = { ...row, ...drafted }
      const edits = atTheEnd(proposal.edits, textOf(row[kind.bodyField]), textOf(text[kind.bodyField]))
      return { ...drafted, ...withEdits(kind, text, { ...proposal, edits }) }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return await merge(parts, withEdits(kind, row, proposal), drafted)
}

/** What adds to the end of the stored text adds to the end of the draft, behind what that has there. */
function atTheEnd(edits: readonly Edit[], stored: string, drafted: string): Edit[] {
  const [ends, grown] = [stored.trimEnd(), drafted.trimEnd()]
  return edits.map((edit) => {
    const { old_text, new_text } = edit
    const isEnd = old_text !== '' && stored.indexOf(old_text) === ends.length - old_text.length
    const isAddition = isEnd && new_text.startsWith(old_text) && grown.startsWith(ends)
    if (edits.length > 1 || !isAddition) return edit
    return { old_text: grown, new_text: grown + new_text.slice(old_text.length) }
  })
}

/** What the waiting draft would change in the row as it is now. */
async function rebase(
  db: Queryable,
  parts: Parts,
  { payload, base_version }: PendingChange,
): Promise<Fields> {
  const { threads, kind, row } = parts
  if (base_version === null || base_version === row.version) return payload
  const fields = Object.keys(payload)
  const base = await findPastFields(db, kind, row, { version: base_version, fields })
  const input = { bodyField: kind.bodyField, base, current: row, payload }
  return (await mergeInThread(threads, input)).payload
}

async function merge(
  { threads, kind: { bodyField }, row }: Parts,
  wanted: Fields,
  drafted: Fields,
): Promise<Fields> {
  const merged = async (unit: Unit) => {
    const cut = (fields: Fields) =>
      bodyField in fields ? { ...fields, [bodyField]: unit.split(textOf(fields[bodyField])) } : fields
    const base = cut(row)
    const input = { bodyField, base, current: { ...base, ...cut(wanted) }, payload: cut(drafted) }
    const { payload, conflicts } = await mergeInThread(threads, input)
    const body = payload[bodyField]
    const fields = typeof body === 'string' ? { ...payload, [bodyField]: unit.join(body, wanted) } : payload
    return { fields: { ...wanted, ...fields }, isClean: conflicts.every(({ field }) => field !== bodyField) }
  }
  const byLine = await merged({ split: endLine, join: (text) => unendLine(text, bodyField, wanted, row) })
  if (byLine.isClean) return byLine.fields
  const byWord = await merged({
    split: (text) => endLine(text).replaceAll(' ', ` ${wordEnd}`),
    join: (text) => unendLine(text.replaceAll(wordEnd, ''), bodyField, wanted, row),
  })
  return byWord.isClean ? byWord.fields : byLine.fields
}

/** What is merged: lines, or words made lines. */
type Unit = { split(text: string): string; join(text: string, wanted: Fields): string }

/** Texts of a Space hold no such sign: it is cleaned out where they enter. */
const wordEnd = '\u0000\n'

/** A last line with and without its end is the same line. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function unendLine(text: string, bodyField: string, wanted: Fields, row: EntityRow): string {
  const like = textOf(wanted[bodyField] ?? row[bodyField])
  return like.endsWith('\n') ? text : text.replace(/\n$/, '')
}
