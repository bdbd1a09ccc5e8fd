import { v7 as uuid } from 'uuid'
import { searchMail } from '../../lib/companion/reading/search-mail.ts'
import { createMailAccountsRepo } from '../../lib/db/repos/mail_accounts.ts'
import type { ListedMessage, MailServer } from '../../lib/mail/sync/mail-server.ts'
import { syncAccount } from '../../lib/mail/sync/sync-account.ts'
import { createTextThreads } from '../../lib/workers/text-threads.ts'
import { createWorkerPool } from '../../lib/workers/worker-pool.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, withStore } from './open-store.ts'
import { createProse, makePages } from './prose.ts'
import { percentile } from './statistics.ts'
import { watchMemory } from './watch-memory.ts'

/** Fewer for a look at it: `BENCH_MESSAGES=2000 npm run bench -- mail`. */
const messages = Number(process.env.BENCH_MESSAGES ?? 50_000)
const pages = 1000
const warmUps = 20
const questions = 200

/** A mailbox from a server in memory, which makes each message when it is asked for. */
export const mail: Measurement = {
  name: 'mail',
  about: `a mailbox of ${messages} messages comes in, is looked at again, and is searched beside ${pages} pages`,
  run: async (log) => await withStore((store) => measure(store, log)),
}

async function measure(store: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const { database, search } = store.deps
  const space_id = await store.importPages(makePages(pages))
  const account = { id: uuid(), space_id, folders: null }
  await createMailAccountsRepo(database).insert(
    {
      ...{ ...account, address: 'keeper@skerry.example', aliases: [], host: 'localhost', port: 143 },
      ...{ security: 'none', username: 'keeper', password: 'secret:none', drafts_allowed: false },
      oauth: null,
    },
    new Date(),
  )
  const limits = { timeoutMs: 20_000, heapMb: 256, growthMb: 512 }
  const threads = createTextThreads(createWorkerPool({ limits, size: 1, maxWaiting: 1000 }))
  const server = makeServer(messages)
  const signal = new AbortController().signal
  const sync = async () => {
    const started = performance.now()
    await syncAccount(
      { database, search, threads, now: () => new Date() },
      { account, server, signal, onNews: () => {} },
    )
    return performance.now() - started
  }

  log(`syncing ${messages} messages`)
  const memory = watchMemory()
  const first = await sync()
  const growth = memory.end()
  const second = await sync()
  await threads.close()
  await search.maintain()
  log(`${questions} questions`)
  const times = await searchTimes(store, space_id)
  return [
    {
      ...{ name: 'messages that come in', unit: '1/s', value: (messages / first) * 1000 },
      bound: { kind: 'at least', value: 100 },
    },
    { name: 'growth at the most', unit: 'MB', value: growth },
    {
      ...{ name: 'another look, nothing new', unit: 'ms', value: second },
      bound: { kind: 'at most', value: 2000 },
    },
    { name: 'search among mail and pages, p50', unit: 'ms', value: percentile(times.both, 0.5) },
    { name: 'search among mail and pages, p95', unit: 'ms', value: percentile(times.both, 0.95) },
    { name: 'search_email by words, p95', unit: 'ms', value: percentile(times.mail, 0.95) },
  ]
}

async function searchTimes({ deps: { database, search } }: OpenStore, space_id: string) {
  const prose = createProse(99)
  const both: number[] = []
  const mail: number[] = []
  for (let n = 0; n < warmUps + questions; n++) {
    const q = prose.words(3).join(' ')
    const started = performance.now()
    await search.query({ space_ids: [space_id], q, limit: 8 })
    const between = performance.now()
    await searchMail({ database, search }, { space_id, q })
    both.push(between - started)
    mail.push(performance.now() - between)
  }
  return { both: both.slice(warmUps), mail: mail.slice(warmUps) }
}

const perThread = 5

/** Message `n`, which answers the one before it, five in a thread. */
function makeMessage(n: number): Buffer {
  const prose = createProse(n)
  const isAnswer = n % perThread !== 0
  const { title } = createProse(n - (n % perThread)).page(`Subject ${n - (n % perThread)}`)
  const sent = new Date(Date.UTC(2020, 0, 1) + n * 3_600_000)
  const lines = [
    `From: Person ${n % 300} <person${n % 300}@example.org>`,
    'To: Keeper <keeper@skerry.example>',
    `Subject: ${isAnswer ? 'Re: ' : ''}${title}`,
    `Date: ${sent.toUTCString()}`,
    `Message-ID: <${n}@example.org>`,
    ...(isAnswer ? [`In-Reply-To: <${n - 1}@example.org>`] : []),
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...Array.from({ length: 3 + prose.below(5) }, () => `${prose.words(30).join(' ')}\r\n`),
  ]
  return Buffer.from(lines.join('\r\n'))
}

function makeServer(count: number): MailServer {
  const nothing = async () => null
  return {
    listFolders: async () => [{ path: 'INBOX', use: '\\Inbox' }],
    open: async () => ({
      ...{ uid_validity: '1', uid_next: String(count + 1), exists: count, highest_modseq: '1' },
    }),
    listUids: async () => Array.from({ length: count }, (_, n) => n + 1),
    describe: async (uids) => uids.map(describe),
    fetch: async (uids) => new Map(uids.map((uid) => [uid, makeMessage(uid - 1)])),
    fetchPart: nothing,
    readPart: nothing,
    async *listFlags() {},
    listChanges: nothing,
    waitForNews: async () => {},
    close: async () => {},
  }
}

const describe = (uid: number): ListedMessage => ({
  ...{ uid, bytes: 1500, flags: ['\\Seen'], received_at: new Date('2026-11-20T12:00:00Z') },
  ...{ thread: null, parts: [] },
})
