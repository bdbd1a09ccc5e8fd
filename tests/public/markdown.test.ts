import { describe, expect, test } from 'vitest'
import { markdownToHtml } from '../../public/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links })
const links = [
  { name: 'the lamp', label: null, heading: null, embed: false, to_type: 'page', to_id: 'p1' },
  {
    name: 'tower.png',
    label: null,
    heading: null,
    embed: true,
    to_type: 'source_doc',
    to_id: '01900000-0000-7000-8000-000000000000',
  },
  { name: 'nowhere', label: null, heading: null, embed: false, to_type: null, to_id: null },
]

describe('Markdown', () => {
  test('links to what a wikilink names, and says so where nothing has that name', () => {
    expect(html('[[The Lamp|lamp]]')).toContain(
      '<a href="/s/skerry-light/pages/p1" class="wikilink">lamp</a>',
    )
    expect(html('[[Nowhere]]')).toContain(
      '<span class="wikilink-missing" title="Nothing here is called Nowhere">',
    )
  })

  test('shows where a link leads, and lets it learn nothing of us', () => {
    expect(html('[our notes](https://evil.example/x)')).toContain(
      '<a href="https://evil.example/x" rel="noopener noreferrer" target="_blank" title="https://evil.example/x" data-host="evil.example">our notes</a>',
    )
    expect(html('https://example.com/x')).not.toContain('data-host')
  })

  test('has no link to anything that is no address', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/api/session',
    ]) {
      expect(html(`[x](<${address}>)`)).not.toContain('href')
    }
  })

  test('shows images of the Space, and a link in place of one from elsewhere', () => {
    expect(html('![[tower.png]]')).toContain(
      'src="/api/source-docs/01900000-0000-7000-8000-000000000000/original"',
    )
    expect(html('![spy](https://evil.example/x.png)')).not.toContain('<img')
    expect(html('![spy](https://evil.example/x.png)')).toContain('data-host="evil.example"')
  })

  test('shows raw HTML as text, but for a few bare tags', () => {
    expect(html('a<br>b <img src=x onerror=alert(1)> <b onclick=x>c</b>')).toBe(
      '<p>a<br>b &lt;img src=x onerror=alert(1)&gt; &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n',
    )
    expect(html('<script>alert(1)</script>')).not.toContain('<script')
    expect(html('<kbd onclick=x>')).not.toContain('<kbd')
  })

  test('folds front matter away', () => {
    expect(html('---\naliases: [<x>]\n---\n# Lamp')).toBe(
      '<details class="front-matter"><summary>Properties</summary><pre>aliases: [&lt;x&gt;]</pre></details><h1>Lamp</h1>\n',
    )
  })
})
