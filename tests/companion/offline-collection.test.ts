// Notes that are mostly properties, as people keep them of books, films, recipes and places, with templates and views.

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { offlineSpaceFrom } from './offline-space.ts'

const { ask } = await offlineSpaceFrom(fileURLToPath(new URL('../fixtures/collection/', import.meta.url)))

test.each([
  ['What is price per wear?', 'Buying less', 'what a coat costs divided by the days'],
  ['How long does the barley bread bake?', 'Barley bread', '> 6. Bake it in the pot for 45 minutes'],
  ['Why did my grandmother keep the bread?', 'Barley bread', 'for the days after a storm'],
  ['When should I buy boots?', 'Buying less', 'Buy boots in autumn'],
  ['What did we talk about with June?', '2025-09-12 Call with June', 'lending Knots for Beginners'],
  ['When is the old tannery open?', 'Old tannery', 'Open on Saturdays from ten to four.'],
  ['Which knot holds a load?', 'Knots for Beginners', 'The bowline holds a load'],
  ['Who wrote The Quiet Tide?', 'The Quiet Tide', '> - author: Marta Eide'],
  ['When was Night Ferry made?', 'Night Ferry', '> - year: 1961'],
  ['Who plays in Night Ferry?', 'Night Ferry', '> - cast: Olav Rist, June Harper'],
  ['How many pages does Salt Roads have?', 'Salt Roads', '> - pages: 488'],
  ['What is the rating of the plum cake?', 'Plum cake', '> - rating: 9'],
  ['Where is Gull rock?', 'Gull rock', '> - loc: Moss, Norway'],
])('%s', async (question, page, words) => {
  const { text, citations } = await ask(question)

  expect(text).toContain(words)
  expect(citations[0]).toMatchObject({ title: page, checked: true })
  expect(text).not.toMatch(/created:|categories:|displayName|^> ---/m)
  expect(citations.filter(({ title }) => /\.base$|Template/.test(title))).toEqual([])
})

test('what stands twice is quoted once', async () => {
  for (const question of ['Which knot holds a load?', 'How long does the barley bread bake?']) {
    const quoted = (await ask(question)).text.split('\n').filter((line) => /^> \S/.test(line))

    expect(new Set(quoted).size).toBe(quoted.length)
  }
})

test('of a property the question is about, the others are left out', async () => {
  const { text } = await ask('How many pages does Salt Roads have?')

  expect(text).not.toMatch(/year:|rating:|status:/)
})

test.each([
  [
    'How many recipes do I have?',
    'I found 3 pages for “recipes”',
    ['Barley bread', 'Nettle soup', 'Plum cake'],
  ],
  ['List my templates', 'I found 3 pages', ['Book Template', 'Film Template', 'Recipe Template']],
  ['list films', 'I found 2 pages', ['Night Ferry', 'The Ice Harvest of Lake Moss']],
  ['Which is my highest rated book?', 'highest of 3', ['The Quiet Tide']],
  ['What are the lowest rated recipes?', 'lowest of 3', ['Nettle soup']],
  ['Which books are by Marta Eide?', 'I found 2 pages', ['Knots for Beginners', 'The Quiet Tide']],
  ['Which places are in Moss?', 'I found 2 pages', ['Gull rock', 'Old tannery']],
  ['Which recipes are rated 8 or more?', 'I found 2 pages', ['Barley bread', 'Plum cake']],
  ['What did I mark as to-read?', 'I found 1 page:', ['Salt Roads']],
])('from properties: %s', async (question, words, titles) => {
  const { text, citations } = await ask(question)

  expect(text).toContain(words)
  expect([...text.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, title]) => title)).toEqual(titles)
  expect(citations).toEqual([])
})

test.each([
  'Which is my highest rated opera?',
  'How many submarines do I have?',
  'List my | any = Recipes',
  'Which books are by "; drop table pages; --?',
  'How many recipes rated 99 or more are there?',
])('where no page is such a thing, nothing is made up: %s', async (question) => {
  const { text } = await ask(question)

  expect(text).not.toMatch(/^I found \d|By (?:rating|year)/m)
})
