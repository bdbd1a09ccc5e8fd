// What comes first, what comes at all, and what is left out: over HTTP, as the palette, the page of results and agents ask.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SearchItem, SearchPage } from '../../lib/contract/space/search.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'

const { app, owner, deps } = await buildApp()

async function newSpace(name: string, pages: Record<string, string>): Promise<string> {
  const { body } = await owner.post('/api/spaces').send({ name })
  for (const [title, text] of Object.entries(pages)) {
    await owner.post(`/api/spaces/${body.id}/pages`).send({ title, body: text }).expect(201)
  }
  return body.id
}

async function find(space_id: string, q: string, query: Record<string, unknown> = {}): Promise<SearchPage> {
  const { body } = await owner
    .get('/api/search')
    .query({ space_id, q, group: 'entity', ...query })
    .expect(200)
  return body
}
const titles = async (space_id: string, q: string, query: Record<string, unknown> = {}) =>
  (await find(space_id, q, query)).items.map(({ title }) => title)

async function say(space_id: string, ...lines: string[]): Promise<void> {
  const { body } = await owner.post(`/api/spaces/${space_id}/conversations`).send({})
  for (const line of lines)
    await deps.database.query(
      `insert into messages (id, conversation_id, role, body) values ($1, $2, 'user', $3)`,
      [randomUUID(), body.id, line],
    )
  await indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })
}

describe('a page that nobody has named', async () => {
  const space = await newSpace('Unnamed', {})
  for (const body of ['The lamp burns oil.', 'Oil for the lamp is late, and the lamp is dark.', ''])
    await owner.post(`/api/spaces/${space}/pages`).send({ title: 'Untitled', body }).expect(201)
  const scores = async (q: string) => (await find(space, q)).items.map(({ score }) => score)

  test('ranks by its text as one without a title does: its score is that of its words alone', async () => {
    const named = await newSpace('Named', {})
    for (const body of ['The lamp burns oil.', 'Oil for the lamp is late, and the lamp is dark.', ''])
      await owner.post(`/api/spaces/${named}/pages`).send({ title: 'Untitled notes', body }).expect(201)
    const [best] = await scores('burns oil')
    const [longer] = (await find(named, 'burns oil')).items.map(({ score }) => score)
    expect(best).toBeGreaterThan(longer!)
  })

  test('is found by that title', async () => {
    expect((await titles(space, 'untitled')).length).toBe(3)
  })
})

describe('links', async () => {
  const space = await newSpace('Cloud', {
    EC2: 'Virtual machines that are rented by the hour. See [[Snapshots]].',
    'Connecting to EC2 via ssh': 'Open port 22 and connect via ssh with the key. [[EC2]] [[Quota]]',
    'Keys of EC2': 'Where the ssh keys for connecting are. [[EC2]]',
    'Ports of EC2': 'Which port ssh uses when connecting. [[EC2]]',
    Quota: 'How many there may be.',
    Snapshots: 'Copies of a disk.',
  })

  test('do not raise a page that the words have found', async () => {
    expect((await titles(space, 'connecting via ssh'))[0]).toBe('Connecting to EC2 via ssh')
    const items = (await find(space, 'connecting ssh EC2')).items
    const hub = items.find(({ title }) => title === 'EC2')!
    expect(hub.score).toBeLessThan(items[0]!.score / 2)
  })

  test('bring a page that the words have not found, at a fifth of the best score at most', async () => {
    const { items } = await find(space, 'connecting via ssh')
    const linked = items.find(({ title }) => title === 'Quota')

    expect(linked).toBeDefined()
    expect(linked!.score).toBeLessThanOrEqual(items[0]!.score * 0.2 + 1e-6)
  })
})

describe('an exact name', async () => {
  const about = (name: string) => `${name} and ${name}: notes on ${name}, with examples of ${name} in use.`
  const space = await newSpace('Notes', {
    Transformers: 'Attention.',
    'Swin Transformer Example Code': about('transformers'),
    'Vision Transformers in practice': 'Images are cut into patches; transformers read them as words.',
    'Transformers for time series': 'How transformers forecast, and where a straight line does better.',
    'A* vs Dijkstra': 'Two ways to find a way.',
    'Dijkstra and his A*': about('A* Dijkstra'),
    'app.listen()': 'Starts the server.',
    'Express app': about('app listen'),
    '??': 'Takes the right side when the left is nullish.',
    'Nullish operators': 'Among them `??` and `?.`',
    '2024-07-15': 'Rain.',
    'July 2024': about('2024 07 15'),
    'The lamp': 'Burns.',
    'Lamp oil': about('lamp'),
    'Long page': `---\naliases: [Short one]\n---\n${about('other things')}`,
    'Short one of many': about('short one'),
  })

  test.each([
    ['transformers', 'Transformers'],
    ['Transformers', 'Transformers'],
    ['A* vs Dijkstra', 'A* vs Dijkstra'],
    ['a* VS dijkstra', 'A* vs Dijkstra'],
    ['app.listen()', 'app.listen()'],
    ['??', '??'],
    ['2024-07-15', '2024-07-15'],
    ['lamp', 'The lamp'],
    ['lamp?', 'The lamp'],
    ['Short one', 'Long page'],
    ['"Transformers"', 'Transformers'],
  ])('%s', async (q, title) => {
    expect((await titles(space, q))[0]).toBe(title)
    expect((await titles(space, q, { group: 'passage' }))[0]).toBe(title)
    expect((await titles(space, q, { typing: 'true' }))[0]).toBe(title)
  })

  test.each(['transformers', 'A* vs Dijkstra', 'app.listen()', '??', '2024-07-15'])(
    'is suggested first: %s',
    async (q) => {
      const { body } = await owner.get('/api/suggest').query({ space_id: space, q }).expect(200)
      expect(body.items[0]?.title.toLowerCase()).toBe(q.toLowerCase())
    },
  )

  test('is the first of every page alone', async () => {
    const first = await find(space, 'transformers', { limit: 2 })
    const next = await find(space, 'transformers', { limit: 2, cursor: first.next_cursor })
    expect(next.items.map(({ title }) => title)).not.toContain('Transformers')
  })
})

