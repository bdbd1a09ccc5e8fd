// Passages that disagree with a claim or with each other, and what turns a claim around.

import { describe, expect, test } from 'vitest'
import type { Claim, Passage } from '../../../../lib/companion/research/verify/types.ts'
import { verify } from '../../../../lib/companion/research/verify/verify.ts'

const passage = (n: string, text: string, title = 'Notes'): Passage => ({ n, title, text })
const claim = (text: string, ...cites: string[]): Claim => ({ id: text, text, cites })

const judge = (text: string, evidence: string) =>
  verify([claim(text, '1')], [passage('1', evidence)]).claims[0]!

describe('a passage that says the words and not the claim', () => {
  test.each([
    ['turned around', 'Copper displaces iron from its solution.', 'Iron displaces copper from its solution.'],
    ['a turned comparison', 'Copper is more reactive than iron.', 'Iron is more reactive than copper.'],
    ['a question', 'Copper is more reactive than iron.', 'Is copper more reactive than iron? Look it up.'],
    ['a doubt', 'The mayor sold the bridge.', 'It is a myth that the mayor sold the bridge.'],
    ['another verb', 'The board never accepted the tender.', 'The board rejected the tender.'],
    ['a limit left out', 'Only members may borrow boats.', 'Members may borrow boats.'],
    [
      'a negation in "without"',
      'The house has a cellar and a garden.',
      'The house was built without a cellar or a garden.',
    ],
    [
      '"rather than"',
      'The council chose asphalt for the square.',
      'The council chose cobbles rather than asphalt for the square.',
    ],
    ['somebody with the same last name', 'Barack Obama wrote the book.', 'Michelle Obama wrote the book.'],
    ['two names mixed', 'Ada Green wrote the report.', 'Ada Lind and Tom Green wrote the report.'],
    [
      'a word of few that is somewhere else',
      'Iron is solid.',
      'Iron is a metal. It rusts. Water is wet. Ice is solid.',
    ],
    [
      'a date of something else',
      'The hall was built in 1885.',
      'The tower was built in 1885 and the hall in 1902.',
    ],
    ['a number of something else', 'The tunnel has 3 lanes.', 'The bridge has 3 lanes and the tunnel 2.'],
    [
      'an amount of another year',
      'Revenue was $5 million in 2020.',
      'Revenue was $5 million in 2019 and $7 million in 2020.',
    ],
    ['a turned relation', 'Tom Vale is the father of Ada Lind.', 'Ada Lind is the father of Tom Vale.'],
    ['a time of day', 'The train leaves at 9:30.', 'The train leaves at 9:15.'],
    [
      'more and less',
      'More than half of the members voted for it.',
      'Less than half of the members voted for it.',
    ],
    ['from and to', 'The river flows from east to west.', 'The river flows from west to east.'],
    ['raising and lowering', 'The drug increases blood pressure.', 'The drug lowers blood pressure.'],
    ['a month and a year', 'The plan costs €12 per month.', 'The plan costs €12 per year.'],
    ['a decade', 'The mill burned down in the 1880s.', 'The mill burned down in 1893.'],
    ['an ordinal', 'It was the third bridge over the Tarn.', 'It was the second bridge over the Tarn.'],
    [
      'words between quotation marks',
      'The report says "the dam must be repaired at once".',
      'The report says the dam should be repaired soon.',
    ],
  ])('%s', (_, text, evidence) => {
    expect(judge(text, evidence).verdict).not.toBe('supported')
  })
})

describe('the same thing said otherwise', () => {
  test.each([
    [
      'the passive',
      'Iron displaces copper from its solution.',
      'Copper is displaced by iron from its solution.',
    ],
    ['"not allowed" and "banned"', 'Dogs are banned on the beach.', 'Dogs are not allowed on the beach.'],
    ['a number in words', 'The town has 3 bridges.', 'The town has three bridges.'],
    ['millions', 'The fund holds 2,500,000 dollars.', 'The fund holds $2.5 million.'],
    ['a date in another order', 'The mill opened on 4 May 1893.', 'The mill opened on May 4th, 1893.'],
    ['an ISO date', 'The mill opened on 4 May 1893.', 'The mill opened on 1893-05-04.'],
    ['one of two dates', 'The hall was built in 1902.', 'The tower was built in 1885 and the hall in 1902.'],
    [
      'the first of two dates',
      'The hall was built in 1885.',
      'In 1885 the hall was built, and in 1902 the tower.',
    ],
    [
      'one of two amounts',
      'Revenue was $7 million in 2020.',
      'Revenue was $5 million in 2019 and $7 million in 2020.',
    ],
    ['a rate', 'The plan costs €12 per month.', 'The plan costs 12 euros a month.'],
    ['initials', 'The World Health Organization published the report.', 'The WHO published the report.'],
    ['a last name alone', 'Ada Lindqvist built the mill.', 'In 1893 Lindqvist built the mill.'],
    [
      'words between quotation marks',
      'The report says "the dam must be repaired at once".',
      'The dam must be repaired at once, the report says.',
    ],
  ])('%s', (_, text, evidence) => {
    expect(judge(text, evidence)).toMatchObject({ verdict: 'supported', reasons: [] })
  })
})

