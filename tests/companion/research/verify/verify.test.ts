// What a claim is called, with judges that tell the truth, approve of everything, or talk nonsense.

import { describe, expect, test } from 'vitest'
import { verifyClaims } from '../../../../lib/companion/research/check/verify-claims.ts'
import type { Claim, Judgement, Passage } from '../../../../lib/companion/research/verify/types.ts'

const passage = (n: string, text: string, title = 'Notes'): Passage => ({ n, title, text })
const claim = (text: string, ...cites: string[]): Claim => ({ id: text.slice(0, 40), text, cites })

const ledger = [
  passage(
    '1',
    `# The bridge was built in 1999

The Harbour Bridge in Northport was built in 1932 by Ada Lindqvist. It is 503 m long and cost $4.2 million. The bridge does
not carry trains. It is not true that the bridge was sold. Is the bridge painted green?`,
    'Harbour bridge',
  ),
  passage(
    '2',
    'The Northport Lighthouse has a range of 24 miles. Its lamp was electrified in 1951.',
    'Lighthouse',
  ),
]

/** `said`: the verdict of a judge, who names these sentences. */
const check = (text: string, cites: string[], said?: Partial<Judgement>) => {
  const one = claim(text, ...cites)
  const judgements = said
    ? [{ id: one.id, verdict: 'supported' as const, sentences: [], missing: '', ...said }]
    : []
  return verifyClaims({ claims: [one], ledger, judgements }).claims[0]!
}

const built = 'The Harbour Bridge in Northport was built in 1932 by Ada Lindqvist.'
const trains = 'The bridge does not carry trains.'

describe('word for word', () => {
  test.each([
    ['a sentence', built, '1'],
    ['a sentence over a line break', trains, '1'],
    ['two sentences', `${built} It is 503 m long and cost $4.2 million.`, '1'],
    ['a part of one, the rest of which changes nothing', 'It is 503 m long', '1'],
    [
      'a quotation with few words around it',
      'The notes say: “The Northport Lighthouse has a range of 24 miles.”',
      '2',
    ],
  ])('%s is quoted, without a judge', (_, text, n) => {
    expect(check(text, [n])).toMatchObject({ verdict: 'quoted', cites: [n], reasons: [] })
  })

  test('a minus sign that is written otherwise is the same', () => {
    const text = 'The cellar is kept at −5 °C all year.'
    const { claims } = verifyClaims({
      claims: [claim(text, '1')],
      ledger: [passage('1', `Of the cold. ${text.replace('−', '-')} Nobody sleeps there.`)],
    })

    expect(claims[0]!.verdict).toBe('quoted')
  })

  test.each([
    ['a part that the rest takes back', 'The bridge was sold.'],
    ['a part without its “not”', 'The bridge does carry trains.'],
    ['a question', 'The bridge painted green.'],
    ['other words', 'The Harbour Bridge was constructed in 1932.'],
    ['nothing', ''],
  ])('%s is not', (_, text) => {
    expect(check(text, ['1'])).toMatchObject({ verdict: 'unchecked', sentences: [] })
  })

  test('what another passage has is quoted from that one', () => {
    const text = 'The Northport Lighthouse has a range of 24 miles.'

    expect(check(text, ['1'])).toMatchObject({ verdict: 'elsewhere', cites: ['2'] })
    expect(check(text, [])).toMatchObject({ verdict: 'elsewhere', cites: ['2'] })
  })
})

describe('a quotation that is not there is named for what it is', () => {
  const said = { sentences: [built] }

  test.each([
    ['The notes call it “a bridge of sighs and of many long farewells” in 1932.', 'is made up'],
    [
      'The bridge, says Ada Lindqvist, “has a range of 24 miles”, and was built in 1932.',
      'is from another source, passage 2',
    ],
    [
      'The notes say “the bridge does carry trains and was built in 1932 by Ada Lindqvist”.',
      'is stitched from pieces',
    ],
  ])('%s', (text, named) => {
    const { verdict, reasons } = check(text, ['1'], said)

    expect(verdict).toBe('unchecked')
    expect(reasons.join('; ')).toContain(named)
  })
})

