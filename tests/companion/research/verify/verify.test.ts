// Each rule of the verifier, with a claim that tries to get past it.

import { describe, expect, test } from 'vitest'
import type { Claim, Passage } from '../../../../lib/companion/research/verify/types.ts'
import { verify } from '../../../../lib/companion/research/verify/verify.ts'

const ledger: Passage[] = [
  {
    n: '1',
    title: 'Harbour bridge',
    text: `# The bridge was built in 1999

The Harbour Bridge in Northport was built in 1932 by the engineer Ada Lindqvist. It is 503 m long and cost $4.2 million.
On 19 March 1932 it was opened by Mayor Tomas Reed. The bridge does not carry trains. Traffic increased in 1960.

## References

- Lindqvist, A. (1999). The Harbour Bridge was painted green in 1971. Retrieved 4 May 2020 from https://example.org/green`,
  },
  {
    n: '2',
    title: 'Lighthouse',
    text: 'The Northport Lighthouse stands north of the harbour. Its lamp has a range of 24 miles and was electrified in 1951.',
  },
  {
    n: 'W1',
    title: 'Chemistry notes',
    text: 'Iron displaces copper from a solution of copper sulfate. Gold may react with chlorine at high temperatures.',
  },
]

const claim = (text: string, ...cites: string[]): Claim => ({ id: 'c1', text, cites })
const judge = (text: string, ...cites: string[]) => verify([claim(text, ...cites)], ledger).claims[0]!

describe('a claim that its passage supports', () => {
  test.each([
    ['The Harbour Bridge in Northport was built in 1932.', '1'],
    ['The bridge cost 4.2 million dollars.', '1'],
    ['The Harbour Bridge was constructed in 1932 by Ada Lindqvist.', '1'],
    ['The bridge was opened on March 19, 1932 by Mayor Tomas Reed.', '1'],
    ['The Harbour Bridge is 503 metres long.', '1'],
    ['The bridge does not carry trains.', '1'],
    ['The lamp of the Northport Lighthouse has a range of 24 miles.', '2'],
  ])('%s', (text, n) => {
    expect(judge(text, n)).toMatchObject({ verdict: 'supported', cites: [n], reasons: [], against: [] })
  })
})

describe('a claim with one thing changed is not supported, and the reason names it', () => {
  test.each([
    ['a number', 'The Harbour Bridge is 530 m long.', '1', '530'],
    ['a unit', 'The Harbour Bridge is 503 km long.', '1', '503 km (the passage has 503 m)'],
    ['a currency', 'The bridge cost €4.2 million.', '1', '€ 4.2 million'],
    ['a magnitude', 'The bridge cost $4.2 billion.', '1', '4.2 billion'],
    ['a year', 'The Harbour Bridge in Northport was built in 1923.', '1', '1923'],
    ['a day', 'The bridge was opened on 18 March 1932 by Mayor Tomas Reed.', '1', '18 March 1932'],
    ['a first name', 'The Harbour Bridge was built by Ida Lindqvist.', '1', 'Ida'],
    ['a last name', 'The bridge was opened by Mayor Tomas Green.', '1', 'Green'],
    ['a negation left out', 'The bridge does carry trains.', '1', 'negation'],
    ['a negation put in', 'The Harbour Bridge was not built in 1932.', '1', 'negation'],
    ['an antonym', 'Traffic on the bridge decreased in 1960.', '1', 'decreased'],
    ['a compass point', 'The Northport Lighthouse stands south of the harbour.', '2', 'south'],
  ])('%s', (_, text, n, named) => {
    const { verdict, reasons } = judge(text, n)

    expect(['partly', 'nowhere']).toContain(verdict)
    expect(reasons.join('\n')).toContain(named)
  })
})

describe('citations', () => {
  test('of the wrong passage are repaired', () => {
    const found = judge('The lamp of the Northport Lighthouse has a range of 24 miles.', '1')

    expect(found).toMatchObject({ verdict: 'elsewhere', cites: ['2'] })
  })

  test('of no passage are found', () => {
    expect(judge('The Harbour Bridge is 503 m long.')).toMatchObject({ verdict: 'elsewhere', cites: ['1'] })
  })

  test('of a passage that does not exist are named, and do not count', () => {
    const found = judge('The moon is made of green cheese.', '77')

    expect(found.verdict).toBe('nowhere')
    expect(found.reasons).toContain('there is no passage 77')
  })

  test('are kept as they were where nothing supports the claim', () => {
    expect(judge('Whales sing in the harbour at night.', '2').cites).toEqual(['2'])
  })
})

describe('what never counts as support', () => {
  test('a heading', () => {
    expect(judge('The bridge was built in 1999.', '1').verdict).not.toBe('supported')
  })

  test('a list of references', () => {
    expect(judge('The Harbour Bridge was painted green in 1971.', '1').verdict).not.toBe('supported')
  })

  test('the title of a passage', () => {
    const titled = [
      { n: '1', title: 'Gulls are protected birds in Northport', text: 'Gulls nest on the cliffs.' },
    ]

    expect(
      verify([claim('Gulls are protected birds in Northport.', '1')], titled).claims[0]!.verdict,
    ).not.toBe('supported')
  })

  test('an empty ledger', () => {
    const { claims, scores, passed } = verify([claim('The Harbour Bridge is 503 m long.', '1')], [])

    expect(claims[0]).toMatchObject({ verdict: 'nowhere', score: 0 })
    expect(scores).toMatchObject({ citation: 0, entities: 0 })
    expect(passed).toBe(false)
  })

  test('an answer without claims', () => {
    expect(verify([], ledger).passed).toBe(false)
  })
})
