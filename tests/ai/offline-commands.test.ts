// Commands become drafts: the right ones, and none where it is unclear what is meant.

import { describe, expect, test } from 'vitest'
import { idOf, send } from './offline-space.ts'

const [stores, hours, rail, hinges, repairs] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)]

const shapes = async (text: string, view?: string) =>
  (await send(text, view ? { view } : {})).drafts.map(
    ({ entity_type, action, entity_id, payload, edits }) => ({
      ...{ entity_type, action },
      ...(entity_id ? { entity_id } : {}),
      ...(payload ? { payload } : {}),
      ...(edits ? { edits } : {}),
    }),
  )

const create = (entity_type: string, payload: object) => ({ entity_type, action: 'create', payload })
const update = (entity_type: string, entity_id: string, payload: object) => ({
  ...{ entity_type, action: 'update', entity_id, payload },
})

describe('creating', () => {
  test.each([
    ['create a task to call the plumber tomorrow', { title: 'Call the plumber', due_on: '2026-03-04' }],
    [
      'remind me to call the plumber tomorrow at 9',
      {
        title: 'Call the plumber',
        due_on: '2026-03-04',
        remind_at: new Date(2026, 2, 4, 9).toISOString(),
      },
    ],
    [
      'remind me tomorrow at 9 to call the plumber',
      {
        title: 'Call the plumber',
        due_on: '2026-03-04',
        remind_at: new Date(2026, 2, 4, 9).toISOString(),
      },
    ],
    [
      'add a task: Call dad 4 Dec 15:00',
      { title: 'Call dad', due_on: '2026-12-04', remind_at: new Date(2026, 11, 4, 15).toISOString() },
    ],
    ['remind me to trim the wick on 15 March', { title: 'Trim the wick', due_on: '2026-03-15' }],
    ['could you please add a task to ring Ann in two weeks?', { title: 'Ring Ann', due_on: '2026-03-17' }],
    ['Create a task "Read tomorrow"', { title: 'Read tomorrow' }],
    ['add a task to buy rope to project Summer repairs', { title: 'Buy rope', project_id: repairs }],
  ])('a task: %s', async (text, payload) => {
    expect(await shapes(text)).toEqual([create('task', payload)])
  })

  test.each([
    ['add a page called Tides with High at noon', { title: 'Tides', body: 'High at noon' }],
    [
      'create a page "Life with birds": Mind the gulls.',
      { title: 'Life with birds', body: 'Mind the gulls.' },
    ],
    ['add a page Rope under Stores', { title: 'Rope', parent_id: stores }],
    [
      'create a page "Rope" under Stores with "Forty fathoms."',
      { title: 'Rope', body: 'Forty fathoms.', parent_id: stores },
    ],
    [
      'Add a page called Log with:\n## Today\nDelete nothing\n- one',
      { title: 'Log', body: '## Today\nDelete nothing\n- one' },
    ],
    [
      'Create a page called Compost with: Turn it weekly. Keep it moist. Add leaves.',
      { title: 'Compost', body: 'Turn it weekly. Keep it moist. Add leaves.' },
    ],
    [
      'add a page called Oil with the text: Drain it, then remove the wick. Delete nothing!',
      { title: 'Oil', body: 'Drain it, then remove the wick. Delete nothing!' },
    ],
  ])('a page: %s', async (text, payload) => {
    expect(await shapes(text)).toEqual([create('page', payload)])
  })

  test('a link', async () => {
    expect(await shapes('save this link https://example.org/a-b as Tide tables')).toEqual([
      create('ref', { title: 'Tide tables', url: 'https://example.org/a-b' }),
    ])
    expect(await shapes('bookmark https://www.example.org/tide-tables.html')).toEqual([
      create('ref', {
        title: 'example.org/tide-tables.html',
        url: 'https://www.example.org/tide-tables.html',
      }),
    ])
  })

  test('a list of tasks', async () => {
    expect(await shapes('Create these tasks:\n- sweep\n- wash windows by friday')).toEqual([
      create('task', { title: 'Sweep' }),
      create('task', { title: 'Wash windows', due_on: '2026-03-06' }),
    ])
  })
})