describe('contradictions', () => {
  const ledger = [
    passage('1', 'The Dallas County Courthouse in Adel was built in 1902.'),
    passage('2', 'The Dallas County Courthouse in Adel was built in 1885.'),
    passage('3', 'The Dallas County Courthouse in Adel was built in 1902, of white stone.'),
  ]

  test('a supported claim that another passage contradicts is disputed, cited or not', () => {
    for (const cites of [['1'], ['1', '2']]) {
      const { claims, scores, passed } = verify(
        [claim('The Dallas County Courthouse was built in 1902.', ...cites)],
        ledger,
      )

      expect(claims[0]).toMatchObject({ verdict: 'disputed', against: ['2'] })
      expect(scores.contradictions).toBe(1)
      expect(passed).toBe(false)
    }
  })

  test('a claim that its passage contradicts names the passage and both values', () => {
    const { claims } = verify(
      [claim('The Dallas County Courthouse was built in 1903.', '1')],
      ledger.slice(0, 1),
    )

    expect(claims[0]).toMatchObject({ verdict: 'nowhere', against: ['1'] })
    expect(claims[0]!.reasons.join()).toContain('1902, not 1903')
  })

  test('an answer that gives both values with both passages is no contradiction', () => {
    const both = claim(
      'The Dallas County Courthouse was built in 1902 or in 1885: sources disagree.',
      '1',
      '2',
    )

    expect(verify([both], ledger.slice(0, 2)).scores.contradictions).toBe(0)
  })

  test('an answer that names only one of the passages is one', () => {
    const one = claim('The Dallas County Courthouse was built in 1902 or in 1885: sources disagree.', '1')

    expect(
      verify([one, claim('The courthouse is in Adel.', '2')], ledger.slice(0, 2)).scores.contradictions,
    ).toBeGreaterThan(0)
  })

  test('passages conflict with their values, each pair once', () => {
    const { conflicts } = verify([], ledger)

    expect(conflicts.map(({ a, b, values }) => [a, b, ...values])).toEqual([
      ['1', '2', '1902', '1885'],
      ['2', '3', '1885', '1902'],
    ])
  })

  test.each([
    [
      'a name',
      'The film Northern Lights was directed by Ada Reed.',
      'The film Northern Lights was directed by Tom Vale.',
    ],
    [
      'a negation',
      'The treaty of Tarn was ratified by all states.',
      'The treaty of Tarn was not ratified by all states.',
    ],
    [
      'an opposite',
      'Exports from the port of Tarn increased during the year.',
      'Exports from the port of Tarn decreased during the year.',
    ],
    [
      'a unit of money',
      'The tower of Tarn cost $4 million to build.',
      'The tower of Tarn cost $6 million to build.',
    ],
  ])('passages conflict over %s', (_, one, other) => {
    expect(verify([], [passage('1', one), passage('2', other)]).conflicts).toHaveLength(1)
  })

  test.each([
    ['two things', 'The bridge of Tarn was built in 1902.', 'The lighthouse of Norr was built in 1885.', ''],
    ['two people', 'He was born in 1902 in a village.', 'He was born in 1885 in a village.', ''],
    [
      'a value and a closer one',
      'The bridge of Tarn was opened in 1902.',
      'The bridge of Tarn was opened in May 1902.',
      '',
    ],
    ['rows of numbers', 'Tarn 12 14 19 22 31', 'Tarn 12 14 20 22 31', 'Tarn'],
    [
      'a page and its date',
      'This page of Tarn was last edited on 4 May 2020.',
      'This page of Tarn was last edited on 5 May 2021.',
      'Tarn',
    ],
  ])('%s are no conflict', (_, one, other, title) => {
    const [a, b] = title === '' ? ['Ada', 'Tom'] : [title, title]

    expect(verify([], [passage('1', one, a), passage('2', other, b)]).conflicts).toEqual([])
  })
})

describe('scores', () => {
  const ledger = [
    passage('1', 'Ada Lindqvist built the mill at Tarn in 1893. It ground rye for the garrison.'),
  ]

  test('an answer that its passages hold up passes', () => {
    const { scores, passed } = verify(
      [
        claim('Ada Lindqvist built the mill at Tarn in 1893.', '1'),
        claim('The mill ground rye for the garrison.', '1'),
      ],
      ledger,
    )

    expect(scores).toEqual({ citation: 1, entities: 1, relations: 1, contradictions: 0 })
    expect(passed).toBe(true)
  })

  test('names and amounts that no cited passage has lower the share of entities', () => {
    const { scores, passed } = verify([claim('Tom Vale built the mill at Norr in 1901.', '1')], ledger)

    expect(scores.entities).toBe(0)
    expect(passed).toBe(false)
  })

  test('relations that the passage does not have lower the share of relations', () => {
    const { scores } = verify([claim('Ada Lindqvist was married at the mill in 1893.', '1')], ledger)

    expect(scores.relations).toBeLessThan(1)
  })

  test('thresholds are data', () => {
    const answer = [
      claim('Ada Lindqvist built the mill at Tarn in 1893.', '1'),
      claim('Whales sang at night.', '1'),
    ]
    const low = { citation: 0.5, entities: 0, relations: 0, contradictions: 0 }

    expect(verify(answer, ledger).passed).toBe(false)
    expect(verify(answer, ledger, low).passed).toBe(true)
  })
})
