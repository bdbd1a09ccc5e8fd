import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Deps } from '../../../lib/api/deps.ts'
import { noCompanion } from '../../../lib/auth/agents/agents.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { AgentActor } from '../../../lib/core/actor.ts'
import { createAgentsRepo } from '../../../lib/db/repos/agents.ts'
import type { Figure, Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { createProse } from './prose.ts'
import { asOwner, makeDataFolder, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const warmUps = 20
const runs = 200
const waiting = 1000
const pageSize = 100_000
const hunks = 50

/** What the owner waits for before a decision, over HTTP. */
export const cards: Measurement = {
  name: 'cards',
  about: `the card of ${hunks} hunks in a page of ${pageSize / 1000} kB, and a list of ${waiting} drafts; beside an update of a row`,
  async run(log) {
    const data = makeDataFolder()
    try {
      log(`storing ${waiting} drafts`)
      const { changeId, updates } = await fill(data.folder)
      const server = await startVoid(data.folder)
      log(`${runs} cards, then ${runs} lists`)
      const card = await time(() => readCard(`${server.url}/api/pending-changes/${changeId}`))
      const list = await time(() => readList(`${server.url}/api/inbox/lines?limit=200`, 1))
      const all = await time(() => readList(`${server.url}/api/inbox/lines?limit=200`, waiting / 200), 20)
      await server.stop()
      return [
        ...figures('card', card, updates, 50),
        ...figures('the first 200 lines of the Inbox', list, updates, 100),
        ...figures(`all ${waiting} lines, 200 at a time`, all, updates),
      ]
    } finally {
      data.remove()
    }
  },
}

function figures(name: string, times: number[], updates: number[], most?: number): Figure[] {
  return [0.5, 0.95].map((part) => ({
    name: `${name}, p${part * 100}`,
    unit: 'ms',
    value: percentile(times, part),
    baseline: percentile(updates, part),
    ...(most !== undefined && part === 0.95 ? { bound: { kind: 'at most', value: most } } : {}),
  }))
}

/** A store with the drafts in it: the large one, and as many small ones as are to wait, by two agents. */
async function fill(folder: string): Promise<{ changeId: string; updates: number[] }> {
  const { deps, close } = await openStore(folder)
  const { id: space_id } = await createSpace(deps.database, { kind: 'owner' }, { name: 'Bench' })
  const agents = [await makeAgent(deps, 'scribe'), await makeAgent(deps, 'clerk')]
  const prose = createProse(5)
  const before = longText(prose)
  const page = await write(deps, space_id, 'page', { title: 'A long page', body: before })
  const draft = { space_id, turn: null, tool_use_id: null, reason: 'As asked.' }
  const { id: changeId } = await deps.changes.proposeChange(agents[0]!, {
    ...draft,
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: { body: edit(before) },
  })
  const updates: number[] = []
  for (let n = 1; n < waiting; n += 1) {
    const task = await write(deps, space_id, 'task', { title: `${prose.words(4).join(' ')} ${n}` })
    updates.push(await updateRow(deps, task.id, n))
    await deps.changes.proposeChange(agents[n % 2]!, {
      ...draft,
      entity_type: 'task',
      action: 'update',
      entity_id: task.id,
      payload: { status: 'done', body: prose.words(40).join(' ') },
    })
  }
  await close()
  return { changeId, updates: updates.slice(warmUps) }
}

async function makeAgent({ database }: Deps, slug: string): Promise<AgentActor> {
  const capabilities = { read: true, suggest: true, write: false }
  const agent = { id: uuid(), slug, name: slug, capabilities, scopes: { spaces: null } }
  await createAgentsRepo(database).insert({ ...noCompanion, ...agent, research_tokens: 0, kind: 'external' })
  return { kind: 'agent', agent_id: agent.id, slug, capabilities, spaces: null }
}

const write = (
  { database, content: { writer } }: Deps,
  space_id: string,
  type: string,
  fields: Record<string, unknown>,
) =>
  database.transaction((tx) =>
    writer.write(tx, { action: 'create', type, space_id, fields }, { actor: { kind: 'owner' } }),
  )

async function updateRow({ database }: Deps, id: string, n: number): Promise<number> {
  const started = performance.now()
  await database.query('update tasks set priority = $2 where id = $1', [id, n % 2 === 0 ? 'low' : 'high'])
  return performance.now() - started
}

function longText(prose: ReturnType<typeof createProse>): string {
  let text = ''
  for (let n = 1; text.length < pageSize; n += 1) {
    const { body } = prose.page(`Page ${n}`, [`Page ${n + 1}`])
    text += `# Part ${n}\n\n${body}\n\n[Source ${n}](https://source.example/${n})\n\n`
  }
  return text
}

/** Changes a word or a link in so many paragraphs that lie apart. */
function edit(text: string): string {
  const paragraphs = text.split('\n\n')
  const step = Math.floor(paragraphs.length / hunks)
  return paragraphs
    .map((paragraph, n) => {
      if (n % step !== 0 || n / step >= hunks) return paragraph
      return paragraph.includes('](')
        ? paragraph.replace('source.', 'other.')
        : `${paragraph} One sentence more.`
    })
    .join('\n\n')
}

async function time(run: () => Promise<void>, count = runs): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < warmUps + count; n += 1) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return times.slice(warmUps)
}

const field = z.object({ text: z.object({ totals: z.object({ hunks: z.number() }) }).nullable() })
const answer = z.object({ card: z.object({ fields: z.array(field) }) })

async function readCard(url: string): Promise<void> {
  const response = await fetch(url, { headers: asOwner })
  const { card } = answer.parse(await response.json())
  const found = card.fields[0]?.text?.totals.hunks
  if (found !== hunks) throw new Error(`The card has ${found} hunks`)
}

const list = z.object({ items: z.array(z.unknown()).min(1), next_cursor: z.string().nullable() })

async function readList(url: string, pages: number): Promise<void> {
  let cursor = ''
  for (let page = 0; page < pages; page += 1) {
    const response = await fetch(`${url}${cursor}`, { headers: asOwner })
    const { next_cursor } = list.parse(await response.json())
    cursor = `&cursor=${next_cursor}`
  }
}
