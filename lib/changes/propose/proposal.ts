import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type Kind, textOf } from '../../contract/entities/kind.ts'
import { invalid } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Given } from '../grounding/provenance.ts'

/** What an agent asks for: a draft that is yet to be checked and stored. */
export type Proposal = {
  space_id: string
  entity_type: string
  action: PendingChange['action']
  /** Of what exists already; a create gets one. */
  entity_id?: string | undefined
  /** Version the agent saw. Default: the current one. */
  version?: number | undefined
  payload?: Record<string, unknown> | undefined
  /** Replacements in the long text, in place of the whole of it. */
  edits?: readonly Edit[] | undefined
  /** A draft of the agent's own that this one revises: what it does not mention stays as drafted there. */
  supersedes?: string | undefined
  /** Plain text for the owner. */
  reason: string
  turn: { id: string; conversation_id: string } | null
  /** Content given to the agent. Default: unknown. */
  given?: Given | undefined
  /** With the turn, names the call: the same call stores one draft. */
  tool_use_id: string | null
}

export type Edit = { old_text: string; new_text: string }

/** The fields that a proposal wants, its edits applied to the long text of `fields`. Throws as `applyEdits` does. */
export function withEdits(
  kind: Kind,
  fields: Record<string, unknown>,
  { payload = {}, edits }: Pick<Proposal, 'payload' | 'edits'>,
): Record<string, unknown> {
  if (!edits || edits.length === 0) return payload
  if (kind.bodyField in payload) throw invalid(`Send either edits or ${kind.bodyField}, not both.`)
  const cleaned = edits.map(({ old_text, new_text }) => ({ old_text, new_text: cleanText(new_text) }))
  return { ...payload, [kind.bodyField]: applyEdits(textOf(fields[kind.bodyField]), cleaned) }
}

/**
 * `text` with each edit's `old_text` replaced, one after the other. Throws a 400 `AppError` that the model can mend
 * when an `old_text` does not occur in the text exactly once.
 */
function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, { old_text, new_text }, index) => {
    const first = current.indexOf(old_text)
    if (first === -1) {
      throw invalid(
        `edits[${index}]: old_text was not found in the text. Read the text again and copy it exactly, including line breaks.`,
      )
    }
    if (current.indexOf(old_text, first + 1) !== -1) {
      throw invalid(
        `edits[${index}]: old_text was found more than once in the text. Include more of the surrounding lines, so that it is unique.`,
      )
    }
    return current.slice(0, first) + new_text + current.slice(first + old_text.length)
  }, text)
}
