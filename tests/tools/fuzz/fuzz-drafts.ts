// Drafts in random order on a real server that is killed now and then, beside a model of what must be. After a kill the
// operation that was under way has happened whole, or not at all.

import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { type Expected, expect, type Model, type ModelDraft, type Operation } from './draft-model.ts'
import { ownerToken } from './fuzz-world.ts'
import { type Random, randomOf } from './random.ts'
import { createSend, type Send } from './send-json.ts'

export type DraftsReport = {
  drafts: number
  operations: number
  kills: number
  /** How many operations of each kind were answered with which status. */
  answers: Record<string, number>
  deviations: string[]
}

type DraftsOptions = {
  databaseUrl: string | undefined
  folder: string
  seed: number
  count: number
  ms: number
}

const pages = 6
const killShare = 0.08
/** Drafts of a page that are looked at after each operation; all are at the end. */
const recent = 4

export async function fuzzDrafts(options: DraftsOptions): Promise<DraftsReport> {
  const server = await startServer(options)
  const report: DraftsReport = { drafts: 0, operations: 0, kills: 0, answers: {}, deviations: [] }
  try {
    const world = await makeWorld(server.send)
    const until = performance.now() + options.ms
    for (let n = 0; report.drafts < options.count && performance.now() < until; n++) {
      const random = randomOf(options.seed, n)
      await step({ ...world, server, report, random, n })
      if (report.deviations.length > 0) break
      report.drafts = world.model.drafts.size
    }
    for (const page of world.model.pages.keys()) {
      const [is, must] = [await seen({ ...world, page, all: true }), view(world.model, page, true)]
      if (!isDeepStrictEqual(is, must)) report.deviations.push(`at the end: ${differing(is, must)}`)
    }
    const { body } = await world.owner('GET', '/api/audit/verify')
    if (body.sound !== true) report.deviations.push(`audit chain: ${JSON.stringify(body)}`)
    return report
  } finally {
    await server.stop()
  }
}

