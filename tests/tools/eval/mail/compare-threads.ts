// Void's threads beside those of an IMAP server (RFC 5256): REFERENCES joins by ids and by subject, REFS by ids alone.

import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Database } from '../../../../lib/db/pool.ts'
import type { StoredMail } from './measure-mail.ts'

type Comparison = { space_id: string; url: string; stored: readonly StoredMail[] }

export async function compareThreads(
  database: Database,
  { space_id, url, stored }: Comparison,
): Promise<void> {
  const { rows } = await database.query<{ id: string; thread_id: string }>(
    'select id, thread_id from mail_messages where space_id = $1',
    [space_id],
  )
  const ours = new Map(rows.map(({ id, thread_id }) => [id, thread_id]))
  const imap = await signIn(url)
  for (const { raw } of stored) await imap.append(raw)
  await imap.command('SELECT INBOX')
  for (const algorithm of ['REFERENCES', 'REFS']) {
    const answer = await imap.command(`THREAD ${algorithm} UTF-8 ALL`)
    const theirs = new Map<string, string>()
    for (const [at, thread] of threadsIn(answer).entries())
      for (const number of thread) theirs.set(stored[number - 1]!.id, String(at))
    console.log(
      `threads, ${algorithm.padEnd(16)}   ours ${new Set(ours.values()).size}, theirs ${new Set(theirs.values()).size}; ` +
        `${countMixed(ours, theirs)} of ours join several of theirs, ${countMixed(theirs, ours)} of theirs several of ours`,
    )
  }
  imap.end()
}

/** How many threads of the first hold messages of more than one of the second. */
function countMixed(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): number {
  const found = new Map<string, Set<string>>()
  for (const [id, thread] of one) {
    const set = found.get(thread) ?? new Set()
    found.set(thread, set.add(other.get(id) ?? id))
  }
  return [...found.values()].filter(({ size }) => size > 1).length
}

/** The numbers in each outermost parenthesis. */
function threadsIn(answer: string): number[][] {
  const threads: number[][] = []
  let depth = 0
  for (const [token] of answer.matchAll(/[()]|\d+/g)) {
    if (token === '(') {
      if (depth === 0) threads.push([])
      depth += 1
    } else if (token === ')') depth -= 1
    else if (depth > 0) threads.at(-1)!.push(Number(token))
  }
  return threads
}

async function signIn(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  const next = async () => (await lines.next()).value as string
  let count = 0
  const until = async (tag: string) => {
    const answer: string[] = []
    for (;;) {
      const line = await next()
      if (line === undefined) throw new Error('The IMAP server ended the connection.')
      if (line.startsWith(`${tag} `)) {
        if (!line.startsWith(`${tag} OK`)) throw new Error(line)
        return answer.filter((each) => each.startsWith('* THREAD')).join(' ')
      }
      answer.push(line)
    }
  }
  const command = async (text: string) => {
    const tag = `a${++count}`
    socket.write(`${tag} ${text}\r\n`)
    return await until(tag)
  }
  await next()
  await command(`LOGIN eval${Date.now()} secret`)
  return {
    command,
    async append(raw: Buffer) {
      const tag = `a${++count}`
      const bytes = Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
      socket.write(`${tag} APPEND INBOX {${bytes.length}}\r\n`)
      await next()
      socket.write(bytes)
      socket.write('\r\n')
      await until(tag)
    },
    end: () => socket.destroy(),
  }
}
