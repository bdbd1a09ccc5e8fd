// Citations, checked. A citation counts as checked when a tool returned its words in this turn, as a passage of the
// source that it names, and that source is still there. Words in quotation marks that carry no citation are looked up
// in the same texts. Nothing is taken on trust.

import { parseSource, type Source } from '../../ai/agent/sources.ts'
import { isText } from '../../ai/history/normalize-response.ts'
import type { ContentBlock, ModelMessage, TextCitation } from '../../ai/model.ts'
import { findQuotes } from '../../changes/grounding/find-quotes.ts'
import type { Given, GivenText } from '../../changes/grounding/provenance.ts'
import type { Citation } from '../../contract/events/events.ts'
import { createReadingLog, type DeclaredSources } from './reading-log.ts'

/** Characters of the answer, from 0; `end` exclusive. */
type Span = { start: number; end: number }

/** Quotations of one message that are looked at. */
const maxQuotes = 40

/** The stored text of a source; `null` when there is no such thing in the Space. */
export type FindSource = (source: Source) => Promise<{ title: string; text: string } | null>

export type CitationChecker = {
  /** Records the sources in messages that the model is given, as `ReadingLog` does. */
  admit(messages: readonly ModelMessage[], declared: DeclaredSources, from: 'history' | 'turn'): void
  /** Records sources whose words the messages repeat, as `ReadingLog` does. */
  admitOutside(sources: readonly GivenText[], composed: readonly string[]): void
  /** What the model has been given to read so far. */
  given(): Given
  /** The new citations of a message of the model, whose text begins at `offset` of the answer. */
  read(content: readonly ContentBlock[], offset: number): Promise<Citation[]>
}

/** `earlier` are the citations of the same answer that were read by an earlier attempt at it. */
export function createCitationChecker(
  findSource: FindSource,
  earlier: readonly Citation[] = [],
): CitationChecker {
  const reading = createReadingLog()
  const numbers = new Map(earlier.map((citation) => [citationKey(citation), citation.n]))

  return {
    admit: reading.admit,
    admitOutside: reading.admitOutside,
    given: reading.list,

    async read(content, offset) {
      reading.admit([{ role: 'assistant', content: [...content] }], new Map(), 'turn')
      const found: Citation[] = []
      let position = offset
      for (const block of content.filter(isText)) {
        const end = position + block.text.length
        for (const citation of block.citations ?? []) {
          const checked = await check(citation, { start: position, end })
          if (checked) found.push(checked)
        }
        position = end
      }
      for (const { text, ...span } of findAnswerQuotes(content, offset)) {
        if (!reading.isName(text)) found.push(await checkQuote(text, span))
      }
      return found
    },
  }

  async function check(citation: TextCitation, span: Span): Promise<Citation | null> {
    const { cited_text } = citation
    const source = parseSource(citation.source ?? '')
    if (!source) return null
    const stored = await findSource(source)
    const isThere = stored !== null && squeeze(stored.text).includes(squeeze(cited_text))
    return numbered({
      kind: source.entity_type,
      id: source.entity_id,
      title: stored?.title ?? citation.title ?? '',
      cited_text,
      checked: isThere && reading.evidence.holds(source, cited_text),
      ordinal: source.ordinal,
      ...span,
    })
  }

  async function checkQuote(cited_text: string, span: Span): Promise<Citation> {
    const source = reading.evidence.find(cited_text)
    const stored = source && (await findSource(source))
    if (!stored) {
      return numbered({
        kind: 'quotation',
        id: null,
        title: '',
        cited_text,
        checked: false,
        ordinal: null,
        ...span,
      })
    }
    const { entity_type: kind, entity_id: id, ordinal } = source
    return numbered({ kind, id, title: stored.title, cited_text, checked: true, ordinal, ...span })
  }

  function numbered(citation: Omit<Citation, 'n'>): Citation {
    const key = citationKey(citation)
    const n = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, n)
    return { n, ...citation }
  }
}

/** The quotations in a message of the model that no citation supports; its text begins at `offset` of the answer. */
function findAnswerQuotes(content: readonly ContentBlock[], offset: number): ({ text: string } & Span)[] {
  const blocks = content.filter(isText)
  const text = blocks.map((block) => block.text).join('')
  const cited: Span[] = []
  let position = 0
  for (const block of blocks) {
    const span = { start: position, end: position + block.text.length }
    if (block.citations?.length) cited.push(span)
    position = span.end
  }
  return findQuotes(text)
    .filter(({ start, end }) => !cited.some((span) => span.start < end && start < span.end))
    .slice(0, maxQuotes)
    .map((quote) => ({ text: quote.text, start: offset + quote.start, end: offset + quote.end }))
}

/** The evidence is compared word by word; this only says whether it was changed since. */
const squeeze = (text: string): string => text.replace(/\s+/gu, '')

const citationKey = ({ kind, id, ordinal, cited_text }: Omit<Citation, 'n'>) =>
  `${kind}/${id}#${ordinal ?? ''}\n${cited_text}`
