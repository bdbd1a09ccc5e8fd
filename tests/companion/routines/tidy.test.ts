import { describe, expect, test } from 'vitest'
import { doneTasks, findCopies, likelyTargets } from '../../../lib/companion/routines/ready/find-untidy.ts'
import { buildApp } from '../../helpers/build-app.ts'

const app = await buildApp()
const { owner } = app

async function makeSpace(pages: [title: string, body: string][], tasks: string[] = []) {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' })
  const at = `/api/spaces/${space.id}`
  const ids: Record<string, string> = {}
  for (const [title, body] of pages)
    ids[`${title}${ids[title] ? ' again' : ''}`] = (
      await owner.post(`${at}/pages`).send({ title, body }).expect(201)
    ).body.id
  for (const title of tasks)
    ids[title] = (await owner.post(`${at}/tasks`).send({ title }).expect(201)).body.id
  const { body: routine } = await owner
    .post(`${at}/routines`)
    .send({
      name: 'Tidy',
      instruction: 'Tidy up.',
      ready: 'tidy',
      when: { schedule: 'FREQ=DAILY;BYHOUR=7;BYMINUTE=0' },
    })
    .expect(201)
  return { at, ids, routine }
}

async function run(id: string, dry_run = false) {
  const started = await owner.post(`/api/routines/${id}/run`).send({ dry_run }).expect(202)
  for (;;) {
    const { body } = await owner.get(`/api/routines/${id}/runs`)
    const last = body.items.find(({ turn_id }: { turn_id: string }) => turn_id === started.body.turn_id)
    if (last.status !== 'running') {
      const drafts = await Promise.all(
        last.draft_ids.map(async (draft: string) => (await owner.get(`/api/pending-changes/${draft}`)).body),
      )
      return { ...last, found: drafts, conversation_id: started.body.conversation_id }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const copied = 'The lamp turns once in twelve seconds.'
const untidy = () =>
  makeSpace(
    [
      ['The lighthouse lamp', 'See [[Lease of the house]].'],
      [
        'Lease of the house',
        'Read [[The lighthouse lmap|the lamp]] and [[the-lighthouse-lamp#oil]], not [[Nowhere at all]].',
      ],
      ['Copy', copied],
      ['Copy', copied],
      ['Untitled', '# Tides of June\n\nHigh at six.'],
      ['Rounds', '- [x] Paint the gallery rail\n- [ ] Oil the hinge'],
      ['Alone', 'Nobody links here.'],
    ],
    ['Paint the gallery rail', 'Oil the hinge', 'Call Anna'],
  )

test('without a model, what is untidy is drafted with its evidence, as one changeset', async () => {
  const { ids, routine } = await untidy()
  const { status, found, conversation_id } = await run(routine.id)
  const messages = await owner.get(`/api/conversations/${conversation_id}/messages`)

  expect(status).toBe('done')
  expect(new Set(found.map(({ changeset_id }: { changeset_id: string }) => changeset_id)).size).toBe(1)
  expect(
    found.map(({ entity_id, action, payload, reason }: Record<string, unknown>) => [
      entity_id,
      action,
      payload,
      reason,
    ]),
  ).toEqual([
    [
      ids['Lease of the house'],
      'update',
      {
        body: 'Read [[The lighthouse lamp|the lamp]] and [[The lighthouse lamp#oil]], not [[Nowhere at all]].',
      },
      expect.stringContaining('“The lighthouse lmap” → “The lighthouse lamp”'),
    ],
    [ids['Paint the gallery rail'], 'update', { status: 'done' }, 'It is ticked off on the page “Rounds”.'],
    [ids.Untitled, 'update', { title: 'Tides of June' }, 'The page has no title. This is its first line.'],
    [
      ids['Copy again'],
      'delete',
      {},
      expect.stringMatching(/^It has the same text as “Copy” \(“Copy\.md”\), and nothing links to it\.$/),
    ],
  ])
  const answer = messages.body.items.at(-1).body
  expect(answer).toContain('2 pages are called “Copy”.')
  expect(answer).toContain('Nothing links to or from')
  expect(answer).toContain('“Alone”')
})

test('what waits is not drafted again, nor what was rejected: the run is silent', async () => {
  const { routine } = await untidy()
  const first = await run(routine.id)
  const waiting = await run(routine.id)
  for (const id of first.draft_ids) await owner.post(`/api/pending-changes/${id}/reject`).send({}).expect(200)
  const rejected = await run(routine.id)

  expect([waiting.status, waiting.draft_ids]).toEqual(['nothing_to_do', []])
  expect([rejected.status, rejected.draft_ids]).toEqual(['nothing_to_do', []])
})

test('a tidy Space is left alone, and a dry run stores nothing', async () => {
  const tidy = await makeSpace([
    ['One', 'See [[Two]].'],
    ['Two', 'See [[One]].'],
  ])
  const { routine } = await untidy()
  const dry = await run(routine.id, true)

  expect(await run(tidy.routine.id)).toMatchObject({ status: 'nothing_to_do', draft_ids: [] })
  expect([dry.status, dry.draft_ids]).toEqual(['done', []])
})

test('at most twenty things are drafted in a run, the rest in the next', async () => {
  const { routine } = await makeSpace(
    [['Rounds', Array.from({ length: 25 }, (_, n) => `- [x] Round number ${n}`).join('\n')]],
    Array.from({ length: 25 }, (_, n) => `Round number ${n}`),
  )
  const { draft_ids } = await run(routine.id)

  expect(draft_ids).toHaveLength(20)
})

test('a broken link is mended only where one page can be meant', () => {
  const pages = ['The lighthouse lamp', 'Harbor 1', 'Harbor 2', 'Cats', 'Pump station', 'Pump stations'].map(
    (title) => ({ id: title, title, path: `notes/${title}.md` }),
  )
  const to = (target: string) => likelyTargets([{ page_id: 'p', target }], pages)[0]?.title

  expect(to('the  Lighthouse-Lamp')).toBe('The lighthouse lamp')
  expect(to('The lighthouse lmap')).toBe('The lighthouse lamp')
  expect(to('notes/The lighthouse lamps')).toBe('The lighthouse lamp')
  expect(to('Harbor 3')).toBeUndefined()
  expect(to('Cars')).toBeUndefined()
  expect(to('Pump statio')).toBe('Pump station')
  expect(to('Pump stationz')).toBeUndefined()
})

describe('a broken link is left alone', () => {
  const page = (path: string) => ({ id: path, path, title: path.split('/').at(-1)!.replace(/\.md$/, '') })
  const to = (targets: string[], paths: string[]) =>
    likelyTargets(
      targets.map((target, at) => ({ page_id: `p${at}`, target })),
      paths.map(page),
    ).map(({ title }) => title)

  test('where a letter makes it another word', () => {
    expect(to(['Claude'], ['Clause.md'])).toEqual([])
    expect(to(['Harbour mastor'], ['Harbour master.md'])).toEqual(['Harbour master'])
  })

  test('where several pages name it: what is written twice is meant so', () => {
    expect(to(['Prompt', 'Prompt'], ['Prompts.md'])).toEqual([])
    expect(to(['Prompt', 'prompt-s'], ['Prompts.md'])).toEqual(['Prompts', 'Prompts'])
  })

  test('where it names another folder than the page of nearly that name', () => {
    expect(to(['tags/plugin/transformer'], ['plugins/Transformers.md'])).toEqual([])
    expect(to(['plugins/transformer'], ['docs/plugins/Transformers.md'])).toEqual(['Transformers'])
  })

  test('where a page of that name behind a number is meant as well', () => {
    expect(to(['capturePayment'], ['old/capture payment.md', '6.1capturePayment.md'])).toEqual([])
    expect(to(['capturePayment'], ['old/capture payment.md'])).toEqual(['capture payment'])
  })
})

test('the folder of an import is no target, and no page that has its title a second time', async () => {
  const { at, routine } = await makeSpace([['Guide', 'See [[x/the-prompts]] and [[Old/The Prompts]].']])
  const parent = await owner.post(`${at}/pages`).send({ title: 'The prompts', body: '' }).expect(201)
  const below = { title: 'The prompts', body: 'One of many.', parent_id: parent.body.id }
  const before = await run(routine.id)
  await owner.post(`${at}/pages`).send(below).expect(201)
  const after = await run(routine.id)
  const messages = await owner.get(`/api/conversations/${after.conversation_id}/messages`)

  expect(before.draft_ids).toEqual([])
  expect(after.draft_ids).toHaveLength(1)
  expect(messages.body.items.at(-1).body).not.toContain('2 pages are called')
})

describe('pages with the same text', () => {
  const body = 'The lamp turns once in twelve seconds.'
  const found = (pages: [title: string, path: string, linked?: boolean][], text = body) => {
    const { drafts, notes } = findCopies({
      ids: pages.map((_, at) => String(at)),
      titles: pages.map(([title]) => title),
      paths: pages.map(([, path]) => path),
      linked: pages.map(([, , linked = false]) => linked),
      body: text,
    })
    return [drafts.map(({ entity_id }) => entity_id), notes]
  }

  test('and a title that programs give copies are copies; the one without a mark stays', () => {
    expect(
      found([
        ['Lamp 1', 'a'],
        ['Lamp 2', 'b'],
        ['Lamp', 'c'],
      ]),
    ).toEqual([['0', '1'], []])
    expect(
      found([
        ['Lamp', 'a'],
        ['lamp (2)', 'b'],
        ['Copy of Lamp', 'c'],
        ['Lamp copy', 'd'],
      ]),
    ).toEqual([['1', '2', '3'], []])
    expect(
      found([
        ['Untitled', 'a'],
        ['Lamp', 'b'],
      ]),
    ).toEqual([['0'], []])
  })

  test('under another title are named, not deleted: the text may be what is wrong', () => {
    const [drafts, notes] = found([
      ['L3', 'a'],
      ['L4', 'b'],
      ['Notes App', 'c'],
    ])

    expect(drafts).toEqual([])
    expect(notes).toEqual(['“L4” has the same text as “L3”.', '“Notes App” has the same text as “L3”.'])
  })

  test('are not named where they are drawings, which have the same text as long as they are empty', () => {
    const drawing =
      '---\nexcalidraw-plugin: parsed\n---\n\nSwitch to the view of drawings in the menu.\n\n# Drawing\n'

    expect(
      found(
        [
          ['Lamp.excalidraw', 'Lamp.excalidraw.md'],
          ['Boat.excalidraw', 'Boat.excalidraw.md'],
        ],
        drawing,
      ),
    ).toEqual([[], []])
  })

  test('stay where something links to them', () => {
    expect(
      found([
        ['Lamp', 'a'],
        ['Lamp', 'b', true],
        ['Lamp', 'c', true],
      ]),
    ).toEqual([['0'], []])
  })

  test('are none as long as they have but the headings of a template', () => {
    expect(
      found(
        [
          ['A', 'a'],
          ['A', 'b'],
        ],
        '## Table of contents\n\n- [Table of contents](#t)\n',
      ),
    ).toEqual([[], []])
  })
})

test.each([
  ['## Table of Contents\n\n', null],
  ['# Contents:\n\n## Tides of June\n\nHigh at six.', 'Tides of June'],
])('a page without a title is not called by a heading that any page has: %j', async (body, title) => {
  const { routine } = await makeSpace([['Untitled', body]])
  const { found } = await run(routine.id)

  expect(found.map(({ payload }: { payload: object }) => payload)).toEqual(title === null ? [] : [{ title }])
})

test('a copy without a title is deleted, and not named as well', async () => {
  const { ids, routine } = await makeSpace([
    ['Untitled', `# Lamp\n\n${copied}`],
    ['Lamp', `# Lamp\n\n${copied}`],
  ])
  const { found } = await run(routine.id)

  expect(found.map(({ entity_id, action }: Record<string, unknown>) => [entity_id, action])).toEqual([
    [ids.Untitled, 'delete'],
  ])
})

test('broken links are found behind any number of those that lead nowhere on purpose', async () => {
  const stubs = Array.from({ length: 300 }, (_, n) => `[[Stub ${n}]]`).join(' ')
  const { ids, routine } = await makeSpace([
    ['First', stubs],
    ['The lighthouse lamp', 'Light.'],
    ['Last', 'See [[the-lighthouse-lamp#oil]] and [[The lighthouse lmap]].'],
  ])
  const { found } = await run(routine.id)

  expect(found.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual([ids.Last])
})

test('a task that is ticked in one place and open in another is open', () => {
  const tasks = [{ id: 't', title: 'Oil the hinge' }]
  const page = (body: string) => ({ id: 'p', title: 'Rounds', body })

  expect(doneTasks(tasks, [page('* [X] oil the  hinge')])).toHaveLength(1)
  expect(doneTasks(tasks, [page('* [x] Oil the hinge'), page('- [ ] Oil the hinge')])).toEqual([])
})

test('a page that is still as its template is no copy of it', async () => {
  const made = '---\ntags:\n  - music/genres\n---\n\n![[Albums.base#Genre]]\n'
  const { routine } = await makeSpace([
    ['Genre template', made],
    ['Jazz', made],
  ])

  expect(await run(routine.id)).toMatchObject({ status: 'nothing_to_do', draft_ids: [] })
})
