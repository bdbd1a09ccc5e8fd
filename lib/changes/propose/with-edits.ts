import type { Kind } from '../../entities/kind.ts'
import { textOf } from '../../entities/kind.ts'
import { invalid } from '../../errors.ts'
import { cleanText } from '../../text/clean.ts'
import { applyEdits } from './apply-edits.ts'
import type { Proposal } from './proposal.ts'

/** The fields that a proposal wants, its edits applied to the long text of `fields`. Throws as `applyEdits` does. */
export function withEdits(
  kind: Kind,
  fields: Record<string, unknown>,
  { payload = {}, edits }: Pick<Proposal, 'payload' | 'edits'>,
): Record<string, unknown> {
  if (!edits || edits.length === 0) return payload
  if (kind.bodyField in payload) throw invalid(`Give either edits or ${kind.bodyField}, not both.`)
  const cleaned = edits.map(({ old_text, new_text }) => ({ old_text, new_text: cleanText(new_text) }))
  return { ...payload, [kind.bodyField]: applyEdits(textOf(fields[kind.bodyField]), cleaned) }
}