describe('a judge', () => {
  const paraphrase = 'Ada Lindqvist constructed the Harbour Bridge in 1932.'

  test('is believed where the sentences stand there and nothing differs', () => {
    expect(check(paraphrase, ['1'], { sentences: [built] })).toMatchObject({
      verdict: 'judged',
      sentences: [built],
    })
  })

  test.each<[string, Partial<Judgement>]>([
    ['names no sentence', { sentences: [] }],
    ['names a sentence that nobody wrote', { sentences: ['Ada Lindqvist constructed it.'] }],
    ['names one of a passage that is not cited', { sentences: ['Its lamp was electrified in 1951.'] }],
    ['names one that is there and one that is not', { sentences: [built, 'It is lovely.'] }],
    ['finds too little', { verdict: 'not_enough', sentences: [], missing: 'who built it' }],
  ])('who %s leaves it unchecked', (_, said) => {
    const { verdict, reasons } = check(paraphrase, ['1'], said)

    expect(verdict).toBe('unchecked')
    expect(reasons).not.toEqual([])
  })

  test('rests on sentences as the passage has them, the closest first, and on no heading that is named along', () => {
    const found = check('The Harbour Bridge cost $4.2 million and is 503 m long.', ['1'], {
      sentences: [
        '# The bridge was built in 1999\n\nThe Harbour Bridge in Northport was built in 1932',
        'and cost $4.2 million.',
      ],
    })

    expect(found.verdict).toBe('judged')
    expect(found.sentences[0]).toBe('It is 503 m long and cost $4.2 million.')
    expect(found.sentences).toContain(built)
  })

  test('is asked for the part that is missing', () => {
    const { reasons } = check(paraphrase, ['1'], { verdict: 'not_enough', missing: 'who built it' })

    expect(reasons).toEqual(['not in the passages: who built it'])
  })

  test('who says that a passage contradicts is believed by a sentence that stands there, and only by one', () => {
    const text = 'Trains run over the bridge.'

    expect(check(text, ['1'], { verdict: 'contradicted', sentences: [trains] })).toMatchObject({
      verdict: 'contradicted',
      against: ['1'],
    })
    expect(check(text, ['1'], { verdict: 'contradicted', sentences: ['Trains do not run.'] }).verdict).toBe(
      'unchecked',
    )
  })

  test('who leaves out the “not” of a sentence is not believed', () => {
    expect(check('Trains cross the bridge.', ['1'], { sentences: ['carry trains'] }).verdict).toBe(
      'unchecked',
    )
  })

  test.each([
    ['a year', 'Ada Lindqvist constructed the Harbour Bridge in 1923.', 'says 1923, the passage 1932'],
    ['a name', 'Ida Holm constructed the Harbour Bridge in 1932.', '“Ida Holm” is not in the passage'],
  ])('does not overrule what code sees: %s', (_, text, reason) => {
    const { verdict, reasons } = check(text, ['1'], { sentences: [built] })

    expect(verdict).toBe('unchecked')
    expect(reasons).toContain(reason)
  })

  test('who is right has an answer of honest paraphrases checked as a whole', () => {
    const pairs = [
      ['The Harbour Bridge was opened in 1932.', 'In 1932 the Harbour Bridge was inaugurated.'],
      [
        'The orchard yields about 40 tonnes of pears a year.',
        'Roughly 40 tonnes of pears come from the orchard a year.',
      ],
      ['Rye bread may keep for a week if it stays dry.', 'If it stays dry, rye bread may last a week.'],
      ['Smoking is not allowed on the pier.', 'Smoking is forbidden on the pier.'],
      ['The ferry leaves at 14:30.', 'The ferry departs at 2:30 pm.'],
      ['Repairs cost £2.5m.', 'Repairs came to 2.5 million pounds.'],
      ['Some of the keepers lived on the rock.', 'A few of the keepers had their homes on the rock.'],
      ['According to Lindqvist, the lamp was never lit.', 'Lindqvist says that nobody ever lit the lamp.'],
    ] as const
    const claims = pairs.map(([, text], at) => ({ id: String(at), text, cites: ['1'] }))
    const judgements = pairs.map(([sentence], at) => ({
      id: String(at),
      verdict: 'supported' as const,
      sentences: [sentence],
      missing: '',
    }))
    const ledger = [passage('1', pairs.map(([sentence]) => sentence).join(' '))]
    const { claims: found, scores } = verifyClaims({ claims, ledger, judgements })

    expect(found.flatMap(({ verdict, reasons }) => (verdict === 'judged' ? [] : reasons))).toEqual([])
    expect(scores).toEqual({ citation: 1, entities: 1, relations: 1, contradictions: 0 })
  })

  test('of ten claims with their names swapped approves of none', () => {
    const pairs = 'Ada Ben Cleo Dan Eve Finn Gus Hal Ida Jon Kim Lea Max Nia Oda Pia Quin Rob Sue Tom'.split(
      ' ',
    )
    const rows = Array.from({ length: 10 }, (_, at) => [pairs[2 * at]!, pairs[2 * at + 1]!] as const)
    const said = rows.map(([a, b], at) => `${a} Holm hired ${b} Lind in ${1990 + at}.`)
    const claims = rows.map(([a, b], at) => ({
      id: String(at),
      text: `${b} Lind hired ${a} Holm in ${1990 + at}.`,
      cites: ['1'],
    }))
    const judgements = claims.map(({ id }, at) => ({
      id,
      verdict: 'supported' as const,
      sentences: [said[at]!],
      missing: '',
    }))
    const found = verifyClaims({ claims, ledger: [passage('1', said.join(' '))], judgements })

    expect(found.claims.filter(({ verdict }) => verdict === 'judged' || verdict === 'quoted')).toEqual([])
    expect(found.scores.citation).toBe(0)
  })
})

