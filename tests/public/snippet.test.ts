import { describe, expect, test } from 'vitest'
import { citeOf, markWords, queryWords, snippetOf } from '../../public/search/snippet.ts'

const marked = (text: string, query: string) =>
  markWords(text, queryWords(query))
    .filter(({ marked }) => marked)
    .map(({ text }) => text)

describe('marking', () => {
  test('finds the forms of a word, whatever their case', () => {
    expect(marked('The lamps burn; Lamp oil burned.', 'lamp burning')).toEqual([
      'lamps',
      'burn',
      'Lamp',
      'burned',
    ])
  })

  test('leaves words alone that only begin alike', () => {
    expect(marked('Oil and oilcloth, a car and a carpet', 'oil car')).toEqual(['Oil', 'car'])
  })

  test('gives the text back unchanged, markup and all', () => {
    const text = '<img src=x onerror=alert(1)> & “oil”'

    expect(
      markWords(text, ['oil'])
        .map(({ text }) => text)
        .join(''),
    ).toBe(text)
  })
})

describe('a snippet', () => {
  test('is cut around the place where most of the words stand', () => {
    const passage = `${'The sea was calm. '.repeat(40)}The lamp burns rapeseed oil. ${'Gulls cried. '.repeat(40)}`

    const text = snippetOf(passage, ['rapeseed', 'oil'], 120)
      .map(({ text }) => text)
      .join('')

    expect(text).toContain('burns rapeseed oil')
    expect(text.length).toBeLessThan(140)
    expect(text).toMatch(/^… .* …$/)
  })

  test('shows no signs of Markdown', () => {
    const text = snippetOf(
      '## Oil\n\n- **forty** litres of [oil](https://a.example/x), see [[The lamp|lamp]]',
      [],
    )

    expect(text.map(({ text }) => text).join('')).toBe('Oil forty litres of oil, see lamp')
  })
})

test('what is cited is the line that answers, as a reader sees it', () => {
  const passage =
    '# The lamp\n\nIt turns.\n\n1. It burns [rapeseed](https://a.example) **oil**.\n2. It shines.'

  expect(citeOf(passage, ['rapeseed', 'oil'])).toBe('It burns rapeseed oil.')
  expect(citeOf(passage, ['whale'])).toBe('')
})
