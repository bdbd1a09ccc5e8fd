import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links: [] })
const numbers = (text: string) => [...html(text).matchAll(/data-n="(\d+)"/g)].map(([, n]) => Number(n))
const itemsOf = (text: string) => [...html(text).matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, item]) => item!)
const withoutLinks = (text: string) => text.replace(/ ?<a [^>]*><\/a>/g, '').trim()

describe('footnotes', () => {
  test('are numbered as they are referred to, and listed below the text with the way back', () => {
    const text = 'Oil[^b] and wick[^A].\n\n[^a]: Trim it *daily*.\n[^b]: Rapeseed.\n\nMore.'
    const shown = html(text)

    expect(numbers(text)).toEqual([1, 2])
    expect(itemsOf(text).map(withoutLinks)).toEqual(['<p>Rapeseed.</p>', '<p>Trim it <em>daily</em>.</p>'])
    expect(shown.indexOf('More.')).toBeLessThan(shown.indexOf('<ol class="footnotes"'))
    const [, mark, note] = /<a id="([^"]+)" href="#([^"]+)" aria-label="Footnote 1"/.exec(shown)!
    expect(shown).toContain(`<li id="${note}">`)
    expect(shown).toContain(`<a href="#${mark}" aria-label="Back to the text of footnote 1"`)
  })

  test('may stand in the text itself', () => {
    const text =
      'Oil^[From *rape*, see [the site](https://skerry.example) and [[Wick|it]].] and[^a] x^2^[Two.].\n\n[^a]: Named.'

    expect(numbers(text)).toEqual([1, 2, 3])
    expect(itemsOf(text).map(withoutLinks)).toEqual([
      expect.stringMatching(/^<p>From <em>rape<\/em>, see .*the site.* and .*it.*\.<\/p>$/),
      '<p>Named.</p>',
      '<p>Two.</p>',
    ])
    expect(html('`^[code]` \\^[not] ^[never closed')).not.toContain('data-n')
    const keys = ['a^[x]', 'b^[y]'].map((each) => /href="#fn-([^-]+)-1"/.exec(html(each))?.[1])
    expect(new Set(keys).size).toBe(2)
  })

  test('hold what is indented below them, until a line that is not', () => {
    const items = itemsOf('See[^1].\n\n[^1]: First\n    still first.\n\n    - second\n\nNot in it.')

    expect(items[0]).toContain('<p>First\nstill first.</p>')
    expect(items[0]).toContain('<li>second')
    expect(html('[^1]: note\n\nNot in it.')).toMatch(/^<p>Not in it\.<\/p>/)
    for (const line of ['# Heading', '- item', '> quote', '```', '---', '![[Lamp]]', '%% aside %%'])
      expect(itemsOf(`[^1]: note\n${line}`).at(-1)).toBe('<p>note</p>\n')
  })

  test('with a name that two have are the first one, and the other is listed as well', () => {
    const text = 'See[^1].\n\n[^1]: first\n[^1]: second'

    expect(numbers(text)).toEqual([1])
    expect(itemsOf(text).map(withoutLinks)).toEqual(['<p>first</p>', '<p>second</p>'])
  })

  test('that nothing refers to are listed, and so are those that only they refer to', () => {
    const text = '[^a]: see[^b]\n[^b]: end\n[^c]: alone'

    expect(itemsOf(text)).toHaveLength(3)
    expect(numbers(text)).toEqual([1])
    expect(html(text)).toContain('alone')
  })

  test('that are nowhere defined stay as they are written', () => {
    expect(html('See[^nowhere].')).toBe('<p>See[^nowhere].</p>\n')
    expect(html('[^x](https://example.org/)')).not.toContain('class="footnote"')
    expect(html('`[^1]`\n\n[^1]: a')).toContain('<code>[^1]</code>')
  })

  test('that refer to one another, or to themselves, end', () => {
    expect(numbers('See[^a].\n\n[^a]: [^b]\n[^b]: [^a] [^b]')).toHaveLength(4)
  })

  test('in quotations, lists and callouts are listed with the others', () => {
    expect(itemsOf('> [^q]: quoted\n\n> [!note]\n> [^c]: called out')).toHaveLength(2)
    expect(html('- item\n\n  [^l]: listed')).toMatch(/<ol class="footnotes".*listed/s)
  })

  test('carry nothing out of their names or texts', () => {
    const shown = html(
      'a[^"><img/src=x>] b[^"onclick=x]\n\n[^"onclick=x]: <script>x</script> [y](javascript:z)\n[^"><img/src=x>]: y',
    )

    expect(shown).not.toMatch(/<img|<script|href="javascript|"\s*onclick/)
  })

  test('have at most ten ways back', () => {
    const shown = html(`${'x[^1] '.repeat(50)}\n\n[^1]: a`)

    expect(shown.match(/data-n=/g)).toHaveLength(50)
    expect(shown.match(/data-back/g)).toHaveLength(10)
  })

  test('leave the blocks of a text whole', () => {
    const piece = fc.constantFrom('[^1]: a', '    b', '', 'c[^1]', '- d', '> [^2]: e', '```', '# f', '%%')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (lines) => {
        expect(blocksOf(lines.join('\n')).join('')).toBe(lines.join('\n'))
      }),
    )
  })
})
