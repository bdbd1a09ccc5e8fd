import { describe, expect, test } from 'vitest'
import { findQuotes } from '../../../lib/changes/grounding/find-quotes.ts'
import { createQuoteSource, judgeQuote } from '../../../lib/changes/grounding/judge-quote.ts'

const found = (text: string) => findQuotes(text).map((quote) => [quote.text, quote.attributed_to])

test.each([
  ['> The lamp turns once in twelve seconds.\n', 'The lamp turns once in twelve seconds.', null],
  ['> The lamp turns once\n> in twelve seconds.\n', 'The lamp turns once\nin twelve seconds.', null],
  ['> The lamp turns once a night.\n> — [[The lamp]]\n', 'The lamp turns once a night.', 'The lamp'],
  ['> The lamp turns once a night.\n\n— [[The lamp#Oil|lamp]]\n', 'The lamp turns once a night.', 'The lamp'],
  ['> The lamp turns once a night. ([[The lamp]])\n', 'The lamp turns once a night.', 'The lamp'],
  ['> The lamp turns once a night.\n> -- The lamp, 2031\n', 'The lamp turns once a night.', 'The lamp'],
  ['[[The lamp]] says:\n\n> The lamp turns once a night.\n', 'The lamp turns once a night.', 'The lamp'],
  ['It says “the lamp turns once a night” ([[The lamp]]).', 'the lamp turns once a night', 'The lamp'],
  ['As [[The lamp]] has it, "the lamp turns once a night".', 'the lamp turns once a night', 'The lamp'],
  ['Es heißt „die Lampe dreht sich einmal nachts“.', 'die Lampe dreht sich einmal nachts', null],
  ['On lit «la lampe tourne une fois par nuit».', 'la lampe tourne une fois par nuit', null],
  ['It says ‘the lamp doesn’t turn at night’.', 'the lamp doesn’t turn at night', null],
  ['Es heißt »die Lampe dreht sich nachts«.', 'die Lampe dreht sich nachts', null],
  ['Es heißt ›die Lampe dreht sich nachts‹.', 'die Lampe dreht sich nachts', null],
  ['On lit ‹la lampe tourne la nuit›.', 'la lampe tourne la nuit', null],
  ['「灯台は十二秒に一度回る」とある。', '灯台は十二秒に一度回る', null],
  ['- > The lamp turns once a night.\n', 'The lamp turns once a night.', null],
  ['1. > The lamp turns\n   > once a night.\n', 'The lamp turns\nonce a night.', null],
  ['**"The lamp turns at night"**', 'The lamp turns at night', null],
  ['*“The lamp turns at night”* ([[The lamp]])', 'The lamp turns at night', 'The lamp'],
  ['> [!quote] Oil\n> The lamp turns once a night.\n', 'The lamp turns once a night.', null],
  ['> [!note] Oil\n> It says “the lamp turns once”.\n', 'the lamp turns once', null],
  ['<blockquote>\nThe lamp turns once.\n</blockquote>', 'The lamp turns once.', null],
  ['It <q>turns once a night</q> ([[The lamp]]).', 'turns once a night', 'The lamp'],
  ['"The lamp turns once a night"[^1] and on', 'The lamp turns once a night', null],
  ['“The lamp turns once a night”[^1] ([[The lamp]])', 'The lamp turns once a night', 'The lamp'],
  ['> The lamp turns once a night.[^1]\n', 'The lamp turns once a night.', null],
  ['> The lamp turns once. [The log](https://a.example)\n', 'The lamp turns once.', null],
  [
    '> The lamp turns [no longer](https://a.example)\n',
    'The lamp turns [no longer](https://a.example)',
    null,
  ],
  [`It says “${'the lamp turns '.repeat(300)}”.`, 'the lamp turns '.repeat(300).trim(), null],
])('a quotation is found with what it is said to be from: %j', (text, words, source) => {
  expect(found(text)).toEqual([[words, source]])
})

test.each([
  ['a term in quotation marks', 'The so-called "lamp room" is “not a room”.'],
  ['a callout', '> [!note] Mind the step\n> The stairs are steep and wet in winter.\n'],
  ['code', '```\n> The lamp turns once in twelve seconds.\nx = "one two three four five six"\n```\n'],
  ['inches', 'A 12" pipe and a 14" pipe lie next to the 16" one.'],
  ['a short blockquote', '> So be it.\n'],
])('%s is no quotation', (_, text) => {
  expect(found(text)).toEqual([])
})

const sourceOf = (text: string, title = 'The lamp') =>
  createQuoteSource({ entity_type: 'page', entity_id: title, title: title }, text)

const lamp = sourceOf(
  "The lamp turns once in twelve seconds. Its range is 18 nautical miles in clear weather, and the keeper's house must not be left unlit. " +
    'The tank holds 40 litres of rapeseed oil, which lasts for nine nights in winter and for fourteen in summer.',
)
const lease = sourceOf('The rent is 410 crowns a month, due on the third working day of the month.', 'Lease')

