// Citations, checked. A citation counts as checked when its source was given to the model in this conversation's
// context and the cited words stand in that source's stored text. Both are looked up here; nothing is taken on trust.

import { parseSource, type Source } from '../ai/agent/sources.ts'
import type { ContentBlock, ModelMessage, TextCitation } from '../ai/model.ts'
import type { GivenText } from '../changes/given-texts.ts'
import type { Citation } from '../contract/events.ts'
import { holdsText } from '../text/holds-text.ts'
import { createReadingLog } from './reading-log.ts'

/** The stored text of a source; `null` when there is no such thing in the Space. */
export type FindSource = (source: Source) => Promise<{ title: string; text: string } | null>

export type CitationChecker = {
  /** Notes the sources in messages that the model is given. */
  admit(messages: readonly ModelMessage[]): void
  /** What the model has been given to read so far. */
  given(): GivenText[]
  /** The new citations of a message of the model, whose text begins at `offset` of the answer. */
  read(content: readonly ContentBlock[], offset: number): Promise<Citation[]>
}

/** `earlier` are the citations of the same answer that were read by an earlier attempt at it. */
export function createCitationChecker(
  findSource: FindSource,
  earlier: readonly Citation[] = [],
): CitationChecker {
  const reading = createReadingLog()
  const numbers = new Map(earlier.map((citation) => [keyOfEarlier(citation), citation.n]))

  return {
    admit: reading.admit,
    given: reading.list,

    async read(content, offset) {
      reading.admit([{ role: 'assistant', content: [...content] }])
      const found: Citation[] = []
      let position = offset
      for (const block of content) {
        if (block.type !== 'text' || !('text' in block)) continue
        const end = position + String(block.text).length
        for (const citation of citationsOf(block)) {
          const checked = await check(citation, { start: position, end })
          if (checked) found.push(checked)
        }
        position = end
      }
      return found
    },
  }

  async function check(
    citation: TextCitation,
    span: { start: number; end: number },
  ): Promise<Citation | null> {
    const source = parseSource(citation.source ?? '')
    if (!source) return null
    const stored = await findSource(source)
    const key = `${keyOf(source)}#${source.ordinal ?? ''}\n${citation.cited_text}`
    const n = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, n)

    return {
      n,
      kind: source.entity_type,
      id: source.entity_id,
      title: stored?.title ?? citation.title ?? '',
      cited_text: citation.cited_text,
      checked: reading.has(source) && stored !== null && holdsText(stored.text, citation.cited_text),
      ordinal: source.ordinal,
      ...span,
    }
  }
}

const keyOfEarlier = ({ kind, id, ordinal, cited_text }: Citation) =>
  `${kind}/${id}#${ordinal ?? ''}\n${cited_text}`

const keyOf = ({ entity_type, entity_id }: Source) => `${entity_type}/${entity_id}`

function citationsOf(block: ContentBlock): TextCitation[] {
  if (!('citations' in block) || !Array.isArray(block.citations)) return []
  return block.citations.filter((citation) => typeof citation?.cited_text === 'string')
}
