// The real server, killed with -9 at every boundary of a research run and inside each of its calls: the next one goes on
// with everything that was found, and pays for no call twice but the one that was cut off.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ResearchRun } from '../../../lib/contract/research.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { type FakeAnthropic, type FakeReply, startFakeAnthropic, text } from '../../helpers/fake-anthropic.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { lampBody } from '../../helpers/world.ts'
import { makeCrashDatabase } from '../../tools/crash/crash-database.ts'

const instructions = {
  plan: 'You plan a search',
  calibrate: 'You check the terms',
  write: 'You answer a question',
  judge: 'You judge whether',
}
type Call = keyof typeof instructions

const calls: Call[] = []
/** The call that never comes back, and what is told once it has come in. */
let hanging: { call: Call; arrived: () => void } | null = null

const reply: FakeReply = async ({ body }) => {
  const flat = (value: string | Record<string, unknown>[] | undefined) =>
    typeof value === 'string' ? value : (value ?? []).map((block) => String(block.text ?? '')).join('')
  const system = flat(body.system)
  const call = (Object.keys(instructions) as Call[]).find((name) => system.includes(instructions[name]))
  if (!call) return text('Lamp')
  calls.push(call)
  if (hanging?.call === call) {
    hanging.arrived()
    await new Promise(() => {})
  }
  return text(JSON.stringify(answerTo(call, flat(body.messages[0]?.content))))
}

function answerTo(call: Call, content: string): unknown {
  if (call === 'plan') {
    const sub_questions = ['How often does the lamp turn?', 'What does the lamp burn?']
    return { question: 'How does the lamp work?', sub_questions, criteria: [], ambiguities: [] }
  }
  if (call === 'calibrate') return { corrections: [] }
  if (call === 'judge') {
    const { claims } = JSON.parse(content)
    return {
      verdicts: claims.map(({ id, passages }: { id: string; passages: { text: string }[] }) => ({
        id,
        verdict: 'supported',
        sentences: [passages[0]!.text],
        missing: '',
      })),
    }
  }
  const { passages } = JSON.parse(content)
  const cite = (words: string) => passages.find((one: { text: string }) => one.text.includes(words))?.n
  const claims = [
    { text: 'The lamp turns once in twelve seconds.', cites: [cite('twelve seconds')] },
    // In other words, for the judge.
    { text: 'The lamp runs on rapeseed oil.', cites: [cite('rapeseed')] },
  ]
  return { sections: [{ heading: 'The lamp', claims }], not_found: [] }
}

const token = 'owner_of-the-research-crash-0123456789'
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const folder = mkdtempSync(join(tmpdir(), 'void-research-crash-'))
let model: FakeAnthropic
let server: VoidProcess
let database: Awaited<ReturnType<typeof makeCrashDatabase>>

beforeAll(async () => {
  makeDataFolder(folder)
  database = await makeCrashDatabase()
  model = await startFakeAnthropic([reply], { repeatLast: true })
  server = await start()
}, 60_000)

afterAll(async () => {
  server.kill()
  await server.gone
  await model.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  startVoidProcess(
    {
      DATA_DIR: folder,
      OWNER_TOKEN: token,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'crash',
      ROUTER_MODEL: 'none',
      ...(database.url ? { DATABASE_URL: database.url } : {}),
    },
    { preload: new URL('./kill-at-stage.ts', import.meta.url) },
  )

const made = z.object({ id: z.string() })
const list = z.object({ items: z.array(z.object({ id: z.string(), role: z.string().optional() })) })

async function api(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    headers,
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}

let threads = 0

type Thread = { space: string; conversation: string }

async function makeThread(): Promise<Thread> {
  threads += 1
  const { id: space } = made.parse(await api('/api/spaces', { name: `Skerry ${threads}` }))
  await api(`/api/spaces/${space}/pages`, { title: 'The lamp', body: lampBody })
  const { id: conversation } = made.parse(await api(`/api/spaces/${space}/conversations`, {}))
  return { space, conversation }
}

/** Reads until the turn ends, or its server does. */
async function say({ space, conversation }: Thread, body: object): Promise<void> {
  try {
    const response = await fetch(`${server.url}/api/spaces/${space}/companion/turn`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ conversation_id: conversation, ...body }),
    })
    await response.text()
  } catch {
    // That the connection breaks is what this is about.
  }
}

