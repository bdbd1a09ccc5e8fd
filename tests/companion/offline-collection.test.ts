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
