// What is measured of one message. The reference reads it apart from Void's own reader: mailparser's text, line by line, where
// a line in `>` is quoted; of HTML what is shown.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import type { Deps } from '../../../../lib/api/deps.ts'
import type { MailFold } from '../../../../lib/contract/mail.ts'
import { splitFolds } from '../../../../lib/core/text/folds.ts'
import type { Database } from '../../../../lib/db/pool.ts'
import { readMailbox, unquoteFrom } from '../../../../lib/files/import/mail/split-mbox.ts'
import { parseMessages } from '../../../../lib/outside/mail/message/parse-messages.ts'
import { storeMessages } from '../../../../lib/outside/mail/store/store-messages.ts'
import { shownText } from './shown-text.ts'

export type RawMessage = { name: string; raw: Buffer }
export type StoredMail = RawMessage & { id: string }

export type Measured = {
  name: string
  id: string
  own: { all: number; kept: number; folded: number }
  quoted: { all: number; folded: number }
  replaced: number
  ownWords: string[]
}

export async function readFolder(folder: string): Promise<RawMessage[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  )
  const messages: RawMessage[] = []
  for (const { parentPath, name } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(parentPath, name)
    const bytes = await readFile(path)
    const parts = /^From /.test(bytes.toString('latin1', 0, 5)) ? await readMailbox(path) : []
    if (parts.length === 0) messages.push({ name, raw: bytes })
    for (const [at, { start, end }] of parts.entries())
      messages.push({ name: `${name}#${at + 1}`, raw: unquoteFrom(bytes.subarray(start, end)) })
  }
  return messages
}

const batch = 25

/** One row each: the same message in two files is one. */
export async function storeAll(
  { database, search }: Pick<Deps, 'database' | 'search'>,
  space_id: string,
  messages: readonly RawMessage[],
): Promise<StoredMail[]> {
  const stored = new Map<string, StoredMail>()
  for (let at = 0; at < messages.length; at += batch) {
    const some = messages.slice(at, at + batch)
    const parsed = await parseMessages({ messages: some.map(({ raw }) => raw) })
    const readable = some.flatMap((message, index) => {
      const one = parsed[index]
      return one
        ? [{ message, parsed: one, received_at: new Date(), whole: true, provider_thread: null }]
        : []
    })
    const rows = await database.transaction((tx) =>
      storeMessages(tx, search, { space_id, account_id: null, messages: readable }),
    )
    for (const [index, { id }] of (rows ?? []).entries()) stored.set(id, { ...readable[index]!.message, id })
  }
  return [...stored.values()]
}

export async function measureMessage(database: Database, { name, raw, id }: StoredMail): Promise<Measured> {
  const { rows } = await database.query<{ text: string; folds: MailFold[] }>(
    'select text, folds from mail_messages where id = $1',
    [id],
  )
  const { text = '', folds = [] } = rows[0] ?? {}
  const all = countsOf(wordsOf(text))
  const { own, quoted } = await readReference(raw, all)
  const folded = countsOf(
    splitFolds(text, folds).flatMap((piece) =>
      piece.fold && piece.fold.kind !== 'forward' ? wordsOf(piece.text) : [],
    ),
  )
  return {
    name,
    id,
    own: { all: own.length, kept: takeAll(new Map(all), own), folded: foldedOwn(folded, all, own, quoted) },
    quoted: { all: quoted.length, folded: takeAll(new Map(folded), quoted) },
    replaced: text.split('\uFFFD').length - 1,
    ownWords: own,
  }
}

type Reference = { own: string[]; quoted: string[] }

/**
 * The words of the message's plain text. Of HTML, those that a reader sees: where there is nothing else, or where it has
 * more than twice as many words; where both say it, the version that is kept better.
 */
async function readReference(raw: Buffer, kept: ReadonlyMap<string, number>): Promise<Reference> {
  const options = { skipTextToHtml: true, skipHtmlToText: true, skipImageLinks: true }
  const mail = await simpleParser(raw, options).catch(() => null)
  const lines = (mail?.text ?? '').split('\n')
  const own = wordsOf(lines.filter((line) => !line.startsWith('>')).join('\n'))
  const quoted = wordsOf(lines.filter((line) => line.startsWith('>')).join('\n'))
  const shown = mail?.html ? wordsOf(shownText(mail.html)) : []
  const rich = { own: shown, quoted }
  if (shown.length > 2 * (own.length + quoted.length)) return rich
  const shareOf = (words: readonly string[]) => takeAll(new Map(kept), words) / words.length
  return shown.length > 0 && shareOf(shown) > shareOf([...own, ...quoted]) ? rich : { own, quoted }
}

/** Own words that stand in folds alone, when all quoted ones are taken out of them. */
function foldedOwn(
  folded: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, number>,
  own: readonly string[],
  quoted: readonly string[],
): number {
  const outside = new Map([...all].map(([word, count]) => [word, count - (folded.get(word) ?? 0)]))
  const inside = new Map(folded)
  takeAll(inside, quoted)
  let found = 0
  for (const word of own) if (takeAll(outside, [word]) === 0) found += takeAll(inside, [word])
  return found
}

/** Words of three letters and more, without addresses. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[\s()<>[\]"]+/)
    .filter((word) => !word.includes('@'))
    .map((word) => word.replace(/https?:.*/, ''))
    .join(' ')
    .replace(/\\(?=[^\s\p{L}\p{N}])/gu, '')
    .toLowerCase()
    .match(/\p{L}{3,}/gu) ?? []

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** How many of the words are there; each is taken once. */
function takeAll(counts: Map<string, number>, words: readonly string[]): number {
  let taken = 0
  for (const word of words) {
    const left = counts.get(word) ?? 0
    if (left <= 0) continue
    counts.set(word, left - 1)
    taken += 1
  }
  return taken
}

/** For a sample of messages the four of their own words that fewest messages have. */
export function rareWords(measured: readonly Measured[], limit: number): { id: string; words: string[] }[] {
  const spread = countsOf(measured.flatMap(({ ownWords }) => [...new Set(ownWords)]))
  const long = measured.filter(({ ownWords }) => new Set(ownWords).size >= 8)
  const step = Math.max(1, Math.floor(long.length / limit))
  return long
    .filter((_, at) => at % step === 0)
    .slice(0, limit)
    .map(({ id, ownWords }) => ({
      id,
      words: [...new Set(ownWords)].toSorted((a, b) => spread.get(a)! - spread.get(b)!).slice(0, 4),
    }))
}