describe('passages that disagree', () => {
  const two = (one: string, other: string, title = 'Tarn') => [
    passage('1', one, title),
    passage('2', other, title),
  ]
  const conflictsOf = (one: string, other: string) => {
    const claims = [claim(one, '1'), claim('Another thing altogether.', '2')]
    return verifyClaims({ claims, ledger: two(one, other) }).conflicts
  }

  test.each([
    ['a value', 'The mill of Tarn was built in 1885.', 'The mill of Tarn was built in 1902.'],
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
  ])('over %s are found, and the claim is contradicted', (_, one, other) => {
    const claims = [claim(one, '1'), claim('Another thing altogether.', '2')]
    const found = verifyClaims({ claims, ledger: two(one, other) })

    expect(found.conflicts).toHaveLength(1)
    expect(found.claims[0]).toMatchObject({ verdict: 'contradicted', against: ['2'] })
    expect(found.scores.contradictions).toBe(1)
  })

  test('are told of by a claim that cites both and has both values', () => {
    const [one, other] = ['The mill of Tarn was built in 1885.', 'The mill of Tarn was built in 1902.']
    const both = claim('The mill was built in 1885 by one account and in 1902 by another.', '1', '2')
    const found = verifyClaims({ claims: [both], ledger: two(one, other) })

    expect(found.claims[0]!.verdict).toBe('unchecked')
    expect(found.scores.contradictions).toBe(0)
  })

  test('count only where they are cited', () => {
    const ledgers = two('The mill of Tarn was built in 1885.', 'The mill of Tarn was built in 1902.')

    expect(verifyClaims({ claims: [claim('Whales sing.', '1')], ledger: ledgers }).conflicts).toEqual([])
  })

  test.each([
    ['two things', 'The bridge of Tarn was built in 1902.', 'The lighthouse of Norr was built in 1885.'],
    [
      'a value and a closer one',
      'The bridge of Tarn was opened in 1902.',
      'The bridge of Tarn was opened in May 1902.',
    ],
    ['rows of numbers', 'Tarn 12 14 19 22 31', 'Tarn 12 14 20 22 31'],
    [
      'a page and its date',
      'This page of Tarn was last edited on 4 May 2020.',
      'This page of Tarn was last edited on 5 May 2021.',
    ],
  ])('%s do not', (_, one, other) => {
    expect(conflictsOf(one, other)).toEqual([])
  })
})

describe('scores', () => {
  test('are whole where every claim is quoted', () => {
    const { scores } = verifyClaims({ claims: [claim(built, '1'), claim(trains, '1')], ledger })

    expect(scores).toEqual({ citation: 1, entities: 1, relations: 1, contradictions: 0 })
  })

  test('count names and values that differ', () => {
    const one = claim('Tom Vale constructed the Harbour Bridge in 1901.', '1')
    const judgements = [{ id: one.id, verdict: 'supported' as const, sentences: [built], missing: '' }]

    expect(verifyClaims({ claims: [one], ledger, judgements }).scores.entities).toBeLessThan(0.8)
  })

  test('of no claims are 0', () => {
    expect(verifyClaims({ claims: [], ledger }).scores).toMatchObject({ citation: 0, entities: 0 })
  })
})