async function startServer({ databaseUrl, folder }: DraftsOptions) {
  const start = () =>
    startVoidProcess({
      DATA_DIR: folder,
      OWNER_TOKEN: ownerToken,
      ROUTER_MODEL: 'none',
      DRAFTS_PER_HOUR: '100000',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    })
  let current: VoidProcess = await start()
  return {
    send: (token: string): Send => createSend(() => current.url, token),
    async restart() {
      current.kill()
      await current.gone
      current = await start()
    },
    async stop() {
      current.kill()
      await current.gone
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>
type World = { model: Model; owner: Send; agent: Send }

async function makeWorld(send: Server['send']): Promise<World> {
  const owner = send(ownerToken)
  const space = (await owner('POST', '/api/spaces', { name: 'Drafts' })).body
  const made = (await owner('POST', '/api/agents', { name: 'Scribe', slug: 'scribe' })).body
  const { body } = await owner('POST', `/api/agents/${made.id}/tokens`, { name: 'fuzz', tier: 'suggest' })
  const model: Model = { pages: new Map(), drafts: new Map() }
  for (let n = 0; n < pages; n++) {
    const fields = { title: `Page ${n}`, body: `Beginning ${n}.` }
    const page = (await owner('POST', `/api/spaces/${space.id}/pages`, fields)).body
    model.pages.set(String(page.id), { id: String(page.id), ...fields, version: 1, before: null })
  }
  return { model, owner, agent: send(String(body.token)) }
}

type Step = World & { server: Server; report: DraftsReport; random: Random; n: number }

async function step({ model, owner, agent, server, report, random, n }: Step): Promise<void> {
  const operation = choose(model, random, n)
  const expected = expect(model, operation)
  const page = 'page' in operation ? operation.page : model.drafts.get(operation.draft)!.page
  report.operations += 1
  const world = { model, owner, agent }
  const before = view(model, page)
  const isKilled = random.chance(killShare)
  const sending = send(world, operation).catch(() => null)
  if (isKilled) {
    report.kills += 1
    await wait(random.below(60))
    await server.restart()
  }
  const answer = await sending
  if (!answer) return await reconcile({ ...world, operation, expected, page, before, report })

  const key = `${operation.type} ${answer.status}`
  report.answers[key] = (report.answers[key] ?? 0) + 1
  const newId = String(operation.type === 'approve_title' ? answer.body.superseded_by : answer.body.id)
  if (answer.status !== expected.status) {
    report.deviations.push(
      `${describe(n, operation)}: ${answer.status}, not ${expected.status}: ${JSON.stringify(answer.body)}`,
    )
    return
  }
  if (expected.payload) {
    const { payload, drops } = answer.body as { payload: object; drops: { text: string }[] }
    const is = { payload, drops: drops.map(({ text }) => text).toSorted() }
    const must = { payload: expected.payload, drops: expected.drops }
    if (!isDeepStrictEqual(is, must))
      report.deviations.push(`${describe(n, operation)}: ${differing(is, must)}`)
  }
  expected.apply(newId)
  const [is, must] = [await seen({ ...world, page }), view(model, page)]
  if (!isDeepStrictEqual(is, must))
    report.deviations.push(`${describe(n, operation)}: ${differing(is, must)}`)
}

type Reconciliation = World & {
  operation: Operation
  expected: Expected
  page: string
  before: object
  report: DraftsReport
}

/** Finds out whether an operation without an answer has happened. */
async function reconcile({
  page,
  operation,
  expected,
  before,
  report,
  ...world
}: Reconciliation): Promise<void> {
  const { model } = world
  const untouched = await seen({ ...world, page })
  if (isDeepStrictEqual(untouched, before)) return
  const { body } = await world.owner('GET', '/api/pending-changes?status=pending&limit=200')
  const items = body.items as { id: string; entity_id: string }[]
  const fresh = items.find(({ id, entity_id }) => entity_id === page && !model.drafts.has(id))
  expected.apply(fresh?.id ?? 'none')
  const [is, must] = [await seen({ ...world, page }), view(model, page)]
  if (!isDeepStrictEqual(is, must))
    report.deviations.push(`killed in ${describe(0, operation)}: ${differing(is, must)}`)
}

function choose({ pages, drafts }: Model, random: Random, n: number): Operation {
  const page = random.pick([...pages.values()])
  const title = `Title ${n}-${random.below(1000)}`
  const body = `Text ${n}-${random.below(1000)}.`
  const fields = random.pick([{ title }, { body }, { title, body }])
  const pending = [...drafts.values()].filter(({ status }) => status === 'pending')
  const any = [...drafts.values()].slice(-12)
  const one =
    random.chance(0.8) && pending.length > 0 ? random.pick(pending) : any.length > 0 ? random.pick(any) : null
  const type = random.pick(operationTypes)
  if (type === 'propose' || !one) return { type: 'propose', page: page.id, fields }
  if (type === 'save') return { type, page: page.id, fields }
  if (type === 'undo') return page.before ? { type, page: page.id } : { type: 'save', page: page.id, fields }
  if (type === 'revise') return { type, draft: one.id, fields }
  if (type !== 'approve_title') return { type, draft: one.id }
  return mayBeSplit(one) ? { type, draft: one.id } : { type: 'approve', draft: one.id }

  function mayBeSplit({ status, base, payload, page: of }: ModelDraft): boolean {
    return status === 'pending' && base === pages.get(of)!.version && 'title' in payload && 'body' in payload
  }
}

const operationTypes = [
  ...['propose', 'propose', 'propose', 'propose', 'revise', 'approve', 'approve', 'approve_title'],
  ...['reject', 'retract', 'save', 'undo'],
] as Operation['type'][]

async function send({ model, owner, agent }: World, operation: Operation): ReturnType<Send> {
  if ('page' in operation) {
    const { version } = model.pages.get(operation.page)!
    if (operation.type === 'undo') {
      const { body } = await owner('GET', `/api/audit?entity_id=${operation.page}&limit=1`)
      const [last] = body.items as { seq: number }[]
      return await owner('POST', `/api/audit/${last!.seq}/undo`, {})
    }
    const by = operation.type === 'save' ? owner : agent
    return await by('PATCH', `/api/pages/${operation.page}`, { version, ...operation.fields })
  }
  const at = `/api/pending-changes/${operation.draft}`
  switch (operation.type) {
    case 'revise':
      return await agent('POST', `${at}/revise`, { payload: operation.fields })
    case 'approve':
      return await owner('POST', `${at}/approve`, {})
    case 'approve_title':
      return await owner('POST', `${at}/approve`, { fields: ['title'] })
    case 'reject':
      return await owner('POST', `${at}/reject`, {})
    case 'retract':
      return await agent('POST', `${at}/retract`)
  }
}

const ofPage = ({ drafts }: Model, page: string, all: boolean): ModelDraft[] =>
  [...drafts.values()].filter((draft) => draft.page === page).slice(all ? 0 : -recent)

/** A page and its drafts as the model has them. */
function view(model: Model, page: string, all = false) {
  const { title, body, version } = model.pages.get(page)!
  const drafts = ofPage(model, page, all).map(({ id, status, base }) => ({ id, status, base }))
  const waiting = ofPage(model, page, true).filter(({ status }) => status === 'pending')
  return { title, body, version, drafts, waiting: waiting.map(({ id }) => id).toSorted() }
}

/** The same as the server has them. */
async function seen({ model, owner, page, all = false }: World & { page: string; all?: boolean }) {
  const row = (await owner('GET', `/api/pages/${page}`)).body
  const drafts = await Promise.all(
    ofPage(model, page, all).map(async ({ id }) => {
      const { status, base_version } = (await owner('GET', `/api/pending-changes/${id}`)).body
      return { id, status, base: base_version }
    }),
  )
  const { body } = await owner('GET', '/api/pending-changes?status=pending&limit=200')
  const items = body.items as { id: string; entity_id: string }[]
  const waiting = items.filter(({ entity_id }) => entity_id === page).map(({ id }) => id)
  return { title: row.title, body: row.body, version: row.version, drafts, waiting: waiting.toSorted() }
}

const describe = (n: number, operation: Operation) => `operation ${n}, ${JSON.stringify(operation)}`
const differing = (is: object, must: object) => `is ${JSON.stringify(is)}, must be ${JSON.stringify(must)}`
