// What is wrong with a call of `propose_change`, before anything is looked up: fields of the kind, and what its action needs.

import { type Correction, correctFields } from '../../contract/correct-fields.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { proposalFields } from '../../contract/entities/kind.ts'
import { isRecord } from '../../core/record.ts'

type Args = Record<string, unknown>

/** What people and models call the kinds. */
export const kindNames: Readonly<Record<string, string>> = {
  note: 'page',
  todo: 'task',
  to_do: 'task',
  reference: 'ref',
  bookmark: 'ref',
  link: 'ref',
  file: 'source_doc',
  document: 'source_doc',
  mail: 'reply',
  email: 'reply',
}

/** What models call the arguments that name one entity. */
export const entityNames: Readonly<Record<string, string>> = {
  ...{ type: 'kind', entity_type: 'kind', entity_id: 'id', page_id: 'id' },
  ...{ uri: 'id', url: 'id', source: 'id', page: 'path', title: 'path' },
}

/** What models call the words to search for. */
export const searchNames: Readonly<Record<string, string>> = {
  ...{ query: 'q', search: 'q', search_query: 'q', search_term: 'q', term: 'q', terms: 'q', phrase: 'q' },
  ...{ text: 'q', words: 'q', keyword: 'q', keywords: 'q', question: 'q' },
}

const fieldNames: Readonly<Record<string, string>> = {
  ...{ name: 'title', heading: 'title', subject: 'title' },
  ...{ content: 'body', text: 'body', markdown: 'body', description: 'body', notes: 'body' },
  ...{
    due: 'due_on',
    due_date: 'due_on',
    deadline: 'due_on',
    reminder: 'remind_at',
    repeat: 'recurrence',
    rrule: 'recurrence',
  },
  ...{
    project: 'project_id',
    parent: 'parent_id',
    link: 'url',
    href: 'url',
    state: 'status',
    mime_type: 'mime',
    tag: 'tags',
  },
  ...{
    frontmatter: 'properties',
    front_matter: 'properties',
    metadata: 'properties',
    reply_all: 'all',
    mail_id: 'message_id',
  },
}

const fieldValues: Readonly<Record<string, string>> = {
  ...{
    completed: 'done',
    complete: 'done',
    finished: 'done',
    closed: 'done',
    todo: 'open',
    doing: 'in_progress',
  },
  ...{ canceled: 'cancelled', medium: 'normal', critical: 'urgent', paused: 'on_hold' },
}

/** The arguments are those of a call whose names have been read; values of any type. */
export function checkProposal(
  kinds: readonly Kind[],
  args: Args,
  { space_id }: { space_id: string },
): Correction {
  const kind = kinds.find(({ type }) => type === args.entity_type)
  if (!kind) return { problems: [], corrected: null }
  const { problems: needs, corrected } = checkAction(kind, args)
  if (!isRecord(args.payload)) return { problems: needs, corrected }
  const { space_id: named, ...payload } = args.payload
  const place = isSpace(named, space_id) ? [] : [`payload.space_id: ${otherSpace(space_id)}`]
  if (args.action === 'delete' || args.action === 'retract')
    return { problems: [...needs, ...place], corrected: corrected && { ...corrected, payload } }

  const { fields, required } = proposalFields(kind)
  const isWhole = args.action === 'create' && args.supersedes === undefined
  const optional = fields.partial()
  const shape = isWhole
    ? optional.extend(Object.fromEntries(required.map((name) => [name, fields.shape[name]!])))
    : optional
  const found = correctFields(shape, payload, {
    at: 'payload',
    names: { ...fieldNames, ...(kind.bodyField === 'text' ? { body: 'text', content: 'text' } : {}) },
    values: fieldValues,
    refused: Object.fromEntries(kind.reserved.map((name) => [name, 'cannot be set by an agent.'])),
  })
  const problems = [...needs, ...place, ...found.problems]
  const isCorrected = corrected !== null && found.corrected !== null
  return { problems, corrected: isCorrected ? { ...corrected, payload: found.corrected } : null }
}

/** Whether the Space that a call names is its own; `null` names none. */
export const isSpace = (named: unknown, space_id: string): boolean =>
  named === undefined ||
  named === null ||
  (typeof named === 'string' && named.toLowerCase() === space_id.toLowerCase())

export const otherSpace = (space_id: string) =>
  `this call is in the Space ${space_id}; leave space_id out. Another Space takes a call there.`

/** What the action needs besides a payload that fits. */
function checkAction(kind: Kind, args: Args): Correction {
  const { action, entity_id, supersedes, payload, edits } = args
  const hasEdits = edits !== undefined && !(Array.isArray(edits) && edits.length === 0)
  const isEmpty = isRecord(payload) && Object.keys(payload).length === 0
  const problems: string[] = []
  if (action === 'create' && payload === undefined && supersedes === undefined)
    problems.push(`payload: is missing. A create takes the fields of the ${kind.type} as payload.`)
  if ((action === 'update' || action === 'delete') && entity_id === undefined && supersedes === undefined)
    problems.push(
      `entity_id: is missing. It is the id of the ${kind.type} to ${action}, from search, list or read.`,
    )
  if (action === 'update' && (payload === undefined || isEmpty) && !hasEdits)
    problems.push(
      `payload: is ${isEmpty ? 'empty' : 'missing'}. An update takes the changed fields as payload, or edits.`,
    )
  if (action === 'create' && hasEdits && supersedes === undefined)
    problems.push(`edits: a create takes none. Send the whole text as payload.${kind.bodyField}.`)
  if (hasEdits && isRecord(payload) && kind.bodyField in payload)
    problems.push(`edits: send either edits or payload.${kind.bodyField}, not both.`)
  if (action === 'retract' && supersedes === undefined)
    problems.push('supersedes: is missing. It is the pending_change_id of your draft.')
  return { problems, corrected: problems.length === 0 ? args : null }
}