test.each([
  ['verbatim', 'The lamp turns once in twelve seconds.'],
  ['verbatim', 'its range is **18 nautical miles** in clear weather'],
  ['verbatim', 'the keeper’s house must not be left unlit'],
  ['shortened', 'The tank holds 40 litres … which lasts for nine nights'],
  ['shortened', 'The lamp turns [...] in twelve seconds'],
  ['verbatim', '[t]he lamp turns once in twelve seconds …'],
  ['with_insertions', 'The lamp turns once [a whole turn, ed.] in twelve seconds'],
  ['with_insertions', 'The tank holds 40 litres of [some] oil, which lasts for nine nights'],
  ['altered', "the keeper's house must … be left unlit"],
  ['altered', "the keeper's house [may always] be left unlit"],
  ['altered', "the keeper's house must ~~not~~ be left unlit"],
  ['altered', "the keeper's house must <!-- not --> be left unlit"],
  ['altered', "the keeper's house must <del>not</del> be left unlit"],
  ['altered', "the keeper's house must <span hidden>not</span> be left unlit"],
  ['altered', "the keeper's house must %%not%% be left unlit"],
  ['altered', 'The rent is [950] crowns a month'],
  ['altered', 'Its range is … nautical miles in clear weather'],
  ['altered', 'The tank holds 40 litres of rapeseed oil [never]'],
  ['not_found', 'lamp … rapeseed … house … summer … unlit'],
  ['altered', 'The lamp turns once in ten seconds'],
  ['altered', "the keeper's house must be left unlit"],
  ['altered', 'Its range is 81 nautical miles in clear weather'],
  ['spliced', 'The lamp turns once in twelve seconds and for fourteen in summer'],
  ['spliced', 'The lamp turns once in twelve seconds, due on the third working day'],
  ['spliced', 'which lasts for nine nights the lamp turns once in twelve seconds'],
  ['not_found', 'The fog horn was sold to the harbour office in spring'],
])('%s: %s', (verdict, quote) => {
  expect(judgeQuote(quote, [lamp, lease]).verdict).toBe(verdict)
})

test('numbers, signs and currencies count', () => {
  const source = sourceOf('It was -12.5 degrees and cost $40, or 3 % of all.')

  expect(judgeQuote('It was -12.5 degrees and cost $40', [source]).verdict).toBe('verbatim')
  for (const wrong of [
    'It was 12.5 degrees and cost $40',
    'It was -12.5 degrees and cost €40',
    'It was -12,5 degrees and cost $40',
  ]) {
    expect(judgeQuote(wrong, [source]).verdict).not.toBe('verbatim')
  }
})

test('a script without spaces is quoted by its characters', () => {
  const source = sourceOf('灯台は十二秒に一度回る。油は九夜もつ。')

  expect(judgeQuote('灯台は十二秒に一度回る', [source]).verdict).toBe('verbatim')
  expect(judgeQuote('灯台は十秒に一度回る', [source]).verdict).toBe('altered')
})

test('a quotation of thousands of words from a megabyte is judged in bounded time', () => {
  const words = Array.from(
    { length: 200_000 },
    (_, n) => ['the', 'lamp', 'of', 'the', `house${n % 50}`][n % 5]!,
  )
  const source = sourceOf(words.join(' '))

  expect(judgeQuote(`${words.slice(0, 300).join(' ')} and never more`, [source]).verdict).toBe('altered')
})

describe('words that turn a sentence', () => {
  const source = createQuoteSource(
    { entity_type: 'page', entity_id: '1', title: 'Inspection' },
    'The north wall was barely safe for the crew that night. The owner allegedly paid for the repairs in May. ' +
      'The second ladder is unsafe for two people at once. The report that was untrue went to the board. ' +
      'The captain refused to sign the log of that day. The engine hardly ever starts in the cold. ' +
      'The keeper is safe and the lamp was paid for by the harbour office.',
  )
  const verdictOf = (quote: string) => judgeQuote(quote, [source]).verdict

  test.each([
    'The north wall was … safe for the crew that night',
    'The owner … paid for the repairs in May',
    'The second ladder is … for two people at once',
    'The report that was … went to the board',
    'The captain … sign the log of that day',
    'The engine … ever starts in the cold',
    'The keeper is [un]safe and the lamp was paid for',
    'The keeper is [un-]safe and the lamp was paid for',
    'The keeper is [barely] safe and the lamp was paid for',
    'The keeper is safe and the lamp was [allegedly] paid for',
    'the lamp was [refused to be] paid for by the harbour office',
    'The keeper is safe and the lamp was [supposedly] paid for',
  ])('%s', (quote) => {
    expect(['verbatim', 'shortened', 'with_insertions']).not.toContain(verdictOf(quote))
  })

  test.each([
    ['shortened', 'The keeper is safe … paid for by the harbour office'],
    ['with_insertions', 'The keeper [of the light] is safe and the lamp was paid for'],
  ])('%s: %s', (verdict, quote) => {
    expect(verdictOf(quote)).toBe(verdict)
  })
})
