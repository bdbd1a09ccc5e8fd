import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citedLine, createExcerpts, wordsToMark } from '../../lib/search/snippet.ts'

const markedSnippet = (passage: string, words: string[], length?: number) =>
  createExcerpts(words, length)(passage).snippet

describe('a snippet', () => {
  test('is cut around the place where most of the words stand', () => {
    const passage = `${'The sea was calm. '.repeat(40)}The lamp burns rapeseed oil. ${'Gulls cried. '.repeat(40)}`

    const text = markedSnippet(passage, ['rapeseed', 'oil'], 120)
      .map(({ text }) => text)
      .join('')

    expect(text).toContain('burns rapeseed oil')
    expect(text.length).toBeLessThan(140)
    expect(text).toMatch(/^… .* …$/)
  })

  test('shows no signs of Markdown', () => {
    const text = markedSnippet(
      '## Oil\n\n- **forty** litres of [oil](https://a.example/x), see [[The lamp|lamp]]',
      [],
    )

    expect(text.map(({ text }) => text).join('')).toBe('Oil forty litres of oil, see lamp')
  })
})

test('what is cited is the line that answers, as a reader sees it', () => {
  const passage =
    '# The lamp\n\nIt turns.\n\n1. It burns [rapeseed](https://a.example) **oil**.\n2. It shines.'

  expect(citedLine(passage, ['rapeseed', 'oil'])).toBe('It burns rapeseed oil.')
  expect(citedLine(passage, ['whale'])).toBe('')
})

test('a long line is cited in whole words, so that it is a quotation still', () => {
  const line = 'The lamp burns rapeseed oil. '.repeat(20).trim()
  const cite = citedLine(line, ['rapeseed'])

  expect(cite.length).toBeGreaterThan(260)
  expect(`${line} `).toContain(`${cite} `)
  expect(citedLine('x'.repeat(1000), ['x'.repeat(1000)])).toHaveLength(280)
})

describe('what is marked', () => {
  const marked = (text: string, words: string[]) =>
    markedSnippet(text, words)
      .filter((piece) => piece.marked)
      .map((piece) => piece.text)

  test('a word is marked by its stem, by what a slip meant, and by its accents left out', () => {
    expect(
      marked('The pressures in Zürich', wordsToMark(['presure', 'zurich'], ['pressur', 'zurich'])),
    ).toEqual(['pressures', 'Zürich'])
  })

  test('stop words are not marked', () => {
    expect(
      marked('What is the pressure?', wordsToMark(['what', 'is', 'the', 'pressure'], ['pressur'])),
    ).toEqual(['pressure'])
  })

  test('a pair of characters is marked where it stands in a run', () => {
    expect(marked('箱根の温泉に一泊', ['温泉'])).toEqual(['温泉'])
  })

  test('the pieces of a short text are the text, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ minLength: 1, maxLength: 8 }), (text, word) => {
        const plain = text.replace(/[\s[\](){}!*_~`#>|+\-.\d\\]/g, 'x')
        const pieces = markedSnippet(plain, [word.toLowerCase()], 200)

        expect(pieces.map((piece) => piece.text).join('')).toBe(plain)
      }),
    )
  })
})

describe('of front matter', () => {
  const said = (passage: string, words: string[] = []) =>
    markedSnippet(passage, words)
      .map(({ text }) => text)
      .join('')

  test('the properties are said as a reader would, and no YAML is shown', () => {
    const matter =
      'categories:\n  - "[[Books]]"\nauthor:\n  - "[[Ann Eide|Ann]]"\n  - Ben\nrating: 7\ncover:\ntags: []'

    expect(said(`---\n${matter}\n---\n\nA year on an *island*.`, ['island'])).toBe(
      'categories: Books · author: Ann, Ben · rating: 7 A year on an island.',
    )
    expect(markedSnippet(`---\nauthor: "[[Ann]]"\n---\n`, ['ann']).filter(({ marked }) => marked)).toEqual([
      { text: 'Ann', marked: true },
    ])
  })

  test('what is cited is still a line of the text as it stands', () => {
    const passage = '---\nauthor:\n  - "[[Ann]]"\nrating: 7\n---\nText.'

    expect(passage).toContain(citedLine(passage, ['rating']))
  })

  test.each([
    '---\n: :\n---\n',
    '---\n- - -\n---\n',
    '---\na: b: c: d\n---\n',
    `---\n${'-'.repeat(5000)}\n---\n`,
  ])('hostile front matter does no harm: %j', (passage) => {
    expect(() => said(passage, ['a'])).not.toThrow()
  })
})
