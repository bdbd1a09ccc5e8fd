import { describe, expect, test } from 'vitest'
import type { Links } from '../../../lib/contract/entities.ts'
import type { EmbeddedPage } from '../../../lib/contract/space/pages.ts'
import { createEmbedder } from '../../../public/page/data/embeds.ts'
import { markdownToHtml } from '../../../public/ui/markdown/markdown.ts'

const linkTo = (id: string): Links['links'][number] => ({
  form: 'wiki' as const,
  target: id,
  to_title: null,
  to_path: null,
  name: id,
  label: null,
  heading: null,
  embed: true,
  to_type: 'page',
  to_id: id,
})

const pageOf = (id: string, body: string, to: string[] = []): EmbeddedPage => ({
  id,
  title: `Page ${id}`,
  path: `${id}.md`,
  label_first: false,
  body,
  links: to.map(linkTo),
})

const show = (text: string, to: string[], pages: EmbeddedPage[]) =>
  markdownToHtml(text, { slug: 'light', links: to.map(linkTo), embed: createEmbedder('top', pages) })

const count = (html: string, part: string) => html.split(part).length - 1

describe('a page within a page', () => {
  test('stands in a box with its name, and its own text without the title', () => {
    const html = show(
      'Before.\n\n![[oil]]\n\nAfter.',
      ['oil'],
      [pageOf('oil', '# Page oil\n\nRapeseed, *clean*.')],
    )

    expect(html).toContain('<blockquote class="embed">')
    expect(html).toContain('href="/s/light/pages/oil"')
    expect(html).toContain('Rapeseed, <em>clean</em>.')
    expect(html).not.toContain('<h1>')
    expect(html.indexOf('Before')).toBeLessThan(html.indexOf('Rapeseed'))
  })

  test('is only the part under a heading, or the block with a mark, when that is asked for', () => {
    const oil = pageOf(
      'oil',
      'Lead.\n\n## Price\n\nTen.\n\n### Tax\n\nOne.\n\n## Place\n\nShed.\n\nA line. ^mark\n',
    )

    const part = show('![[oil#price]]', ['oil'], [oil])
    const block = show('![[oil#^mark]]', ['oil'], [oil])

    expect(part).toContain('Ten.')
    expect(part).toContain('One.')
    expect(part).not.toContain('Shed.')
    expect(part).toContain('/pages/oil#price')
    expect(block).toContain('A line.')
    expect(block).not.toContain('Shed.')
  })

  test('is the part below a heading below another, where it names both', () => {
    const oil = pageOf('oil', '## Spring\n\n### Price\n\nTen.\n\n## Autumn\n\n### Price\n\nTwelve.\n')

    expect(show('![[oil#Autumn#Price]]', ['oil'], [oil])).toContain('Twelve.')
    expect(show('![[oil#Autumn#Price]]', ['oil'], [oil])).not.toContain('Ten.')
    expect(show('![[oil#Price#Autumn#Place]]', ['oil'], [oil])).not.toContain('Twelve.')
  })

  test('is a link where it stands in a line, has no such heading, or its text did not come along', () => {
    const oil = pageOf('oil', 'Rapeseed.')

    for (const html of [
      show('See ![[oil]] here.', ['oil'], [oil]),
      show('![[oil#Nowhere]]', ['oil'], [oil]),
      show('![[oil]]', ['oil'], []),
    ]) {
      expect(html).not.toContain('blockquote')
      expect(html).toContain('href="/s/light/pages/oil')
    }
    expect(show('![[nothing]]', [], [])).toContain('wikilink-missing')
  })

  test('within itself is a link, however long the way round', () => {
    const pages = [
      pageOf('a', 'In a.\n\n![[b]]', ['b']),
      pageOf('b', 'In b.\n\n![[a]]\n\n![[top]]', ['a', 'top']),
    ]

    const html = show('![[a]]', ['a'], pages)

    expect(count(html, 'In a.')).toBe(1)
    expect(count(html, 'In b.')).toBe(1)
    expect(html).toContain('/pages/a')
    expect(html).toContain('/pages/top')
  })

  test('goes three deep and no further, and never grows beyond bounds', () => {
    const chain = ['a', 'b', 'c', 'd', 'e'].map((id, at, all) => {
      const next = all[at + 1]
      return pageOf(id, `In ${id}.${next ? `\n\n![[${next}]]` : ''}`, next ? [next] : [])
    })
    const many = ['a', 'b', 'c'].map((id, at, all) => {
      const next = all[at + 1]
      return pageOf(id, `In ${id}.\n\n${`![[${next}]]\n\n`.repeat(next ? 50 : 0)}`, next ? [next] : [])
    })

    const deep = show('![[a]]', ['a'], chain)
    const wide = show('![[a]]\n\n'.repeat(50), ['a'], many)

    expect(deep).toContain('In c.')
    expect(deep).not.toContain('In d.')
    expect(count(wide, 'class="embed"')).toBe(60)
  })

  test('is looked for a limited number of times, found or not', () => {
    const oil = pageOf('oil', '## Price\n\nTen.')

    const html = show(`${'![[oil#Nowhere]]\n\n'.repeat(59)}${'![[oil#Price]]\n\n'.repeat(2)}`, ['oil'], [oil])

    expect(count(html, 'class="embed"')).toBe(1)
  })

  test('cannot bring in markup, by its text, its title or its heading', () => {
    const evil = '<img src=x onerror=alert(1)>"\'><script>alert(1)</script>'
    const page = { ...pageOf('evil', `${evil}\n\n## ${evil}\n\n${evil}`), title: evil }

    const html = show(`![[evil]]\n\n![[evil#${evil.replace(/[[\]|#]/g, '')}]]`, ['evil'], [page])

    expect(html).not.toMatch(/<(img|script)/)
    expect(html).not.toMatch(/<[^>]*\son\w+=/)
  })
})
