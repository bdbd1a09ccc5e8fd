// How tools show texts of the Space and mail to the model: a line of facts, then the text in blocks that can be cited; and
// as sources of what the model does next.

import type { Effect } from '../../contract/events/effects.ts'
import type { GivenSource } from '../../db/repos/turn_steps.ts'
import type { SearchResultBlock, TextBlock } from '../model.ts'
import type { MailFacts, ReadResult } from './services.ts'
import { formatSource } from './sources.ts'

type Blocks = (TextBlock | SearchResultBlock)[]

export function renderRead(result: ReadResult): Blocks {
  const facts = {
    kind: result.entity_type,
    id: result.entity_id,
    ...(result.version === null ? {} : { version: result.version }),
    ...result.fields,
    lines: `${result.from_line}-${result.to_line} of ${result.total_lines}`,
    ...(result.cut ? { cut: `more lines follow: read again with from_line ${result.to_line + 1}` } : {}),
    ...(result.backlinks.length > 0 ? { linked_from: result.backlinks } : {}),
  }
  const head: TextBlock = { type: 'text', text: JSON.stringify(facts) }
  const texts = result.blocks.filter((block) => block.trim() !== '')
  if (texts.length === 0) return [head]
  return [head, toCitable({ source: formatSource({ ...result, ordinal: null }), title: result.title, texts })]
}

export const readSource = (
  { entity_type, entity_id, title }: ReadResult,
  given_by: GivenSource['given_by'],
): GivenSource => ({ entity_type, entity_id, title, given_by })

/** Updates a panel that shows an older version of a text than the one that was read. */
export const refreshPanel = (
  { entity_type: kind, entity_id: id, title, version }: ReadResult,
  { space_id }: { space_id: string },
): Effect[] =>
  version === null ? [] : [{ type: 'updateContent', panel: { space_id, kind, id, title }, version }]

type RenderedMail = {
  facts: Pick<MailFacts, 'id' | 'subject'> & Record<string, unknown>
  /** Default: the subject. */
  title?: string
  ordinal: number | null
  blocks: readonly string[]
}

/** The facts, too, are what the message says of itself. */
export function renderMail({ facts, title, ordinal, blocks }: RenderedMail): Blocks {
  const { id, subject } = facts
  const source = formatSource({ entity_type: 'mail_message', entity_id: id, ordinal })
  const texts = blocks.filter((block) => block.trim() !== '')
  return [
    { type: 'text', text: JSON.stringify(facts) },
    toCitable({ source, title: title ?? subject, texts: texts.length > 0 ? texts : ['(empty)'] }),
  ]
}

export const mailSource = (
  { id, subject }: Pick<MailFacts, 'id' | 'subject'>,
  given_by: GivenSource['given_by'],
): GivenSource => ({ entity_type: 'mail_message', entity_id: id, title: subject, given_by })

type Citable = { source: string; title: string; texts: readonly string[] }

const toCitable = ({ source, title, texts }: Citable): SearchResultBlock => ({
  type: 'search_result',
  source,
  title,
  content: texts.map((text) => ({ type: 'text', text })),
  citations: { enabled: true },
})