describe('a slip', async () => {
  const space = await newSpace('Graphs', {
    'Shortest paths': 'Dijkstra keeps a queue. Dijkstra visits the nearest node first.',
    'More on paths': 'What Dijkstra does not do: negative weights.',
    'Yet more': 'Dijkstra again, with a heap.',
    'And again': 'Dijkstra in one line.',
    Misspelt: 'Somebody wrote Dijkstar here.',
  })
  beforeAll(() => say(space, 'what is djikstra', 'djikstra please'))

  test('that was said in a conversation hides no page', async () => {
    expect(await titles(space, 'djikstra', { kinds: 'page' })).toContain('Shortest paths')
  })

  test('that a page has, too, does not hide the others', async () => {
    const found = await titles(space, 'dijkstar')
    expect(found[0]).toBe('Misspelt')
    expect(found).toContain('Shortest paths')
  })

  test('is no matter in suggestions', async () => {
    const suggest = async (q: string) =>
      (await owner.get('/api/suggest').query({ space_id: space, q })).body.items.map(
        ({ title }: { title: string }) => title,
      )
    expect(await suggest('shotrest')).toContain('Shortest paths')
    expect(await suggest('shortest pahts')).toContain('Shortest paths')
    expect(await suggest('zzzzzzz')).toEqual([])
  })
})

describe('a conversation', async () => {
  const filler = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`Diary ${n}`, `Day ${n}. The boat went out and came back.`]),
  )
  const space = await newSpace('Harbour', filler)
  beforeAll(() => say(space, 'The boat has a Kromhout engine with two cylinders.'))

  test('that alone has the rare words stands before pages that score less than half', async () => {
    const { items } = await find(space, 'Kromhout engine of the boat', { limit: 8 })
    expect(items[0]?.entity_type).toBe('conversation')
  })

  test('that is no better than the pages comes last', async () => {
    const { items } = await find(space, 'boat', { limit: 8 })
    expect(items[0]?.entity_type).toBe('page')
  })
})

describe('something instead of nothing', async () => {
  const space = await newSpace('Words', {
    Hamlet: 'To be, or not to be, that is the question.',
    'The Who': 'A band.',
    Carrier: 'The bill of AT&T came.',
    Schlosser: 'Der Haustürschlüssel liegt unter der Matte.',
    Umlaute: 'Die Tuer zur Kueche klemmt.',
    Budget: 'ناقشنا والميزانية السنوية',
    王小明: '王小明住在北京。',
    Floats: 'Rounding follows IEEE 754.',
    Coop: 'Their co-operation ended.',
    Price: 'It cost 40,000 crowns.',
    Phone: 'Call 0151-234 5678 after six.',
    Book: 'ISBN 978-3-16-148410-0.',
    Œuvre: 'Cœur et œuvre; Straße nach Ærø.',
    'C++': 'Templates.',
    'C#': 'Delegates.',
    C: 'Pointers.',
    Web: 'Runs on .NET and calls `a ?? b`.',
  })

  test.each([
    ['to be or not to be', 'Hamlet'],
    ['the who', 'The Who'],
    ['AT&T', 'Carrier'],
    ['Schlüssel', 'Schlosser'],
    ['schluessel', 'Schlosser'],
    ['Tür', 'Umlaute'],
    ['Küche', 'Umlaute'],
    ['ميزانية', 'Budget'],
    ['明', '王小明'],
    ['ieee754', 'Floats'],
    ['cooperation', 'Coop'],
    ['co-operation', 'Coop'],
    ['40000', 'Price'],
    ['40,000', 'Price'],
    ['01512345678', 'Phone'],
    ['9783161484100', 'Book'],
    ['coeur', 'Œuvre'],
    ['oeuvre', 'Œuvre'],
    ['strasse', 'Œuvre'],
    ['Aero', 'Œuvre'],
    ['C++', 'C++'],
    ['C#', 'C#'],
    ['c', 'C'],
    ['.NET', 'Web'],
    ['??', 'Web'],
  ])('%s', async (q, title) => {
    expect((await titles(space, q))[0]).toBe(title)
  })

  test.each(['%', '_', '\\', "'", '()', '[a', '^$', '.*', '???', '|&!'])(
    'no sign is an order: %s',
    async (q) => {
      expect((await find(space, q)).items.length).toBeLessThan(5)
    },
  )
})

