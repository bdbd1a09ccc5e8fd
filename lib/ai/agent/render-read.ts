import type { GivenSource } from '../../db/repos/step_row.ts'
import type { SearchResultBlock, TextBlock } from '../model.ts'
import type { ReadResult } from './services.ts'
import { formatSource } from './sources.ts'

/** A text that was read, as a source of what the model does next. */
export const readSource = (
  { entity_type, entity_id, title }: ReadResult,
  given_by: GivenSource['given_by'],
): GivenSource => ({ entity_type, entity_id, title, given_by })

/** What the model is given of a text that was read: a line of facts, then the text in blocks that can be cited. */
export function renderRead(result: ReadResult): (TextBlock | SearchResultBlock)[] {
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
  const blocks = result.blocks.filter((block) => block.trim() !== '')
  if (blocks.length === 0) return [head]

  return [
    head,
    {
      type: 'search_result',
      source: formatSource({ ...result, ordinal: null }),
      title: result.title,
      content: blocks.map((text) => ({ type: 'text', text })),
      citations: { enabled: true },
    },
  ]
}
