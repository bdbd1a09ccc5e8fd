import type { GivenSource } from '../../db/repos/step_row.ts'
import type { SearchResultBlock, TextBlock } from '../model.ts'
import type { MailFacts } from './mail-services.ts'
import { formatSource } from './sources.ts'

/** A message that was given, as a source of what the model does next. */
export const mailSource = (
  { id, subject }: Pick<MailFacts, 'id' | 'subject'>,
  given_by: GivenSource['given_by'],
): GivenSource => ({ entity_type: 'mail_message', entity_id: id, title: subject, given_by })

type Rendered = {
  facts: Pick<MailFacts, 'id' | 'subject'> & Record<string, unknown>
  /** Left out: the subject. */
  title?: string
  ordinal: number | null
  blocks: readonly string[]
}

/** A line of facts, then the text in blocks that can be cited. The facts, too, are what the message says of itself. */
export function renderMail({ facts, title, ordinal, blocks }: Rendered): (TextBlock | SearchResultBlock)[] {
  const { id, subject } = facts
  const texts = blocks.filter((block) => block.trim() !== '')
  return [
    { type: 'text', text: JSON.stringify(facts) },
    {
      type: 'search_result',
      source: formatSource({ entity_type: 'mail_message', entity_id: id, ordinal }),
      title: title ?? subject,
      content: (texts.length > 0 ? texts : ['(empty)']).map((text) => ({ type: 'text', text })),
      citations: { enabled: true },
    },
  ]
}
