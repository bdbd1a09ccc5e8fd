// Cards of drafts that were never stored: what the pure half of the card is tested with.

import { noLimits } from '../../../lib/changes/card/fold-text.ts'
import { makeCard } from '../../../lib/changes/card/make-card.ts'
import { unknownProvenance } from '../../../lib/changes/grounding/provenance.ts'
import { canonicalJson, sha256 } from '../../../lib/changes/payload.ts'
import { noSurroundings, type Surroundings } from '../../../lib/changes/warnings/card-warnings.ts'
import type { Card } from '../../../lib/contract/changes/card.ts'
import type { PendingChange, PendingChangeWithCard } from '../../../lib/contract/changes/pending-change.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'

const spaceId = '01900000-0000-7000-8000-0000000000a1'
const entityId = '01900000-0000-7000-8000-0000000000b1'
const agentId = '01900000-0000-7000-8000-0000000000c1'

export type DraftOptions = {
  type?: string
  action?: PendingChange['action']
  row?: Record<string, unknown> | null
  payload?: Record<string, unknown>
  surroundings?: Partial<Surroundings>
  provenance?: PendingChange['provenance']
  references?: Record<string, string>
  whole?: boolean
  /** Of the draft and of what it is about. */
  id?: string
  entity_id?: string
}

/** The card of such a draft. */
export const draftCard = (options: DraftOptions): Card => draftedChange(options).card

export function draftedChange(options: DraftOptions): PendingChangeWithCard {
  const { type = 'page', action = 'update', payload = {}, row = {}, references = {}, whole = false } = options
  const stored = canonicalJson(payload)
  const change: PendingChange = {
    id: options.id ?? '01900000-0000-7000-8000-0000000000d1',
    space_id: spaceId,
    agent_id: agentId,
    conversation_id: null,
    turn_id: null,
    tool_use_id: null,
    changeset_id: '01900000-0000-7000-8000-0000000000e1',
    entity_type: type,
    entity_id: options.entity_id ?? entityId,
    action,
    payload,
    payload_sha256: sha256(stored),
    base_version: action === 'create' ? null : 1,
    reason: '',
    status: 'pending',
    created_at: '2031-04-01T08:00:00.000Z',
    decided_at: null,
    decided_by: null,
    decision: null,
    provenance: options.provenance ?? unknownProvenance,
    result_version: null,
    derivation: 'proposed',
    supersedes: null,
    superseded_by: null,
    conflicts: [],
    drops: [],
  }
  const card = makeCard({
    change,
    kind: kinds.get(type),
    row: action === 'create' || row === null ? null : { ...emptyRow, ...row },
    zone: 'Europe/Berlin',
    space: { id: spaceId, name: 'Skerry Light' },
    agent: { id: agentId, slug: 'scribe', name: 'Scribe', color: null },
    references,
    surroundings: { ...noSurroundings, ...options.surroundings },
    ...(whole ? { limits: noLimits } : {}),
  })
  return { ...change, card }
}

/** The card of a change of a page's text. */
export const textCard = (before: string, after: string, whole = false): Card =>
  draftCard({ row: { title: 'The lamp', body: before }, payload: { body: after }, whole })

const emptyRow: EntityRow = {
  id: entityId,
  space_id: spaceId,
  version: 1,
  created_at: '2031-01-01T08:00:00.000Z',
  updated_at: '2031-01-01T08:00:00.000Z',
  created_by: 'owner',
  updated_by: 'owner',
  origin: 'owner',
  deleted_at: null,
  title: 'The lamp',
  body: '',
}
