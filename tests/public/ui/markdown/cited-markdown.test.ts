import { describe, expect, test } from 'vitest'
import { type CitedPassage, citedMarkdown } from '../../../../lib/core/text/cited/cited-markdown.ts'
import { markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const passage = (n: number, end: number, more: Partial<CitedPassage> = {}): CitedPassage => ({
  n,
  end,
  kind: 'page',
  id: `id-${n}`,
  title: 'The lamp',
  cited_text: 'It burns oil.',
  checked: true,
  ...more,
})
const hrefOf = ({ id }: CitedPassage) => (id ? `https://void.example/s/a/pages/${id}?cite=(oil)` : null)

describe('an answer as Markdown', () => {
  test('has a linked number where it is cited, and its sources below, each once', () => {
    const text = 'It burns oil. It has two wicks.'
    const citations = [passage(1, 13), passage(2, 31, { title: 'Wicks', checked: false }), passage(1, 31)]

    expect(citedMarkdown(text, citations, hrefOf)).toBe(
      [
        'It burns oil. [\\[1\\]](https://void.example/s/a/pages/id-1?cite=%28oil%29) It has two wicks. ' +
          '[\\[2\\]](https://void.example/s/a/pages/id-2?cite=%28oil%29)' +
          '[\\[1\\]](https://void.example/s/a/pages/id-1?cite=%28oil%29)',
        '',
        'Sources:',
        '',
        '1. [The lamp](https://void.example/s/a/pages/id-1?cite=%28oil%29): “It burns oil.”',
        '2. [Wicks](https://void.example/s/a/pages/id-2?cite=%28oil%29): “It burns oil.” (not verified)',
      ].join('\n'),
    )
  })

  test('has the link in place of a number that the answer has', () => {
    const text = 'It burns oil. [P1] [2] It has two wicks.'

    expect(citedMarkdown(text, [passage(1, 22), passage(2, 22)], () => null)).toMatch(
      /^It burns oil\. \\\[1\\\]\\\[2\\\] It has two wicks\./,
    )
  })

  test('without citations is the text itself', () => {
    expect(citedMarkdown('Nothing found.\n', [], hrefOf)).toBe('Nothing found.\n')
  })

  test('names a source without an address, and breaks no code', () => {
    const text = '```\noil\n```\n\nDone.'

    const markdown = citedMarkdown(text, [passage(1, 11, { id: null })], hrefOf)

    expect(markdown.startsWith(text)).toBe(true)
    expect(markdown).toContain('1. The lamp: “It burns oil.”')
  })

  test('cuts a long quotation, and lets neither a title nor a quotation link or embed', () => {
    const hostile = '](javascript:alert(1)) ![x](https://evil.example/x.png) [[Lease]] <img src=x>'
    const long = `${hostile} ${'word '.repeat(200)}`

    const markdown = citedMarkdown('Oil.', [passage(1, 4, { title: hostile, cited_text: long })], () => null)

    expect(markdown.length).toBeLessThan(700)
    const html = markdownToHtml(markdown, { slug: 'a' })
    expect(html).not.toMatch(/<(?:a|img)\b/)
  })
})
