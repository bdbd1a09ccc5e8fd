// Red flags: equal forms that raise none, differences that raise one, and the sentences of `npm run eval:claims`.

import { describe, expect, test } from 'vitest'
import { flagsBetween } from '../../../../lib/companion/research/verify/flags.ts'
import { readNearMisses } from '../../../tools/eval/claims/near-misses.ts'

describe('equal forms raise no flag', () => {
  test.each([
    ['It cost £2.5m.', 'It cost 2.5 million pounds.'],
    ['It leaves at 2:30 pm.', 'It leaves at 14:30.'],
    ['It leaves at 14:30.', 'Der Zug fährt um 14.30 Uhr.'],
    ['She was born on 3 May 1998.', 'Sie kam am 3. Mai 1998 zur Welt.'],
    ['She was born on 3 May 1998.', 'Elle est née le 3 mai 1998.'],
    ['It was opened on 3 May 1998.', '1998年5月3日に開業した。'],
    ['The hall seats 1,200 people.', 'Der Saal hat 1.200 Plätze.'],
    ['It weighs 12 kilograms.', 'It weighs 12 kg.'],
    ['It took twelve days.', 'It took 12 days.'],
    ['Parking is not allowed.', 'Parking is forbidden.'],
    ['It is one of the largest.', 'It is among the largest.'],
    ['Ben was hired by Ada.', 'Ada hired Ben.'],
    ['The WHO agreed in May.', 'The World Health Organization agreed in May.'],
    ['Odra jest krótsza niż Wisła.', 'Wisła jest dłuższa niż Odra.'],
    [
      'Lille gets less precise results than Nantes.',
      'The results of Nantes are more precise than those of Lille.',
    ],
    ['Entry is free for children.', 'Children do not pay for entry.'],
    ['Everywhere but Tromsø, service was back.', 'Service was back everywhere except in Tromsø.'],
    ['The plant makes 3,000 bicycles every year.', 'The plant makes 3,000 bicycles a year.'],
    [
      'Staff who are not on probation may work from home.',
      'Staff may work from home unless they are on probation.',
    ],
    [
      'Thanks to a loan, Fiona Reid rebuilt the mill.',
      'Fiona Reid rebuilt the mill with a loan from Ada Holm.',
    ],
    [
      'W 1988 roku Jan Kowal podarował bibliotece rękopisy.',
      'Jan Kowal przekazał bibliotece rękopisy w 1988 roku.',
    ],
    ['В финале Анна Крылова проиграла Ольге Беловой.', 'Ольга Белова победила Анну Крылову в финале.'],
    ['주민 일부는 공사를 반대했다.', '일부 주민은 공사에 반대했다.'],
    ['Whales sing at night.', 'Die Brücke wurde von den Arbeitern aus der Stadt gebaut.'],
  ])('%s / %s', (claim, sentence) => {
    expect(flagsBetween(claim, [sentence])).toEqual([])
  })
})

describe('differences raise one', () => {
  test.each([
    ['It opens at 9 am.', 'It opens at 9 pm.', 'says 9 am, the passage 9 pm'],
    ['The tank holds 40 gallons.', 'The tank holds 40 litres.', '40 gallons'],
    ['It is 5 km long.', 'It is 5 miles long.', '5 km'],
    ['She was born on 3 May 1998.', 'Elle est née le 3 juin 1998.', '3 May 1998'],
    ['Ada hired Ben.', 'Ben hired Ada.', 'the other way round'],
    ['The road closed because the river rose.', 'The river rose because the road closed.', 'because'],
    ['Lead is heavier than tin.', 'Tin is heavier than lead.', 'the other way round'],
    ['It rose from 5 to 10.', 'It rose from 10 to 5.', 'the other way round'],
    ['More than 50 came.', 'Fewer than 50 came.', 'says “More”'],
    ['Dogs are allowed.', 'Dogs are not allowed.', '“not”'],
    ['All staff agreed.', 'Some of the staff agreed.', '“All”'],
    ['Only members may row.', 'Members may row.', '“Only”'],
    ['It is the largest port.', 'It is one of the largest ports.', '“one of”'],
    ['The drug works.', 'The drug allegedly works.', '“allegedly”'],
    ['The ferry runs.', 'The ferry runs if the weather allows it.', '“if”'],
    ['The whales sing at night.', 'The bridge was built by the workers of Oban.', 'says nothing of it'],
    ['De molen is 22 voet hoog.', 'De molen is 22 meter hoog.', '22 voet'],
    [
      'De haven van Gent is groter dan die van Brugge.',
      'De haven van Brugge is groter dan die van Gent.',
      'groter',
    ],
    [
      'The south slope is wetter than the north slope.',
      'The north slope is wetter than the south slope.',
      'than',
    ],
    ['Los trenes no circulan los lunes.', 'Los trenes no circulan los lunes, excepto en agosto.', 'excepto'],
    [
      'Paul Mercier a accusé Hélène Garnier.',
      'Hélène Garnier, qui dirigeait le laboratoire de la ville, a accusé Paul Mercier.',
      'the other way round',
    ],
  ])('%s / %s', (claim, sentence, named) => {
    expect(flagsBetween(claim, [sentence]).join('; ').toLowerCase()).toContain(named.toLowerCase())
  })
})

describe('of the sentences in ten languages', () => {
  const rows = readNearMisses()
  const shareFlagged = (kind: (one: string) => boolean) => {
    const some = rows.filter((row) => kind(row.kind))
    return (
      some.filter(({ claim, sentences }) => flagsBetween(claim, sentences).length > 0).length / some.length
    )
  }

  test('most falsehoods of each kind are flagged, few honest paraphrases and no copies', () => {
    const kinds = [...new Set(rows.map(({ kind }) => kind))].filter(
      (kind) => kind !== 'copy' && kind !== 'honest',
    )

    expect(kinds).toHaveLength(10)
    for (const kind of kinds) expect([kind, shareFlagged((one) => one === kind) >= 0.6]).toEqual([kind, true])
    expect(shareFlagged((kind) => kind === 'honest')).toBeLessThanOrEqual(0.15)
    expect(shareFlagged((kind) => kind === 'copy')).toBe(0)
  })
})
