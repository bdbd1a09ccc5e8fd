import { type CallModel, type ModelResponse, noUsage } from '../../../lib/ai/model.ts'
import { loadThread } from '../../../lib/companion/glance/load-view.ts'
import { checkAsk } from '../../../lib/companion/glance/rules/check-ask.ts'
import { judgeThread } from '../../../lib/companion/glance/rules/judge-thread.ts'
import { matchThreads } from '../../../lib/companion/glance/rules/match-thread.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { GlanceDecision } from '../../../lib/contract/companion/glance.ts'
import { copyMail, placeMail, storeMail } from './fill-mail.ts'
import { keeper, makeMessage, perThread } from './made-mail.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, withStore } from './open-store.ts'
import { percentile } from './statistics.ts'

/** Messages that are stored one by one; a larger store has copies of them. */
const stored = 2000
const copies = 9
const warmUps = 20
const runs = 180

/** The glance's own time: its models answer at once. */
export const glance: Measurement = {
  name: 'glance',
  about: `what code does in an evaluation, among ${stored} and ${stored * (copies + 1)} messages; beside an empty statement`,
  run: async (log) => await withStore((store) => measure(store, log)),
}

async function measure(store: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const { database, mail, glance: looking } = store.deps
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Bench' })
  const { id: account_id } = await mail.accounts.create(space_id, {
    ...{ address: keeper, host: 'localhost', port: 143, security: 'none', password: 'secret' },
    ...{ oauth: null, drafts_allowed: false },
  })
  await looking.change(space_id, { mode: 'live' })
  log(`storing ${stored} messages`)
  await storeMail(
    store,
    space_id,
    Array.from({ length: stored }, (_, n) => makeMessage(n, { first: askOf(n) })),
  )
  await placeMail(store, { space_id, account_id })
  const few = await time(store, { space_id, log })
  log(`copying them ${copies} times`)
  await copyMail(store, space_id, copies)
  await placeMail(store, { space_id, account_id })
  const many = await time(store, { space_id, log })
  return [...figuresOf(stored, few), ...figuresOf(stored * (copies + 1), many)]
}

/** Every other thread asks for something. */
const isAsking = (n: number) => Math.floor(n / perThread) % 2 === 0
const askOf = (n: number) =>
  isAsking(n) ? 'Could you send me the signed lease by 27 November 2026?' : 'This is how it went.'

type Times = Record<'statement' | 'rules' | 'ended' | 'gates' | 'all' | 'cpu', number[]>

const bound = { kind: 'at most', value: 5 } as const

function figuresOf(messages: number, { statement, rules, ended, gates, all, cpu }: Times): Figure[] {
  return [0.5, 0.95].flatMap((part) => {
    const of = `p${part * 100}, ${messages} messages`
    const value = { unit: 'ms' as const, baseline: percentile(statement, part) }
    const promised = part === 0.95 ? { bound } : {}
    return [
      { name: `the rules alone, ${of}`, value: percentile(rules, part), ...value, ...promised },
      { name: `ended before any model, ${of}`, value: percentile(ended, part), ...value, ...promised },
      { name: `gates around the models, ${of}`, value: percentile(gates, part), ...value, ...promised },
      { name: `all of it, with the analyst’s reading, ${of}`, value: percentile(all, part), ...value },
      { name: `… processor time, ${of}`, value: percentile(cpu, part), unit: 'ms' as const },
    ]
  })
}

async function time(
  store: OpenStore,
  { space_id, log }: { space_id: string; log: (message: string) => void },
): Promise<Times> {
  const { database } = store.deps
  const threads = await listThreads(store, space_id)
  log(`${runs} looks that a gate ends, and ${runs} that come to a nudge`)
  const times: Times = { statement: [], rules: [], ended: [], gates: [], all: [], cpu: [] }
  for (let n = 0; n < warmUps + runs; n += 1) {
    const ended = await look(store, { space_id, thread: threads.silent[n]!, expected: 'automated' })
    const spoken = await look(store, { space_id, thread: threads.asking[n]!, expected: 'shown' })
    // As if they had been on another day: what counts against the next ones is not measured here.
    await database.query(
      "update glances set created_at = created_at - interval '2 days' where created_at > now() - interval '1 day'",
    )
    const started = performance.now()
    await database.query('select 1')
    times.statement.push(performance.now() - started)
    times.rules.push(await applyRules(store, { space_id, thread: threads.asking[n]! }))
    times.ended.push(ended.all)
    times.gates.push(spoken.gates)
    times.all.push(spoken.all)
    times.cpu.push(spoken.cpu)
  }
  for (const each of Object.values(times)) each.splice(0, warmUps)
  return times
}

