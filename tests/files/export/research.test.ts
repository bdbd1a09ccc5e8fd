// Research runs leave with their Space, and do not come back as pages.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { createWriter } from '../../../lib/content/writes/write.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { machineCalendar } from '../../../lib/core/schedule/calendar.ts'
import { exportVault } from '../../../lib/files/export/export-vault.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { createSearch } from '../../../lib/search/search.ts'
import {
  claimsOf,
  createResearchClient,
  createStageModel,
  numberOf,
  runOf,
} from '../../companion/research/research-client.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeWorld } from '../../helpers/world.ts'

const hostile = 'The lamp turns once in twelve seconds. <script>alert(1)</script> ![x](http://a/b.png)'
const model = createStageModel({
  write: (request) => claimsOf({ text: hostile, cites: [numberOf(request, 'twelve seconds')] }),
})
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const { owner, deps, app } = await buildApp({ callModel, namingQuietMs: 3_600_000 })
const { database } = deps
const url = await listen(app)

async function makeRuns() {
  const world = await makeWorld({ owner })
  const client = createResearchClient({ url, owner, space_id: world.space.id })
  const run = runOf(await client.ask('How does the lamp work?', 'quick'))
  await client.resume(run)
  await owner.patch(`/api/research/${run}`).send({ title: 'Lamp: how/why?', labels: ['lamp'] })
  const waiting = runOf(await client.ask('And the tank?', 'quick'))
  return { world, run, waiting, stored: await client.find(run) }
}

test('a Space is exported with its runs, to be read and as data', async () => {
  const { world, run, waiting, stored } = await makeRuns()
  const files = new Map<string, string>()
  const space = { ...world.space, description: '', color: 'violet' as const, emoji: '' }
  for await (const { path, bytes } of exportVault({ database, kinds, space, trash: false }))
    files.set(path, Buffer.from(bytes).toString())

  const paths = [...files.keys()].filter((path) => path.startsWith('Research runs/'))
  expect(paths.toSorted()).toEqual([
    expect.stringMatching(/^Research runs\/And the tank.*\.json$/),
    expect.stringMatching(/^Research runs\/And the tank.*\.md$/),
    'Research runs/Lamp- how-why-.json',
    'Research runs/Lamp- how-why-.md',
  ])
  const note = files.get('Research runs/Lamp- how-why-.md')!
  expect(note).toContain(`void:\n  kind: "research"\n  id: "${run}"\n  title: "Lamp: how/why?"\n`)
  expect(note).toContain('  labels: ["lamp"]\n')
  expect(note).toContain('## References')
  expect(note).toContain('(The lamp.md)')
  for (const line of note.split('\n')) {
    if (!line.startsWith('    ')) expect(line).not.toMatch(/(?<!\\)<script|(?<!\\)\]\(http/)
  }
  const data = JSON.parse(files.get('Research runs/Lamp- how-why-.json')!)
  expect(data).toMatchObject({ format: 1, id: run, labels: ['lamp'], outcome: stored.outcome })
  expect(data.claims).toEqual(stored.claims)
  expect(data.evidence).toHaveLength(stored.counts.evidence)
  expect(data.evidence[0]).toMatchObject({ n: '1', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(data.summary).toContain('How does the lamp work?')
  const open = paths.find((path) => /tank.*\.json$/.test(path))!
  expect(JSON.parse(files.get(open)!)).toMatchObject({ id: waiting, status: 'paused', answer: null })
})

test('an import leaves them out, and says so', async () => {
  const { world } = await makeRuns()
  const space = { ...world.space, description: '', color: 'violet' as const, emoji: '' }
  const files = await Array.fromAsync(exportVault({ database, kinds, space, trash: false }))
  const { body: next } = await owner.post('/api/spaces').send({ name: 'Next' })
  const writer = createWriter({
    kinds,
    search: createSearch({ db: database, kinds }),
    calendar: machineCalendar(() => new Date()),
  })
  const result = await importFiles({
    ...{
      database,
      writer,
      importFolder: join(tmpdir(), 'void-research-export'),
      space_id: next.id,
      source: 'vault',
      files,
    },
  })

  const { body: pages } = await owner.get(`/api/spaces/${next.id}/pages`)
  expect(pages.items.map(({ title }: { title: string }) => title).toSorted()).toEqual([
    "Lease of the keeper's house",
    'The lamp',
  ])
  const reasons = result.notes.filter(({ path }) => path.startsWith('Research runs/'))
  expect(reasons).toHaveLength(4)
  expect(reasons[0]!.reason).toBe('it is a record of research, which is not imported')
  const { body: documents } = await owner.get(`/api/spaces/${next.id}/source-docs`)
  expect(documents.items).toEqual([])
})

test('JSON Lines have a line for each, with claims and passages', async () => {
  const { world, run, waiting, stored } = await makeRuns()
  const { text } = await owner.get(`/api/spaces/${world.space.id}/export`).buffer(true)
  const lines = text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line))

  const runs = lines.filter(({ type }: { type: string }) => type === 'research_run')
  expect(runs.map(({ id }: { id: string }) => id)).toEqual([run, waiting])
  expect(runs[0].claims).toHaveLength(stored.claims.length)
  expect(runs[0].evidence).toHaveLength(stored.counts.evidence)
  expect(lines.at(-1).counts.research_run).toBe(2)
})
