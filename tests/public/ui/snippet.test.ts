import { describe, expect, test } from 'vitest'
import { markWords, queryWords } from '../../../public/ui/components/snippet.ts'

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
