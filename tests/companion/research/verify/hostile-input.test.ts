// What can't be judged, and claims and passages that are made to be slow or strange.

import { describe, expect, test } from 'vitest'
import { verifyClaims } from '../../../../lib/companion/research/check/verify-claims.ts'
import { type Claim, limits, type Passage } from '../../../../lib/companion/research/verify/types.ts'
import { slowShapes } from '../../../helpers/growth.ts'

const mill = `The mill at Tarn was built in 1893 by Ada Lindqvist, who had come to the valley with her two sons. It ground rye
for the garrison and for the farms of the upper valley until the river was dammed. In the winter of 1911 the wheel froze, and
the owners decided that the mill would be run by steam from then on. The chimney is 24 m high and can be seen from the pass.`

const ledger: Passage[] = [{ n: '1', title: 'The mill', text: mill }]
const claim = (text: string, ...cites: string[]): Claim => ({ id: 'c', text, cites })
const judge = (text: string, passages = ledger) =>
  verifyClaims({ claims: [claim(text, '1')], ledger: passages }).claims[0]!

test.each([
  ['nothing', ''],
  ['no words', '— … !'],
  ['100,000 characters', `The mill at Tarn was built in 1893. ${'It ground rye. '.repeat(7000)}`],
])('%s is unchecked', (_, text) => {
  expect(judge(text)).toMatchObject({ verdict: 'unchecked' })
})

test('claims beyond the limit are unchecked, each with its verdict', () => {
  const text = 'The chimney is 24 m high and can be seen from the pass.'
  const many = Array.from({ length: limits.claims + 2 }, (_, at) => ({ id: String(at), text, cites: ['1'] }))
  const { claims } = verifyClaims({ claims: many, ledger })

  expect(claims).toHaveLength(many.length)
  expect(claims.at(-3)!.verdict).toBe('quoted')
  expect(claims.at(-1)!.verdict).toBe('unchecked')
})

test('a script without spaces is quoted as it is written, and not in another order', () => {
  const passages = [{ n: '1', title: '', text: '塔恩磨坊建于1893年。人咬狗。' }]

  expect(judge('塔恩磨坊建于1893年。', passages).verdict).toBe('quoted')
  expect(judge('塔恩磨坊建于1898年。', passages).verdict).toBe('unchecked')
  expect(judge('狗咬人。', passages).verdict).toBe('unchecked')
})

test('verdicts do not depend on the order of claims, nor on an earlier verification', () => {
  const answer = [claim('The chimney is 24 m high.', '1'), claim('The mill at Tarn was built in 1839.', '1')]

  const first = verifyClaims({ claims: answer, ledger }).claims
  const second = verifyClaims({ claims: answer.toReversed(), ledger }).claims

  expect(second).toEqual(first.toReversed())
})

test('of two passages with one number the first counts', () => {
  const { claims } = verifyClaims({
    claims: [claim('It ground rye', '1')],
    ledger: [...ledger, { n: '1', title: '', text: 'A goat.' }],
  })

  expect(claims[0]!.verdict).toBe('quoted')
})

test('names of members of objects are words like others', () => {
  const text = 'The __proto__ of a constructor has toString and hasOwnProperty in 1893.'

  expect(judge(text, [{ n: '1', title: '', text }]).verdict).toBe('quoted')
})

test('half a character does not come out of a reason', () => {
  const { claims, conflicts } = verifyClaims({
    claims: [claim(`${'😀'.repeat(150)} The mill 1839`, '1')],
    ledger,
  })

  expect(JSON.stringify({ claims, conflicts }).isWellFormed()).toBe(true)
})

/** With a judge that approves of everything, by the whole of the first passage. */
const check = (claims: Claim[], passages: Passage[]) => {
  const judgements = claims.map(({ id }) => ({
    id,
    verdict: 'supported' as const,
    sentences: [passages[0]!.text.slice(0, 4000)],
    missing: '',
  }))
  return verifyClaims({ claims, ledger: passages, judgements })
}

describe('time grows with the text', () => {
  const words = (length: number) => Array.from({ length: length / 8 }, (_, n) => `w${n % 997}n`).join(' ')
  const shapes = {
    'one sentence': (length: number) => 'mill tarn '.repeat(length / 10),
    'sentences alike': (length: number) => 'The mill at Tarn was built in 1893. '.repeat(length / 36),
    'names in a row': (length: number) => 'Ada Lind '.repeat(length / 9),
    numbers: (length: number) => '1893 '.repeat(length / 5),
    negations: (length: number) => 'not '.repeat(length / 4),
    'full stops': (length: number) => '. '.repeat(length / 2),
    'many words': words,
  }

  test('of a passage, of every shape', () => {
    const answer = [
      claim('Ada Lindqvist built the mill at Tarn in 1893, and not in 1900.', '1'),
      claim('w1n w2n w3n w4n', '1'),
    ]

    expect(slowShapes((text) => () => check(answer, [{ n: '1', title: text, text }]), { shapes })).toEqual([])
    expect(slowShapes((text) => () => check(answer, [{ n: '1', title: '', text }]))).toEqual([])
  })

  test('of a ledger of many passages', () => {
    const answer = [claim('Ada Lindqvist built the mill at Tarn in 1893, and not in 1900.', '1')]
    const split = (text: string) =>
      text.match(/[\s\S]{1,800}/g)!.map((part, at) => ({ n: String(at + 1), title: 'Tarn', text: part }))

    expect(
      slowShapes(
        (text) => {
          const passages = split(text)
          return () => check(answer, passages)
        },
        { shapes },
      ),
    ).toEqual([])
  })

  test('of claims', () => {
    const cut = (text: string) => text.match(/[\s\S]{1,1800}/g)!.map((part) => claim(part, '1'))

    expect(
      slowShapes(
        (text) => {
          const answer = cut(text)
          return () => check(answer, ledger)
        },
        { shapes },
      ),
    ).toEqual([])
  })
})
