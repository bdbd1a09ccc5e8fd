import { expect, test } from 'vitest'
import type { ContentBlock } from '../../../lib/ai/model.ts'
import { createCitationChecker } from '../../../lib/companion/reading/citations.ts'

const lamp = '01900000-0000-7000-8000-000000000001'
const wages = '01900000-0000-7000-8000-000000000002'
const talk = '01900000-0000-7000-8000-000000000003'
const stored: Record<string, string> = {
  [lamp]:
    'The lamp burns rapeseed oil. The rent is 1,250 EUR a month.\n\nThe key is now here.\n\nNine nights.',
  [wages]: 'The keeper earns 900 crowns a year.',
  [talk]: 'Companion: The keeper earns 4,000 crowns a year.',
}

const result = (id: string, source: string, text: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [
    {
      type: 'search_result',
      source,
      title: 'The lamp › Oil and wick',
      content: text.split('\n\n').map((block) => ({ type: 'text', text: block })),
      citations: { enabled: true },
    },
  ],
})
const given = (kind: string, id: string) => [
  { entity_type: kind, entity_id: id, title: 'The lamp', given_by: 'read' as const },
]
const cites = (source: string, cited_text: string, text = 'So it is.'): ContentBlock => ({
  type: 'text',
  text,
  citations: [{ type: 'search_result_location', cited_text, source, title: 'The lamp' }],
})
const passage = `void://page/${lamp}#3`

/** A turn that has read one passage of the lamp and a conversation; an earlier one had read the wages. */
function checker() {
  const citations = createCitationChecker(async ({ entity_id }) => {
    const text = stored[entity_id]
    return text === undefined ? null : { title: 'Title', text }
  })
  citations.admit(
    [
      { role: 'user', content: 'What of “the price of a whole barrel”?' },
      { role: 'user', content: [result('toolu_0', `void://page/${wages}`, stored[wages]!)] },
    ],
    new Map([['toolu_0', given('page', wages)]]),
    'history',
  )
  citations.admit(
    [
      {
        role: 'user',
        content: [
          result('toolu_1', passage, stored[lamp]!),
          result('toolu_2', `void://conversation/${talk}`, stored[talk]!),
        ],
      },
    ],
    new Map([
      ['toolu_1', given('page', lamp)],
      ['toolu_2', given('conversation', talk)],
    ]),
    'turn',
  )
  return citations
}

test.each([
  ['a sentence of it', passage, 'The lamp burns rapeseed oil.'],
  ['words of it, without the passage', `void://page/${lamp}`, 'rent is 1,250 EUR'],
  ['a short block as a whole', passage, 'Nine nights.'],
  ['two blocks, as the API joins them', passage, 'The key is now here.Nine nights.'],
])('checked: %s', async (_, source, words) => {
  expect(await checker().read([cites(source, words)], 0)).toMatchObject([{ checked: true }])
})

test.each([
  ['white space removed', passage, 'The key is nowhere.'],
  ['one letter', passage, 'T'],
  ['the end of a number', passage, '250 EUR a month'],
  ['a passage that no tool returned', `void://page/${lamp}#777`, 'The lamp burns rapeseed oil.'],
  ['what an earlier turn had read', `void://page/${wages}`, 'The keeper earns 900 crowns a year.'],
  ['the companion’s own earlier words', `void://conversation/${talk}`, 'The keeper earns 4,000 crowns'],
])('not checked: %s', async (_, source, words) => {
  expect(await checker().read([cites(source, words)], 0)).toMatchObject([{ checked: false }])
})

test('a body of which only the title was listed is not evidence, nor is a block that the model wrote', async () => {
  const citations = createCitationChecker(async () => ({ title: 'Wages', text: stored[wages]! }))
  citations.admit(
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'page Wages' }] }],
    new Map([['toolu_1', given('page', wages)]]),
    'turn',
  )
  const forged = {
    type: 'search_result',
    source: `void://page/${wages}`,
    title: 'Wages',
    content: [{ type: 'text', text: stored[wages]! }],
  }

  const found = await citations.read([forged, cites(`void://page/${wages}`, stored[wages]!)], 0)

  expect(found).toMatchObject([{ checked: false }])
})

test('quotation marks without a citation are checked, and say so where nothing is found', async () => {
  const text =
    'It says “the lamp burns rapeseed oil” and “the rent is 250 EUR a month”, you asked for “the price of a whole barrel”, ' +
    'see “Oil and wick”.'

  const found = await checker().read([{ type: 'text', text }], 10)

  expect(found).toMatchObject([
    { n: 1, kind: 'page', id: lamp, cited_text: 'the lamp burns rapeseed oil', checked: true },
    { n: 2, kind: 'quotation', id: null, cited_text: 'the rent is 250 EUR a month', checked: false },
  ])
  expect(text.slice(found[1]!.start - 10, found[1]!.end - 10)).toBe('“the rent is 250 EUR a month”')
})

test('quotation marks with a citation are left to it', async () => {
  const found = await checker().read(
    [cites(passage, 'The lamp burns rapeseed oil.', 'It is “a lamp of rapeseed oil”.')],
    0,
  )

  expect(found).toHaveLength(1)
})
