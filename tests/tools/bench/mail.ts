import { setTimeout as wait } from 'node:timers/promises'
import { searchMail } from '../../../lib/companion/reading/read-mail.ts'
import type { MailAccount } from '../../../lib/contract/mail.ts'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { createWorkerPool } from '../../../lib/jobs/workers/worker-pool.ts'
import { syncAccount } from '../../../lib/outside/mail/sync/follow-account.ts'
import type { MailServer } from '../../../lib/outside/mail/sync/mail-server.ts'
import { keeper, makeMessage } from './made-mail.ts'
import { mailboxInMemory, openMailbox, type RealMailbox } from './mail-servers.ts'
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
const arrivals = 20

/** A mailbox on the IMAP server that `TEST_IMAP` names, or else in memory. */
export const mail: Measurement = {
  name: 'mail',
  about: `a mailbox of ${messages} messages comes in, is looked at again, and is searched beside ${pages} pages`,
  async run(log) {
    const mailbox = process.env.TEST_IMAP ? await openMailbox(messages, log) : null
    try {
      return await withStore((store) => measure(store, mailbox, log))
    } finally {
      await mailbox?.close()
    }
  },
}

type Log = (message: string) => void

async function measure(store: OpenStore, mailbox: RealMailbox | null, log: Log): Promise<Figure[]> {
  const { deps } = store
  const space_id = await store.importPages(makePages(pages))
  const inMemory = { host: 'localhost', port: 143, security: 'none', password: 'secret' } as const
  const account = await deps.mail.accounts.create(space_id, {
    ...{ address: keeper, drafts_allowed: false, oauth: null },
    ...(mailbox?.address ?? inMemory),
  })
  const server = mailbox ? await mailbox.connect() : mailboxInMemory(messages)
  const { first, second, growth, cpu } = await syncTimes(store, account, server, log)
  await server.close()
  await deps.search.maintain()
  log(`${questions} questions`)
  const times = await searchTimes(store, space_id)
  const seen = mailbox ? await arrivalTimes(store, { space_id, mailbox, log }) : null
  return [
    {
      ...{ name: 'messages that come in', unit: '1/s', value: (messages / first) * 1000 },
      bound: { kind: 'at least', value: 100 },
    },
    { name: '… processor time of one', unit: 'ms', value: cpu / messages },
    { name: 'growth at the most', unit: 'MB', value: growth },
    {
      ...{ name: 'another look, nothing new', unit: 'ms', value: second },
      bound: { kind: 'at most', value: 2000 },
    },
    { name: 'search among mail and pages, p50', unit: 'ms', value: percentile(times.both, 0.5) },
    { name: 'search among mail and pages, p95', unit: 'ms', value: percentile(times.both, 0.95) },
    { name: 'search_email by words, p95', unit: 'ms', value: percentile(times.mail, 0.95) },
    ...(seen ? figuresOf(seen) : []),
  ]
}

const figuresOf = (seen: number[]): Figure[] => [
  { name: 'new mail listed, p50', unit: 'ms', value: percentile(seen, 0.5) },
  {
    ...{ name: 'new mail listed, p95', unit: 'ms', value: percentile(seen, 0.95) },
    bound: { kind: 'at most', value: 5000 },
  },
]

async function syncTimes(
  { deps: { database, search } }: OpenStore,
  account: MailAccount,
  server: MailServer,
  log: Log,
) {
  const limits = { timeoutMs: 20_000, heapMb: 256, growthMb: 512 }
  const threads = createTextThreads(createWorkerPool({ limits, size: 1, maxWaiting: 1000 }))
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
  const before = process.cpuUsage()
  const first = await sync()
  const { user, system } = process.cpuUsage(before)
  const growth = memory.end()
  const second = await sync()
  await threads.close()
  return { first, second, growth, cpu: (user + system) / 1000 }
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

/** From when the server has a message to when it is in the list of threads, while the account is followed. */
async function arrivalTimes(
  { deps: { mail } }: OpenStore,
  { space_id, mailbox, log }: { space_id: string; mailbox: RealMailbox; log: Log },
): Promise<number[]> {
  const stop = mail.start()
  const isWatched = async () => (await mail.accounts.list(space_id))[0]?.state === 'watching'
  while (!(await isWatched())) await wait(20)
  const isListed = async (subject: string) =>
    (await mail.threads.list({ space_id, limit: 1 })).items.some((thread) => thread.subject === subject)
  log(`${arrivals} messages arrive`)
  const times: number[] = []
  const stamp = Date.now()
  for (let n = 1; n <= arrivals; n += 1) {
    const subject = `Arrival ${n} of ${stamp}`
    await mailbox.append(Buffer.from(makeMessage(n, { alone: subject })))
    const started = performance.now()
    while (!(await isListed(subject))) await wait(20)
    times.push(performance.now() - started)
    await wait(createProse(n).below(2000))
  }
  await stop()
  return times
}
