import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type EntityRow, type Kind, textOf } from '../../contract/entities/kind.ts'
import { invalid } from '../../core/errors.ts'
import { hasMark, restorePictures, shortenPictures } from '../../core/text/data-pictures.ts'
import type { Queryable } from '../../db/pool.ts'
import type { Given } from '../grounding/provenance.ts'
import { applyEdits, type Edit } from './apply-edits.ts'
import { writeFrontMatter } from './front-matter.ts'

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
  /** Changes of the long text, in place of the whole of it. */
  edits?: readonly Edit[] | undefined
  /** A draft of the agent's own that this one revises: what it does not mention stays as drafted there. */
  supersedes?: string | undefined
  /** Plain text for the owner. */
  reason: string
  turn: { id: string; conversation_id: string } | null
  /** Content given to the agent. Default: unknown. */
  given?: Given | undefined
  /** The Space in which that was read. Default: that of the draft. */
  read_in?: string | undefined
  /** Changeset of a draft made outside of a turn. Default: one of its own. */
  changeset_id?: string | undefined
  /** Also what the owner has rejected before is asked again. Default: outside of a turn it is not. */
  repeats?: boolean | undefined
  /** With the turn, names the call: the same call stores one draft. */
  tool_use_id: string | null
  /** Refuses a draft with an `AppError`, in the transaction that would store it. Default: none is refused. */
  admit?: AdmitDraft | undefined
  /** The memory page, whose drafts come from `proposeMemory` alone. Default: another page, or another kind. */
  memory?: { page_id: string } | undefined
}

/** A draft that is about to be stored, and what it would change; null for what is new. */
export type DraftToAdmit = Pick<
  PendingChange,
  'space_id' | 'entity_type' | 'entity_id' | 'action' | 'payload'
> & { kind: Kind; row: EntityRow | null }

export type AdmitDraft = (tx: Queryable, draft: DraftToAdmit) => Promise<void>

/**
 * The fields that a proposal wants, its edits applied to the long text of `fields`, and what belongs into front matter
 * written there. An agent reads the text without the bytes of its pictures: where it names one, these come back. Throws as
 * `applyEdits` and `writeFrontMatter` do, and a 400 `AppError` for a picture that the text does not have.
 */
export function withEdits(
  kind: Kind,
  fields: Record<string, unknown>,
  { payload = {}, edits }: Pick<Proposal, 'payload' | 'edits'>,
): Record<string, unknown> {
  const { bodyField } = kind
  const original = textOf(fields[bodyField])
  const restore = (text: string): string => {
    const restored = restorePictures(text, original)
    if (hasMark(restored))
      throw invalid(
        `${bodyField}: names a picture that this text does not have. Link to the page that has it.`,
      )
    return restored
  }
  if (!edits || edits.length === 0) {
    const { [bodyField]: text } = payload
    return writeFrontMatter(
      kind,
      fields,
      typeof text === 'string' ? { ...payload, [bodyField]: restore(text) } : payload,
    )
  }
  if (bodyField in payload) throw invalid(`Send either edits or ${bodyField}, not both.`)
  const text = restore(applyEdits(shortenPictures(original), edits.map(asRead)))
  return writeFrontMatter(kind, fields, { ...payload, [bodyField]: text })
}

const asRead = (one: Edit): Edit =>
  'old_text' in one ? { ...one, old_text: shortenPictures(one.old_text) } : one
