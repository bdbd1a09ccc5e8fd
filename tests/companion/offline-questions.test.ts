// Questions about a Space rather than its texts, asked offline over real turns.

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readQuestion } from '../../lib/ai/offline/question.ts'
import { offlineSpaceFrom } from './offline-space.ts'

const { ask, add } = await offlineSpaceFrom(
  fileURLToPath(new URL('../fixtures/keepers-notes/', import.meta.url)),
)
const horn = await add('pages', { title: 'Horn list', body: 'See [[The fog horn]].' })
await add('pages', { title: '2024-07-15', body: 'Repaired the landing.\n\nSaw two seals.' })

test('what is in it: counts, what most pages link to, what was written last', async () => {
  const { text } = await ask('What is in this Space?')

  expect(text).toMatch(/The Space holds: \d+ pages/)
  expect(text).toMatch(/Most linked:\s[\s\S]*Written last:\s[\s\S]*2024-07-15/)
})

test.each(['How many pages link to The fog horn?', 'which notes link to the page "The fog horn"'])(
  'what links to a page: %s',
  async (question) => {
    expect((await ask(question)).text).toMatch(
      /\d+ pages? links? to the page \*\*The fog horn\*\*[\s\S]*Horn list/,
    )
  },
)

test('which pages are about something', async () => {
  const { text } = await ask('Which notes are about the horn?')

  expect(text).toContain('- **The fog horn**')
  expect(text).not.toContain('Visitors')
})

test.each(['what did I write on 2024-07-15?', 'What happened on 15 July 2024?'])(
  'the page of a day: %s',
  async (question) => {
    const { text, citations } = await ask(question)

    expect(text).toContain('Saw two seals.')
    expect(citations[0]).toMatchObject({ title: '2024-07-15', checked: true })
  },
)

test('what was made on a day', async () => {
  expect((await ask(`What did I write on ${horn.created_at.slice(0, 10)}?`)).text).toContain('Horn list')
})

test.each([
  ['open the page Horn list', 'Opened “Horn list”.'],
  ['Please open Horn list on the right.', 'Opened “Horn list” on the right.'],
  ['open the inbox', 'Opened “Inbox”.'],
])('%s', async (wish, said) => {
  expect((await ask(wish)).text).toBe(said)
})

test('what is open', async () => {
  const view = { entityType: 'page', entityId: horn.id }

  expect((await ask('What am I looking at?', view)).text).toBe('You have the page **Horn list** open.')
  expect((await ask('What am I looking at?')).text).toBe('You have nothing open.')
})

test('where the app does something comes first', async () => {
  expect((await ask('How do I import my notes?')).text).toMatch(/^Settings → Import/)
})

test.each(['thanks', 'Thanks a lot!', 'Vielen Dank', 'ok, thank you'])(
  '%s is answered in a line',
  async (text) => {
    expect((await ask(text)).text).toBe('You are welcome.')
  },
)

test('a project with a task is two drafts', async () => {
  expect((await ask('create a project called Roof with a task to get quotes')).drafts).toHaveLength(2)
})

test('a word is never said to be nowhere while a passage holds it', async () => {
  const { text } = await ask('Does rapeseed or the capital of Peru concern the fog horn in winter storms?')

  expect(text).not.toMatch(/nothing in this Space about .*“(?:fog|horn)”/)
})

test('a title that holds all that is asked for puts its page first', async () => {
  await add('pages', {
    title: 'Moving the landing crane',
    body: '---\nslug: crane\n---\nFour hands are enough.',
  })
  await add('pages', {
    title: 'Boats',
    body: 'Moving, crane: see the lists of moving and the crane.',
  })

  const { text, citations } = await ask('moving crane')

  expect(citations[0]).toMatchObject({ title: 'Moving the landing crane' })
  expect(text).toContain('Four hands are enough.')
})

test('front matter names a page and is not quoted, unless a property is asked for', async () => {
  const body =
    '---\naliases: [Gull counting]\ndescription: About gull counting.\nlicence: NO-17\n---\nWe count at dawn.'
  await add('pages', { title: 'Bird census', body })

  const { text } = await ask('How does gull counting go?')

  expect(text).toContain('We count at dawn.')
  expect(text).not.toContain('About gull counting')
  expect((await ask('What is the licence of the bird census?')).text).toContain('NO-17')
})

test('words from here and there are no answer together', async () => {
  await add('pages', { title: 'Paint', body: 'The zinc primer dries slowly.' })
  await add('pages', { title: 'Ropes', body: 'A marlin spike opens the strands.' })

  expect((await ask('Does the primer need a marlin?')).text).toMatch(/^Nothing answers this directly\./)
})

test('beside the place where it is imported stands what the Space says of it', async () => {
  await add('pages', { title: 'Import from Logbook', body: 'Export the logbook as CSV first.' })

  const { text } = await ask('How do I bring my notes over from Logbook?')

  expect(text).toMatch(/^Settings → Import /)
  expect(text).toContain('as CSV first')
})

test('a singular that ends in s is asked about, not listed', async () => {
  await add('pages', {
    title: 'Barnacle hypothesis',
    body: '---\ntitle: Barnacle hypothesis\n---\n\nBarnacles slow a hull by a knot a year.',
  })

  const { text } = await ask('What is the barnacle hypothesis?')

  expect(text).toContain('Barnacles slow a hull by a knot a year.')
})

test('neither the title among the properties nor the author of the note says who did something', async () => {
  await add('pages', {
    title: 'KELP method',
    body: '---\ntitle: KELP method\nauthor: Nora Quill\n---\n\nKELP is a way to sort ropes, named by Tia Fort.',
  })

  const { text } = await ask('who came up with the KELP method?')
  const writer = await ask('Who wrote KELP method?')

  expect(text).not.toMatch(/title: KELP|Nora Quill/)
  expect(text).toContain('Tia Fort')
  expect(writer.text).toContain('Nora Quill')
})

test.each([
  ['What does KELP stand for?', 'kelp'],
  ['What does PARA stand for?', 'para'],
  ['is the WHO right about IT, AND why', 'who right it'],
  ['slip mooring vs fixed mooring', 'slip mooring fixed'],
  ['Slip mooring versus fixed mooring?', 'slip mooring fixed'],
])('what shapes a question is not looked for: %s', (question, query) => {
  expect(readQuestion(question).query).toBe(query)
})
