import { beforeAll, describe, expect, test } from 'vitest'
import type { TaskGroups } from '../../lib/contract/space/home.ts'
import type { Suggestion } from '../../lib/contract/space/search.ts'
import { buildApp, type TestApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'

let void_: TestApp
let world: World
let at: string

beforeAll(async () => {
  void_ = await buildApp()
  world = await makeWorld(void_)
  at = `/api/spaces/${world.space.id}`
  for (const task of [
    { title: 'Fetch oil', due_on: '2031-03-02' },
    { title: 'Wind the clock', due_on: '2031-03-01', priority: 'low' },
    { title: 'Oil the hinges', due_on: '2031-03-01', project_id: world.repairs.id },
    { title: 'Wash the lens', status: 'done' },
  ]) {
    await void_.owner.post(`${at}/tasks`).send(task).expect(201)
  }
})

async function groups(query: string): Promise<[string, number, string[]][]> {
  const { body } = await void_.owner.get(`${at}/task-groups?${query}`).expect(200)
  return (body as TaskGroups).groups.map(({ status, count, items }) => [
    status,
    count,
    items.map(({ title }) => title),
  ])
}

describe('the tasks by status', () => {
  test('come by due date and priority, with counts', async () => {
    const [open, , done] = await groups('')

    expect(open).toEqual([
      'open',
      4,
      ['Oil the hinges', 'Wind the clock', 'Fetch oil', 'Paint the gallery rail'],
    ])
    expect(done).toEqual(['done', 1, ['Wash the lens']])
  })

  test('are counted without those that a filter leaves out', async () => {
    const [due] = await groups('due_from=2031-03-01&due_to=2031-03-01')
    const [ofProject] = await groups(`project_id=${world.repairs.id}`)
    const [undated, , done] = await groups('undated=true&closed=0')

    expect(due?.slice(1)).toEqual([2, ['Oil the hinges', 'Wind the clock']])
    expect(ofProject?.slice(1)).toEqual([1, ['Oil the hinges']])
    expect(undated?.slice(1)).toEqual([1, ['Paint the gallery rail']])
    expect(done?.slice(1)).toEqual([1, []])
  })

  test('are as many as are asked for, with the count of all', async () => {
    const [open] = await groups('active=2')

    expect(open?.slice(1)).toEqual([4, ['Oil the hinges', 'Wind the clock']])
  })
})

describe('suggestions', () => {
  async function suggest(query: string): Promise<string[]> {
    const { body } = await void_.owner.get(`/api/suggest?${query}`).expect(200)
    return (body as { items: Suggestion[] }).items.map(({ title }) => title)
  }

  test('find titles by the beginnings of their words, those that begin so first', async () => {
    expect(await suggest('q=oil')).toEqual(['Oil the hinges', 'Fetch oil'])
    expect(await suggest('q=gal+pai')).toEqual(['Paint the gallery rail'])
    expect(await suggest('q=il')).toEqual([])
  })

  test('take the signs of a regular expression for what they are', async () => {
    expect(await suggest(`q=${encodeURIComponent('(oil.*')}`)).toEqual(['Oil the hinges', 'Fetch oil'])
    expect(await suggest(`q=${encodeURIComponent('.*')}`)).toEqual([])
  })

  test('are what changed last when nothing is typed', async () => {
    expect((await suggest('limit=2'))[0]).toBe('Wash the lens')
  })

  test('stay within the Spaces of a token', async () => {
    const { token } = await makeAgent(void_, { slug: 'clerk', spaces: [world.other.id] })

    const { body } = await void_.as(token).get('/api/suggest?q=oil').expect(200)

    expect(body).toEqual({ items: [] })
  })

  test('know a word behind an underscore or another mark', async () => {
    await void_.owner.post(`${at}/pages`).send({ title: '6_sql (joins)-left' }).expect(201)

    for (const q of ['6_sql (joins)-left', 'sql', 'joins', 'left', '6_sq'])
      expect(await suggest(`q=${encodeURIComponent(q)}`)).toEqual(['6_sql (joins)-left'])
    expect(await suggest('q=ql')).toEqual([])
  })
})

test('a list goes on where it stopped, in every order', async () => {
  for (const sort of ['newest', 'changed', 'title']) {
    const whole = await void_.owner.get(`${at}/tasks?sort=${sort}`).expect(200)
    const titles: string[] = []
    let cursor = ''
    do {
      const { body } = await void_.owner.get(`${at}/tasks?sort=${sort}&limit=2${cursor}`).expect(200)
      titles.push(...body.items.map(({ title }: { title: string }) => title))
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : ''
    } while (cursor)

    expect(titles).toEqual(whole.body.items.map(({ title }: { title: string }) => title))
    if (sort === 'title') expect(titles[0]).toBe('Fetch oil')
  }
})