async function findRun({ space }: Thread): Promise<ResearchRun> {
  const { items } = list.parse(await api(`/api/spaces/${space}/research`))
  return ResearchRun.parse(await api(`/api/research/${items[0]!.id}`))
}

const question = { text: 'How does the lamp work?', research: 'standard' }

/** Kills the server by what `arm` prepares, while the run goes through the stages behind `first` or that one. */
async function dieIn(first: boolean, arm: () => Promise<unknown>): Promise<Thread> {
  const thread = await makeThread()
  if (!first) await say(thread, question)
  const dying = arm()
  const saying = say(thread, first ? question : { text: 'go on' })
  await Promise.all([dying, server.gone, saying])
  server = await start()
  return thread
}

async function expectWhole(thread: Thread): Promise<ResearchRun> {
  const isOver = async () => (await findRun(thread)).status
  await expect.poll(isOver, { timeout: 30_000 }).toMatch(/paused|done/)
  if ((await isOver()) === 'paused') await say(thread, { text: 'go on' })
  await expect.poll(isOver, { timeout: 30_000 }).toBe('done')
  const run = await findRun(thread)
  expect(run).toMatchObject({ outcome: 'checked', counts: { claims: 2, supported: 2 }, error: null })
  expect(run.counts.evidence).toBeGreaterThan(0)
  const done = run.stages.filter(({ status }) => status === 'done').map(({ stage }) => stage)
  expect(done).toEqual([
    'analyze_query',
    'websearch_calibration',
    'retrieve',
    'synthesize',
    'verify',
    'output',
  ])
  const drafts = list.parse(await api(`/api/pending-changes?space_id=${thread.space}`))
  expect(drafts.items.map(({ id }) => id)).toEqual([run.pending_change_id])
  // A run is done with its last stage; what it said is a message once its turn has ended.
  const roles = async () => {
    const { items } = list.parse(await api(`/api/conversations/${thread.conversation}/messages`))
    return items.map(({ role }) => role)
  }
  await expect.poll(roles, { timeout: 30_000 }).toEqual(['user', 'assistant', 'user', 'assistant'])
  return run
}

const countCalls = () =>
  Object.fromEntries([...Map.groupBy(calls, (name) => name)].map(([name, { length }]) => [name, length]))
const once = { plan: 1, calibrate: 1, write: 1, judge: 1 }
const callOf: Record<string, Call> = {
  analyze_query: 'plan',
  websearch_calibration: 'calibrate',
  synthesize: 'write',
  verify: 'judge',
}
const stages = ['analyze_query', 'websearch_calibration', 'retrieve', 'synthesize', 'verify', 'output']

test.each(stages)(
  'killed as %s begins, every call is made once',
  async (stage) => {
    calls.length = 0
    const thread = await dieIn(stage === 'analyze_query', async () => server.send(`begins:${stage}`))

    const run = await expectWhole(thread)
    expect(countCalls()).toEqual(once)
    expect(run.stages.every(({ status }) => status !== 'started')).toBe(true)
  },
  90_000,
)

test.each(stages)(
  'killed as what %s has found is stored, that stage alone is done again',
  async (stage) => {
    calls.length = 0
    const thread = await dieIn(stage === 'analyze_query', async () => server.send(`is stored:${stage}`))

    const run = await expectWhole(thread)
    const again = callOf[stage]
    expect(countCalls()).toEqual(again ? { ...once, [again]: 2 } : once)
    expect(run.stages.filter(({ status }) => status === 'failed').map((row) => row.stage)).toEqual([stage])
  },
  90_000,
)

test.each(Object.keys(instructions) as Call[])(
  'killed inside the call of %s, that call alone is made again, and both count',
  async (call) => {
    calls.length = 0
    const thread = await dieIn(call === 'plan', async () => {
      await new Promise<void>((arrived) => {
        hanging = { call, arrived }
      })
      hanging = null
      server.kill()
    })

    const run = await expectWhole(thread)
    expect(countCalls()).toEqual({ ...once, [call]: 2 })
    const cut = run.stages.find(({ status }) => status === 'failed')
    expect(cut?.tokens).toBeGreaterThan(1000)
    expect(run.cost.tokens).toBeGreaterThan(cut!.tokens)
  },
  90_000,
)