describe('changing', () => {
  test.each([
    ['mark paint the gallery rail as done', update('task', rail, { status: 'done' })],
    ['cancel task Paint the gallery rail', update('task', rail, { status: 'cancelled' })],
    ['reopen Oil the hinges', update('task', hinges, { status: 'open' })],
    ['mark the Summer repairs project as on hold', update('project', repairs, { status: 'on_hold' })],
    ['rename Stores to Things to keep', update('page', stores, { title: 'Things to keep' })],
    [
      'set the due date of Paint the gallery rail to 15 March',
      update('task', rail, { due_on: '2026-03-15' }),
    ],
    ['clear the due date of Paint the gallery rail', update('task', rail, { due_on: null })],
    ['postpone Paint the gallery rail to next friday', update('task', rail, { due_on: '2026-03-13' })],
  ])('%s', async (text, draft) => {
    expect(await shapes(text)).toEqual([draft])
  })

  test.each([
    ['append "Wicks" to page Stores', stores, [{ append: 'Wicks' }]],
    ['add Wicks to the page Stores', stores, [{ append: 'Wicks' }]],
    ['append to page Opening hours: Open on Sunday.', hours, [{ append: 'Open on Sunday.' }]],
  ])('the text: %s', async (text, entity_id, edits) => {
    expect(await shapes(text)).toEqual([{ entity_type: 'page', action: 'update', entity_id, edits }])
  })

  test('what the owner has open', async () => {
    expect(await shapes('mark this as in progress', 'Paint the gallery rail')).toEqual([
      update('task', rail, { status: 'in_progress' }),
    ])
    expect(await shapes('delete this page', 'Stores')).toEqual([
      { entity_type: 'page', action: 'delete', entity_id: stores },
    ])
  })
})

describe('several commands in one message', () => {
  test('become several drafts, and a task goes into the project that is drafted with it', async () => {
    const [project, task, done] = await shapes(
      'Create a project Winter and then add a task stack wood to project Winter; mark Paint the gallery rail done',
    )

    expect(project).toEqual(create('project', { title: 'Winter' }))
    expect([task, done]).toContainEqual(update('task', rail, { status: 'done' }))
    expect([task, done]).toContainEqual(create('task', { title: 'Stack wood', project_id: idOf(901) }))
  })

  test('a project with its tasks', async () => {
    const drafts = await shapes('add a project Garden with tasks dig, plant potatoes and water')

    expect(drafts[0]).toEqual(create('project', { title: 'Garden' }))
    expect(drafts.slice(1).map(({ payload }) => payload)).toEqual([
      { title: 'Dig', project_id: idOf(901) },
      { title: 'Plant potatoes', project_id: idOf(901) },
      { title: 'Water', project_id: idOf(901) },
    ])
  })

  test('a task and a page, the second without a verb', async () => {
    expect(await shapes('Create a task to oil the lock and a page called Locks with Two of brass.')).toEqual([
      create('task', { title: 'Oil the lock' }),
      create('page', { title: 'Locks', body: 'Two of brass.' }),
    ])
  })

  test('one on each line of a list, and what is not understood among them is named', async () => {
    const { text, drafts } = await send(
      'Please do the following:\n1. Create a task to sweep.\n2. Rename Stores to Supplies\n3. Delete',
    )

    expect(drafts).toHaveLength(2)
    expect(text).toContain('I did not understand “Delete”')
  })

  test('a task that holds an "and" stays one', async () => {
    expect(await shapes('create a task to wash and delete the old paint')).toEqual([
      create('task', { title: 'Wash and delete the old paint' }),
    ])
  })
})

describe('nothing is drafted', () => {
  test.each([
    ['delete Paint', /more than one “Paint”[\s\S]*page \*\*Paint\*\*[\s\S]*task \*\*Paint\*\*/],
    ['delete everything', /nothing called “everything”/],
    ['delete the task Paint the galery rail', /Did you mean[\s\S]*Paint the gallery rail/],
    ['mark the Summer repairs project as in progress', /could not read “in progress” as a status/],
    ['delete this page', /nothing open/],
    ['mark Oil the hinges as done', /like that already/],
    ['set the due date of Paint the gallery rail to whenever', /could not read “whenever”/],
    ['create a task', /What should the task be called/],
  ])('%s', async (text, answer) => {
    const answered = await send(text)

    expect(answered.drafts).toEqual([])
    expect(answered.text).toMatch(answer)
  })

  test.each([
    'how do I delete a page?',
    'what happens when I create a task?',
    'The lamp was renamed to lantern',
    "don't delete the page Stores",
    'approve it',
    'replace Monday with Friday in page Opening hours',
  ])('and nothing is misread: %s', async (text) => {
    expect((await send(text)).drafts).toEqual([])
  })
})

describe('the answer', () => {
  test('leaves what is drafted to the card, and says that nothing has changed', async () => {
    const { text } = await send('create a task to sweep')

    expect(text).toBe('I drafted this; nothing has changed yet.')
  })

  test('tells the error of a draft that was refused', async () => {
    const { text } = await send('create a task to sweep', { refuse: 'The Space is full.' })

    expect(text).toContain('The Space is full.')
    expect(text).not.toContain('I drafted')
  })

  test('gives the owner’s own words as the reason', async () => {
    const [draft] = (await send('create a task to sweep the stairs')).drafts

    expect(draft?.reason).toBe('You asked: “create a task to sweep the stairs”')
  })
})
