import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { listModels } from '../../../lib/db/repos/embeddings.ts'
import { createHttpEmbedder } from '../../../lib/search/embed/embedder.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { fakeEmbeddings } from '../../helpers/fake-embeddings.ts'
import { runScript } from '../../helpers/run-script.ts'
import { testDb } from '../../helpers/test-db.ts'
import { bestShare, chooseShare } from './choose-share.ts'
import { type Note, questionsFrom } from './own-notes.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-own-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fake = await fakeEmbeddings()
const embedder = createHttpEmbedder({
  provider: 'openai',
  url: fake.url,
  model: 'small',
  readKey: () => null,
})

const pairs = [
  ['Sedan', 'car'],
  ['Surgeon', 'doctor'],
  ['Tenancy', 'rent'],
  ['Dinghy', 'boat'],
] as const
const directions = ['north', 'south', 'east', 'west', 'upward', 'inland']
/** Their titles share no word with their texts, and a meaning. */
const meant: Note[] = pairs.flatMap(([name, word]) =>
  directions.map((direction, at) => ({
    title: `${name} ${direction}`,
    body: `The ${word} is mentioned here, and the ${word} again, on line ${at} of a note that goes on for a while yet.`,
  })),
)
/** Their titles stand in their texts, word for word. */
const written: Note[] = Array.from({ length: 24 }, (_, at) => {
  const name = `quo${'bcdfghjklmnpqrstvwxz'[at % 20]}a${at < 20 ? 'x' : 'z'}`
  return {
    title: name,
    body: `${name} is the subject, ${name} and nothing else, for as long as this note goes on.`,
  }
})

describe('questions from notes', () => {
  test('ask by titles and headings for what stands under them, which holds neither', () => {
    const long =
      'Oil is drawn from the drum in the store room, never in the lantern, and wiped off the floor at once.'
    const body = `# Lamp\n\n## Filling\n\n${long}\n\n## Trimming\n\n${long.replaceAll('Oil', 'Wick')}\n\n## Odd\n\nShort.`

    const { documents, questions, relevant } = questionsFrom([{ title: 'Lamp', body }])

    expect(documents.map(({ text }) => text.slice(0, 4))).toEqual(['Oil ', 'Wick'])
    expect(documents.every(({ title, text }) => title === '' && !text.includes('#'))).toBe(true)
    expect(questions.map(({ id, text }) => [text, [...relevant.get(id)!.keys()]])).toEqual([
      ['Lamp', ['d0', 'd1']],
      ['Filling', ['d0']],
      ['Trimming', ['d1']],
    ])
  })

  test('are no more than three hundred, from all over the notes', () => {
    const body = 'A note that goes on for a while, so that it says enough to be found by what it says alone.'
    const many = Array.from({ length: 900 }, (_, n) => ({ title: `Note number ${n}`, body }))

    const { questions } = questionsFrom(many)

    expect(questions).toHaveLength(300)
    expect(questions.at(-1)?.text).toMatch(/^Note number 89\d$/)
  })
})

describe('the share of meaning', () => {
  const halves = (chosen: number, judged: number) =>
    Array.from({ length: 40 }, (_, at) => (at % 2 ? judged : chosen))

  test.each([
    ['is the one that answers best', { 0: [0.5, 0.5], 0.2: [0.6, 0.6], 0.4: [0.7, 0.7] }, 0.4],
    ['is nothing where words alone are best', { 0: [0.8, 0.8], 0.2: [0.7, 0.7], 0.4: [0.6, 0.6] }, 0],
    ['is nothing where it helps only what it was chosen by', { 0: [0.5, 0.5], 0.2: [0.9, 0.5] }, 0],
    ['is nothing for next to nothing', { 0: [0.5, 0.5], 0.2: [0.504, 0.504] }, 0],
  ])('%s', (_, means, share) => {
    const scores = new Map(Object.entries(means).map(([at, [one, two]]) => [Number(at), halves(one!, two!)]))

    expect(bestShare(scores).share).toBe(share)
  })

  test('is chosen with a real ranking and an embedding server', async () => {
    const useful = await chooseShare(await testDb(), embedder, questionsFrom(meant))
    const useless = await chooseShare(await testDb(), embedder, questionsFrom(written))

    expect(useful.share).toBeGreaterThan(0)
    expect(useful.ndcg_meaning).toBeGreaterThan(useful.ndcg_words + 0.2)
    expect(useless).toMatchObject({ share: 0, ndcg_words: 1 })
  })

  test('needs enough questions', async () => {
    await expect(chooseShare(await testDb(), embedder, questionsFrom(meant.slice(0, 5)))).rejects.toThrow(
      '5 questions can be made from these notes',
    )
  })
})

test('npm run eval:search -- --own SPACE stores what it chose with the model', async () => {
  const data = makeDataFolder(join(folder, 'data'))
  await openStore(data, async (database) => {
    const space = await createSpace(database, { kind: 'owner' }, { name: 'Notes' })
    for (const { title, body } of meant) {
      await database.query(
        `insert into pages (id, space_id, title, body, position, created_by, updated_by)
         values (gen_random_uuid(), $1, $2, $3, 0, 'owner', 'owner')`,
        [space.id, title, body],
      )
    }
  })
  const run = (more: Record<string, string>) =>
    runScript('tests/tools/eval/main.ts', ['--own', 'notes'], {
      env: { DATA_DIR: data, ...more },
      cwd: folder,
    })
  const settings = { EMBEDDING_PROVIDER: 'openai', EMBEDDING_URL: fake.url, EMBEDDING_MODEL: 'small' }

  const without = await run({})
  const { code, out, error } = await run(settings)

  expect([without.code, without.error]).toEqual([1, expect.stringContaining('EMBEDDING_PROVIDER is not set')])
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(/24 questions\. Meaning counts [1-5]0 % from now on\./)
  await openStore(data, async (database) => {
    const [model] = await listModels(database)
    expect(model).toMatchObject({ model: 'small', measured_questions: 24 })
    expect(model!.share).toBeGreaterThan(0)
    expect(model!.ndcg_meaning).toBeGreaterThan(model!.ndcg_words!)
  })
})

async function openStore(
  data: string,
  use: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
) {
  const claimed = claimDataFolder(data, { exclusive: true })
  const database = await openDatabase({ folder: claimed.store })
  try {
    await use(database)
  } finally {
    await database.close()
    claimed.release()
  }
}