describe('words that are left out, phrases that are nowhere, long questions', async () => {
  const space = await newSpace('Garden', {
    'Red roses': 'Roses with thorns.',
    'White roses': 'Roses without them.',
    'A long page': `Roses at the top.\n\n${'## Bed\n\nEarth. '.repeat(400)}\n\n## End\n\nThorns at the end.`,
    Cuttings: 'How cuttings of roses are taken.',
  })

  test('a hyphen before a word leaves out what has the word anywhere', async () => {
    const found = await titles(space, 'roses -thorns')
    expect(found).toEqual(expect.arrayContaining(['White roses', 'Cuttings']))
    expect(found).not.toContain('Red roses')
    expect(found).not.toContain('A long page')
  })

  test('a hyphen inside a word, of an option or before all there is, leaves out nothing', async () => {
    expect(await titles(space, 'roses -r')).toContain('Red roses')
    expect(await titles(space, 'roses --thorns')).toContain('Red roses')
    expect(await titles(space, '-thorns')).toContain('Red roses')
  })

  test('a phrase that stands nowhere is named, above what has its words', async () => {
    const { items, missing } = await find(space, '"cuttings with thorns"')
    expect(missing).toEqual(['cuttings with thorns'])
    expect(items.length).toBeGreaterThan(0)
    expect((await find(space, '"cuttings of roses"')).missing).toEqual([])
  })

  test('20,000 characters are a question, by GET and by POST', async () => {
    const q = `cuttings ${'überlang 長い '.repeat(2000)}`.slice(0, 20_000)
    const address = `${await listen(app)}/api/search?${new URLSearchParams({ space_id: space, q, group: 'entity' })}`
    const got = await fetch(address, { headers: { authorization: `Bearer ${ownerToken}` } })
    expect(((await got.json()) as SearchPage).items[0]?.title).toBe('Cuttings')
    const { body } = await owner.post('/api/search').send({ space_id: space, q, group: 'entity' }).expect(200)
    expect(body.items[0].title).toBe('Cuttings')
    await owner
      .post('/api/search')
      .send({ space_id: space, q: `${q}x` })
      .expect(400)
  })
})

describe('the same text', async () => {
  const letter = (name: string) =>
    `Dear reader, the annual meeting of the rowing club takes place on the second Friday of May in the boat house at the river; bring your own cup and a friend who would like to row with us. Please tell the secretary by the end of April whether you come, so that there is enough soup for everybody. Number ${name}.`
  const space = await newSpace('Letters', {
    ...Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`Letter ${n}`, letter(String(n))])),
    Soup: 'The soup of the rowing club: peas, leek, and a ham bone.',
    'Water plants': 'x',
  })

  test('is one result, with the others behind it', async () => {
    const { items } = await find(space, 'rowing club soup', { limit: 5 })
    const folded = items.filter(({ title }) => title.startsWith('Letter'))

    expect(folded).toHaveLength(1)
    expect(folded[0]!.same).toHaveLength(12)
    expect(items.map(({ title }) => title)).toContain('Soup')
  })

  test('is the newest first', async () => {
    const equal = await newSpace('Equal', {
      Older: 'Nine words that say nothing about anything at all, really.',
      Newer: 'Nine words that say nothing about anything at all, really.',
    })
    const [item] = (await find(equal, 'nothing about anything really words')).items
    expect(item?.title).toBe('Newer')
    expect(item?.same.map(({ title }) => title)).toEqual(['Older'])
  })
})

describe('what is marked', async () => {
  const space = await newSpace('Marks', {
    'One note': 'It is not a note for the here and now. %%secret remark about notes%%',
    Tokyo: '明日の東京の天気は晴れです。大阪は雨です。',
    Link: 'See https://example.org/a/very-long-note-slug?x=1 for the ==note== ^block-1\n\n#tag <b>note</b>',
  })
  const marked = async (q: string, title: string) => {
    const { items } = await find(space, q)
    const item = items.find((each: SearchItem) => each.title === title)!
    return {
      words: item.snippet.filter((piece) => piece.marked).map(({ text }) => text),
      text: item.snippet.map(({ text }) => text).join(''),
    }
  }

  test('are words of the question, whole, and no stop words', async () => {
    const { words } = await marked('what is a note', 'One note')
    expect(words).toEqual(['note'])
  })

  test('are words where none are set apart', async () => {
    expect((await marked('東京の天気', 'Tokyo')).words).toEqual(expect.arrayContaining(['東京', '天気']))
    expect((await marked('東京の天気', 'Tokyo')).words.join('')).not.toContain('大阪')
  })

  test('the text is shown without comments, addresses, block ids and marks', async () => {
    expect((await marked('note', 'One note')).text).not.toContain('secret')
    const { text } = await marked('note', 'Link')
    expect(text).not.toMatch(/slug|\^block|==|<b>|#tag/)
    expect(text).toContain('example.org')
  })
})
