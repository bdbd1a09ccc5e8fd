import { z } from 'zod'
import { splitFolds } from '../../core/text/folds.ts'
import { body, line, title } from './fields.ts'
import { defineKind, type SearchPart, textOf } from './kind.ts'

const fold = z.object({
  kind: z.enum(['quote', 'forward', 'signature', 'links']),
  from_line: z.int(),
  to_line: z.int(),
})

/** How much the words of folded lines count in search, beside those of the sender. */
const shares: Record<z.infer<typeof fold>['kind'], number> = {
  quote: 0.35,
  forward: 1,
  signature: 0.2,
  links: 0.1,
}

const person = z.object({ name: z.string(), address: z.string() })

/** A mail message, stored by lib/outside/mail. Immutable. */
export const kind = defineKind({
  type: 'mail_message',
  table: 'mail_messages',
  path: 'mail-messages',
  label: 'message',
  fields: z.object({
    title: title(),
    from_name: line(),
    from_address: line(),
    recipients: z.array(person),
    cc: z.array(person),
    sent_at: z.iso.datetime(),
    thread_id: z.uuid(),
    text: body(),
  }),
  defaults: { text: '' },
  bodyField: 'text',
  searchText: (row) => `${peopleOf(row)}\n\n${textOf(row.text)}`,
  searchParts: (row) => {
    const folds = z.array(fold).safeParse(row.folds).data ?? []
    const pieces = splitFolds(textOf(row.text), folds).map(({ text, fold }) => ({
      text,
      share: fold ? shares[fold.kind] : 1,
    }))
    const parts: SearchPart[] = [{ text: peopleOf(row), share: 1 }]
    for (const piece of pieces) {
      const last = parts.at(-1)!
      if (last.share === piece.share) last.text += `\n\n${piece.text}`
      else parts.push(piece)
    }
    return parts
  },
  proposable: false,
  internal: true,
  searched: true,
})

/** One line with sender and recipients, so that search finds a message by them. */
function peopleOf(row: Record<string, unknown>): string {
  const from = person.safeParse({ name: row.from_name, address: row.from_address }).data
  const to = z.array(person).safeParse(row.recipients).data ?? []
  const names = (people: readonly z.infer<typeof person>[]) =>
    people
      .slice(0, maxNamed)
      .map(({ name, address }) => [name, address].filter(Boolean).join(' '))
      .join(', ')
  return `${names(from ? [from] : [])} → ${names(to)}`
}

/** Maximum number of recipients in the searchable text: a long list would outweigh the message itself. */
const maxNamed = 20
