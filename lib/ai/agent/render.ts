// How tools show texts of the Space and mail to the model: a line of facts, then the text in blocks that can be cited; and
// as sources of what the model does next.

import type { Effect } from '../../contract/events/effects.ts'
import { isRecord } from '../../core/record.ts'
import { cutAtWord } from '../../core/text/bounds.ts'
import { countTokens } from '../../core/text/count-tokens.ts'
import type { GivenSource } from '../../db/repos/turn_steps.ts'
import type { SearchResultBlock, TextBlock } from '../model.ts'
import type { MailFacts, ReadResult } from './services.ts'
import { formatSource } from './sources.ts'

type Blocks = (TextBlock | SearchResultBlock)[]

export function renderRead(result: ReadResult): Blocks {
  const { blocks: texts, block_lines: lines } = result
  const head = renderFacts(result)
  if (texts.length === 0) return [head]
  const source = formatSource({ ...result, ordinal: null })
  return [
    head,
    { ...toCitable({ source, title: result.title, texts }), lines },
    { type: 'text', text: pageOf(result) },
  ]
}

/** What is known of an entity besides its text, as JSON on one line. */
export function renderFacts(result: ReadResult): TextBlock {
  const facts = {
    kind: result.entity_type,
    id: result.entity_id,
    ...(result.version === null ? {} : { version: result.version }),
    ...shortFields(result.fields),
    lines: `${result.from_line}-${result.to_line} of ${result.total_lines}`,
    ...linkedFrom(result.backlinks),
  }
  return { type: 'text', text: JSON.stringify(facts) }
}

/** A run of lines of an entity as a passage, paragraph by paragraph; `null` for blank ones. */
export function renderLines(
  result: ReadResult,
  all: readonly string[],
  first: number,
): SearchResultBlock | null {
  const texts: string[] = []
  const lines: number[] = []
  for (const [at, text] of all.entries()) {
    if (text.trim() === '') continue
    if (at > 0 && all[at - 1]!.trim() !== '') texts[texts.length - 1] += `\n${text}`
    else {
      texts.push(text)
      lines.push(first + at)
    }
  }
  if (texts.length === 0) return null
  return {
    ...toCitable({ source: formatSource({ ...result, ordinal: null }), title: result.title, texts }),
    lines,
  }
}

/** Tokens of a page of text, beside its facts and its place. */
export const maxPageTokens = 1500

/** Tokens of the fields, so that a page stays below 2,000. */
const maxFieldTokens = 150
const maxFieldLength = 300
const maxBacklinks = 3

/** Fields as they are, long ones cut, those that do not fit left out; of an object, those of its fields, with their number. */
function shortFields(fields: Record<string, unknown>, room = maxFieldTokens): Record<string, unknown> {
  let left = room
  const fitting = Object.entries(fields).flatMap(([name, value]) => {
    const short =
      typeof value === 'string' && value.length > maxFieldLength
        ? `${value.slice(0, maxFieldLength).toWellFormed()}…`
        : value
    const cost = costOf({ [name]: short })
    if (cost > left) return isRecord(value) ? partOf(name, value) : []
    left -= cost
    return [[name, short] as const]
  })
  return Object.fromEntries(fitting)

  function partOf(name: string, value: Record<string, unknown>): (readonly [string, unknown])[] {
    const part = shortFields(value, left - moreTokens)
    const more = Object.keys(value).length - Object.keys(part).length
    left -= costOf({ [name]: part }) + moreTokens
    return [[name, part] as const, [`${name}_more`, more] as const]
  }
}

const costOf = (value: unknown) => countTokens(JSON.stringify(value))
/** Tokens of a name, and of the number of what is left out. */
const moreTokens = 20

function linkedFrom(backlinks: ReadResult['backlinks']) {
  if (backlinks.length === 0) return {}
  const more = backlinks.length - maxBacklinks
  const shown = backlinks
    .slice(0, maxBacklinks)
    .map(({ title, ...link }) => ({ ...link, title: cutAtWord(title, 60) }))
  return { linked_from: shown, ...(more > 0 ? { linked_from_more: more } : {}) }
}

const pageOf = ({ from_line, to_line, total_lines, cut }: ReadResult): string => {
  const lines = `lines ${from_line}–${to_line} of ${total_lines}`
  if (!cut) return `${lines}.`
  return to_line < total_lines
    ? `${lines}; continue with from_line ${to_line + 1}.`
    : `${lines}; the last line is cut. Search finds words in the rest of it.`
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