type Thread = { id: string; title: string; from_name: string; from_address: string; ask: string }

/** The latest message of each is the one that asks. */
async function listThreads({ deps: { database } }: OpenStore, space_id: string) {
  const { rows } = await database.query<Thread & { text: string }>(
    `select distinct on (thread_id) thread_id as id, t.title, from_name, from_address, text,
       split_part(text, E'\\n', 1) as ask
     from mail_messages m join mail_threads t on t.id = m.thread_id
     where m.space_id = $1
     order by thread_id, sent_at desc`,
    [space_id],
  )
  const asking = rows.filter(({ text }) => text.startsWith(askOf(0)))
  // The others are a program's, which code ends before any model.
  await database.query('update mail_messages set automated = true where space_id = $1 and text not like $2', [
    space_id,
    `${askOf(0)}%`,
  ])
  return { asking, silent: rows.filter((row) => !asking.includes(row)) }
}

type Looking = { space_id: string; thread: Thread; expected: GlanceDecision['reason'] }

async function look({ deps }: OpenStore, { space_id, thread, expected }: Looking) {
  const marks: number[] = []
  const before = process.cpuUsage()
  const started = performance.now()
  const { reason } = await deps.glance.look({
    ...{ space_id, source: 'view', image: null, mode: null, typing: false },
    view: { entityType: 'mail_thread', entityId: thread.id },
    callModel: modelOf(thread, (at) => marks.push(at)),
  })
  const ended = performance.now()
  const { user, system } = process.cpuUsage(before)
  if (reason !== expected) throw new Error(`The look came to ${reason}, not ${expected}`)
  const [first = ended, last = ended] = [marks[0], marks.at(-1)]
  return { all: ended - started, cpu: (user + system) / 1000, gates: first - started + ended - last }
}

/** What code judges in an evaluation that comes to a nudge, of a thread that is loaded already. */
async function applyRules(
  { deps: { database } }: OpenStore,
  { space_id, thread }: { space_id: string; thread: Thread },
): Promise<number> {
  const loaded = await loadThread(database, space_id, thread.id)
  if (!loaded) throw new Error(`The thread ${thread.id} is gone`)
  const seen = { subject: thread.title, sender: thread.from_address }
  const started = performance.now()
  const judged = [judgeThread(loaded), judgeThread(loaded)]
  const matching = matchThreads(seen, loaded.alike)
  const [message] = judged
  const ask = thread.ask.trim()
  const isRead =
    typeof message === 'object' && typeof checkAsk({ ask, kind: 'deadline', due: null }, message) === 'object'
  const ms = performance.now() - started
  if (judged.some((one) => typeof one === 'string') || matching.length !== 1 || !isRead)
    throw new Error(`The rules do not let ${thread.title} pass`)
  return ms
}

/** Both models: finds the mail, reads its thread, and speaks. */
function modelOf(thread: Thread, onCall: (at: number) => void): CallModel {
  const { id, title, from_name, from_address } = thread
  const sender = `${from_name} <${from_address}>`
  return async ({ tools, messages }) => {
    onCall(performance.now())
    if (tools.some(({ name }) => name === 'finalize_glance_triage')) {
      const candidate = { subject: title, sender, query: 'signed lease Friday' }
      return callOf('finalize_glance_triage', { digIn: true, candidate })
    }
    return messages.length === 1
      ? callOf('read_email_thread', { thread_id: id })
      : callOf('finalize_glance', { surface: true, ask: thread.ask.trim(), kind: 'deadline', thread_id: id })
  }
}

function callOf(name: string, input: object): ModelResponse {
  const use = { id: `toolu_${name}`, name, input }
  const content = [{ type: 'tool_use' as const, ...use }]
  return { text: '', content, toolUses: [use], stopReason: 'tool_use', usage: noUsage }
}
