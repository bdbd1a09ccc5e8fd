// The Space that models are tried on: invented, in four languages, with texts that try to mislead. Always the same.

import { readFileSync } from 'node:fs'
import type { Writer } from '../../content/writes/write.ts'
import { createSpace } from '../../content/writes/write-space.ts'
import type { Database } from '../../db/pool.ts'
import { parseMessages } from '../../outside/mail/message/parse-messages.ts'
import { storeMessages } from '../../outside/mail/store/store-messages.ts'
import type { Search } from '../../search/search.ts'

type Ref = { type: string; id: string; title: string }

export type TrialSpace = {
  id: string
  /** Throws for a title that nothing has. */
  find(title: string): Ref
  has(title: string): boolean
  titles(): string[]
  /** The title of what has this id; the id itself where it is not known. */
  titleOf(id: string): string
  add(ref: Ref): void
}

export type SpaceParts = { database: Database; search: Search; writer: Writer }

type Item = { kind: string; title: string; facts: Record<string, string>; text: string }

const owner = { kind: 'owner' } as const
/** Kinds by the names that the file has for them. */
const types: Record<string, string> = { file: 'source_doc' }
/** Fields that are the title of something else, and the field that its id is for. */
const references: Record<string, string> = { parent: 'parent_id', project: 'project_id' }

/** Makes the Space in a database, with its mail. */
export async function makeTrialSpace(parts: SpaceParts): Promise<TrialSpace> {
  const { id: space_id } = await createSpace(parts.database, owner, { name: 'Alder Mill' })
  const refs = new Map<string, Ref>()
  const space: TrialSpace = {
    id: space_id,
    find(title) {
      const ref = refs.get(title)
      if (!ref) throw new Error(`The Space of the trial has no “${title}”.`)
      return ref
    },
    has: (title) => refs.has(title),
    titles: () => [...refs.keys()],
    titleOf: (id) => [...refs.values()].find((ref) => ref.id === id)?.title ?? id,
    add: (ref) => void refs.set(ref.title, ref),
  }
  const items = readItems()
  const entities = items.filter(({ kind }) => kind !== 'mail')
  // Projects first: tasks name them.
  const ordered = entities.toSorted((a, b) => Number(b.kind === 'project') - Number(a.kind === 'project'))
  await parts.database.transaction(async (tx) => {
    for (const { kind, title, facts, text } of ordered) {
      const type = types[kind] ?? kind
      const fields = { title, [type === 'source_doc' ? 'text' : 'body']: text, ...fieldsOf(facts, space) }
      const write = { action: 'create' as const, type, space_id, fields }
      const { id } = await parts.writer.write(tx, write, { actor: owner })
      space.add({ type, id, title })
    }
  })
  for (const item of items.filter(({ kind }) => kind === 'mail'))
    space.add(await storeMail(parts, space_id, item))
  return space
}

const fieldsOf = (facts: Record<string, string>, space: TrialSpace): Record<string, string> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const reference = references[name]
      return reference ? [reference, space.find(value).id] : [name, value]
    }),
  )

async function storeMail(
  { database, search }: SpaceParts,
  space_id: string,
  { title, facts, text }: Item,
): Promise<Ref> {
  const headers = [
    ...[`From: ${facts.from}`, `To: ${facts.to}`, `Subject: ${title}`, `Date: ${facts.date} 09:00:00 +0000`],
    ...[
      `Message-ID: <${title.replace(/\W+/g, '-')}@alder.example>`,
      'Content-Type: text/plain; charset=utf-8',
    ],
  ]
  const raw = Buffer.from([...headers, '', text].join('\n').replace(/\n/g, '\r\n'))
  const [parsed] = await parseMessages({ messages: [raw] })
  const message = { parsed: parsed!, received_at: new Date(), whole: true, provider_thread: null }
  const stored = await database.transaction((tx) =>
    storeMessages(tx, search, { space_id, account_id: null, messages: [message] }),
  )
  return { type: 'mail_message', id: stored![0]!.id, title }
}

/** Each begins with a line `=== kind | title | name: value`, and has its text below. */
function readItems(): Item[] {
  const file = readFileSync(new URL('./space.md', import.meta.url), 'utf8')
  return file
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n')
      const [kind = '', title = '', ...facts] = head.split(' | ')
      const pairs = facts.map((fact) => fact.split(/: (.*)/s).slice(0, 2) as [string, string])
      return { kind, title, facts: Object.fromEntries(pairs), text: lines.join('\n').trim() }
    })
}
