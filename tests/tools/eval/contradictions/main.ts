// `npm run eval:contradictions -- --data FOLDER`: labelled documents (see eval:claims) as the pages of one Space, in which the
// routine Contradictions runs without a model until it is silent. A pair is right where both documents answer one question,
// and answer it differently. Exits with 1 below 85 % or with a pair that comes twice.

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildApp } from '../../../helpers/build-app.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { readLabelled } from '../claims/labelled-claims.ts'
import { openEvalDatabase } from '../open-database.ts'

printHelp(import.meta.url)

const { values } = parseArgs({
  options: { data: { type: 'string' }, mistakes: { type: 'boolean', default: false } },
})
if (!values.data || !existsSync(values.data)) {
  console.log('Usage: npm run eval:contradictions -- --data FOLDER [--mistakes]')
  process.exit(2)
}

const minPrecision = 0.85
const pages = readLabelled(values.data).documents.flatMap(({ question, documents }) =>
  documents.map(({ passage, answer }) => ({
    question,
    answer: answer?.toLowerCase() ?? null,
    text: passage.text,
  })),
)
const { database, close } = await openEvalDatabase(undefined)
const { owner } = await buildApp({ database })
const { body: space } = await owner.post('/api/spaces').send({ name: 'Contradictions' }).expect(201)
const byId = new Map<string, (typeof pages)[number]>()
for (const [at, page] of pages.entries()) {
  const sent = { title: `Document ${at + 1}`, body: page.text }
  byId.set((await owner.post(`/api/spaces/${space.id}/pages`).send(sent).expect(201)).body.id, page)
}
const { body: routine } = await owner
  .post(`/api/spaces/${space.id}/routines`)
  .send({
    name: 'Contradictions',
    instruction: 'Look for contradictions.',
    ready: 'contradictions',
    when: { schedule: 'FREQ=DAILY;BYHOUR=5;BYMINUTE=0' },
  })
  .expect(201)

const started = performance.now()
let runs = 0
for (let last = ''; last !== 'nothing_to_do'; runs++) {
  const { body: run } = await owner.post(`/api/routines/${routine.id}/run`).send({}).expect(202)
  const { status, draft_ids } = await ended(run.turn_id)
  if (status === 'failed') throw new Error('The run failed.')
  for (const id of draft_ids) await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)
  last = status
}
const { body: listed } = await owner.get(`/api/spaces/${space.id}/pages?limit=200&q=Contradictions`)
const ledger = listed.items.find(({ title }: { title: string }) => title === 'Contradictions')
const { body: page } = await owner.get(`/api/pages/${ledger.id}`).expect(200)
const entries = String(page.body)
  .split(/^- \*\*/m)
  .slice(1)
const pairs = entries.map((entry) => [...entry.matchAll(/\/pages\/([0-9a-f-]{36})/g)].map(([, id]) => id!))
const isRight = ([a, b]: string[]) => {
  const [one, other] = [byId.get(a!)!, byId.get(b!)!]
  return (
    one.question === other.question &&
    one.answer !== null &&
    other.answer !== null &&
    one.answer !== other.answer
  )
}
const right = pairs.filter(isRight).length
const twice = pairs.length - new Set(pairs.map((pair) => pair.toSorted().join(' '))).size
const seconds = Math.round((performance.now() - started) / 1000)
console.log(
  '| pages | runs | pairs | right | precision | twice | seconds |\n| --- | --- | --- | --- | --- | --- | --- |',
)
console.log(
  `| ${[pages.length, runs, pairs.length, right, `${((100 * right) / pairs.length).toFixed(1)} %`, twice, seconds].join(' | ')} |`,
)
if (values.mistakes)
  for (const [at, pair] of pairs.entries()) if (!isRight(pair)) console.log(`\n- **${entries[at]}`)
await close()
process.exit(right < minPrecision * pairs.length || twice > 0 ? 1 : 0)

async function ended(turnId: string) {
  for (;;) {
    const { body } = await owner.get(`/api/routines/${routine.id}/runs`)
    const run = body.items.find(({ turn_id }: { turn_id: string }) => turn_id === turnId)
    if (run && run.status !== 'running') return run
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
