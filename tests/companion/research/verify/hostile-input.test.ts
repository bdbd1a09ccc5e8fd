// What can't be judged, and claims and passages that are made to be slow or strange.

import { describe, expect, test } from 'vitest'
import { limits } from '../../../../lib/companion/research/verify/thresholds.ts'
import type { Claim, Passage } from '../../../../lib/companion/research/verify/types.ts'
import { verify } from '../../../../lib/companion/research/verify/verify.ts'
import { slowShapes } from '../../../helpers/growth.ts'

const mill = `The mill at Tarn was built in 1893 by Ada Lindqvist, who had come to the valley with her two sons. It ground rye
for the garrison and for the farms of the upper valley until the river was dammed. In the winter of 1911 the wheel froze, and
the owners decided that the mill would be run by steam from then on. The chimney is 24 m high and can be seen from the pass.`

const ledger: Passage[] = [{ n: '1', title: 'The mill', text: mill }]
const claim = (text: string, ...cites: string[]): Claim => ({ id: 'c', text, cites })
const judge = (text: string, passages = ledger) => verify([claim(text, '1')], passages).claims[0]!

describe('what cannot be judged is unchecked, and never supported', () => {
  test.each([
    [
      'another language',
      'Die Mühle wurde von einer Frau gebaut, die mit ihren Söhnen in das Tal gekommen war.',
    ],
    ['no words', '— … !'],
    ['nothing', ''],
    [
      'a claim of 100,000 characters',
      `The mill at Tarn was built in 1893. ${'It ground rye. '.repeat(7000)}`,
    ],
  ])('%s', (_, text) => {
    const { verdict, reasons } = judge(text)

    expect(verdict).toBe('unchecked')
    expect(reasons).toHaveLength(1)
  })

  test('claims beyond the limit, each with its verdict', () => {
    const many = Array.from({ length: limits.claims + 2 }, (_, at) => ({
      id: String(at),
      text: 'The chimney is 24 m high.',
      cites: ['1'],
    }))

    const { claims } = verify(many, ledger)

    expect(claims).toHaveLength(many.length)
    expect(claims.at(-3)!.verdict).toBe('supported')
    expect(claims.at(-1)!.verdict).toBe('unchecked')
  })
})

describe('other languages than English', () => {
  const german = 'Die Mühle in Tarn wurde 1893 von Ada Lindqvist gebaut. Der Schornstein ist 24 m hoch.'
  const chinese = '塔恩磨坊建于1893年。烟囱高24米。'

  test('a claim in the language of its passage is judged', () => {
    const passages = [{ n: '1', title: '', text: german }]

    expect(judge('Der Schornstein der Mühle ist 24 m hoch.', passages).verdict).toBe('supported')
    expect(judge('Der Schornstein der Mühle ist 42 m hoch.', passages).verdict).not.toBe('supported')
    expect(judge('Die Mühle in Tarn wurde nicht 1893 gebaut.', passages).verdict).not.toBe('supported')
  })

  test('a script without spaces is supported as it is written, with other numbers it is not', () => {
    const passages = [{ n: '1', title: '', text: chinese }]

    expect(judge('塔恩磨坊建于1893年。', passages).verdict).toBe('supported')
    expect(judge('塔恩磨坊建于1898年。', passages).verdict).not.toBe('supported')
  })

  test('a script without spaces in another order is not supported', () => {
    expect(judge('狗咬人。', [{ n: '1', title: '', text: '人咬狗。' }]).verdict).not.toBe('supported')
  })
})

test('verdicts do not depend on the order of claims, nor on an earlier verification', () => {
  const answer = [claim('The chimney is 24 m high.', '1'), claim('The mill at Tarn was built in 1839.', '1')]

  const first = verify(answer, ledger).claims
  const second = verify(answer.toReversed(), ledger).claims

  expect(second).toEqual(first.toReversed())
})

test('of two passages with one number the first counts', () => {
  const { claims } = verify(
    [claim('The chimney is 24 m high.', '1')],
    [...ledger, { n: '1', title: '', text: 'A goat.' }],
  )

  expect(claims[0]!.verdict).toBe('supported')
})

test('names of members of objects are words like others', () => {
  const text = 'The __proto__ of a constructor has toString and hasOwnProperty in 1893.'

  expect(judge(text, [{ n: '1', title: '', text }]).verdict).toBe('supported')
})

test('half a character does not come out of a reason', () => {
  const { claims, conflicts } = verify([claim(`${'😀'.repeat(150)} The mill 1839`, '1')], ledger)

  expect(JSON.stringify({ claims, conflicts }).isWellFormed()).toBe(true)
})

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

    expect(slowShapes((text) => () => verify(answer, [{ n: '1', title: text, text }]), { shapes })).toEqual(
      [],
    )
    expect(slowShapes((text) => () => verify(answer, [{ n: '1', title: '', text }]))).toEqual([])
  })

  test('of a ledger of many passages', () => {
    const answer = [claim('Ada Lindqvist built the mill at Tarn in 1893, and not in 1900.', '1')]
    const split = (text: string) =>
      text.match(/[\s\S]{1,800}/g)!.map((part, at) => ({ n: String(at + 1), title: 'Tarn', text: part }))

    expect(
      slowShapes(
        (text) => {
          const passages = split(text)
          return () => verify(answer, passages)
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
          return () => verify(answer, ledger)
        },
        { shapes },
      ),
    ).toEqual([])
  })
})
