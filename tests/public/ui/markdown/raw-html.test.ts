import { describe, expect, test } from 'vitest'
import { markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links: [] })

describe('raw HTML', () => {
  test('of a few tags is what it says', () => {
    expect(html('H<sub>2</sub>O <u>x</u> <kbd>Esc</kbd> <abbr title="a &quot; b">T</abbr>')).toBe(
      '<p>H<sub>2</sub>O <u>x</u> <kbd>Esc</kbd> <abbr title="a &quot; b">T</abbr></p>\n',
    )
    expect(html('<table>\n<tr><td align="right" colspan=2>a &amp; b</td></tr>\n</table>')).toBe(
      '<table tabindex="0">\n<tr><td align="right" colspan="2">a &amp; b</td></tr>\n</table>',
    )
  })

  test('links and shows as Markdown does', () => {
    const to = (target: string, to_type: string, to_id: string) => ({
      ...{ form: 'path' as const, target, name: target, label: null, heading: null, embed: false },
      ...{ to_type, to_id, to_title: 'T', to_path: target },
    })
    const id = '01900000-0000-7000-8000-000000000000'
    const links = [to('a b.md', 'page', 'p1'), to('p.svg', 'source_doc', id)]
    const shown = (text: string) => markdownToHtml(text, { slug: 's', links })

    expect(shown('x <a class="y" href="a%20b.md#H">it</a>')).toContain(
      '<a href="/s/s/pages/p1#H" class="wikilink" title="T">it</a>',
    )
    expect(shown('<img src="p.svg" width="30" style="x" alt="A">')).toContain(
      `<img src="/api/source-docs/${id}/original" alt="A" loading="lazy" width="30">`,
    )
    expect(shown('<a href="https://e.example/">e</a>')).toContain('rel="noopener noreferrer"')
    expect(shown('<img src="https://e.example/x.png">')).not.toContain('<img')
    expect(shown('x <a href="gone.md">it</a>')).toContain('class="wikilink-missing"')
    expect(shown('<a href="x\uE002y.md">it</a>')).toContain('&lt;a href')
    expect(shown('<a href="a b.md">never closed')).toContain('&lt;a href')
  })

  test('folds what is between its blocks', () => {
    const shown = html('<details open>\n<summary>More</summary>\n\n*in it*\n\n</details>\n\nout')

    expect(shown).toMatch(
      /^<details open="">\n<summary>More<\/summary>\s*<p><em>in it<\/em><\/p>\s*<\/details>/,
    )
  })

  test('keeps its folds apart, so that they stay open when a view is drawn again', () => {
    const text = '<details>a</details>\n\n> [!tip]- b\n\n%% c %%'
    const shown = markdownToHtml(text, { slug: 's', folds: 'page' })

    expect([...shown.matchAll(/<details[^>]* id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'fold-page-1',
      'fold-page-2',
      'fold-page-3',
    ])
    expect(html(text)).not.toContain('id=')
  })

  test.each([
    '<u>never closed',
    'never opened</u>',
    '<details>\n\nnever closed',
    '<td>alone</td>',
    'in a line <table></table>',
    '<b onclick=x>a</b>',
    '<td colspan=1000>a',
    '<abbr title=a id="x y">b</abbr>',
    `<b id="${'x'.repeat(500)}">a</b>`,
    '<div onclick=x>a</div>',
    '<li>alone</li>',
    'in a line <div>a</div>',
    '<a href="javascript:x">a</a>',
    '<style>*{}</style>',
    '<form><input></form>',
    '<svg><script>x</script></svg>',
    '<!-- hidden -->',
  ])('shows %s as text', (text) => {
    const [first] = /<[^>]*>/.exec(text)!
    expect(html(text)).toContain(
      first.replace(/[<>"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!),
    )
  })

  test('shows boxes, headings and lists, without the looks that they give themselves', () => {
    expect(html('<b style="position:fixed">a</b> <span class=callout>b</span>')).toBe(
      '<p><b>a</b> <span>b</span></p>\n',
    )
    expect(html('<div align="center" style="display:none">\n\n**a**\n\n</div>')).toMatch(
      /^<div align="center">\s*<p><strong>a<\/strong><\/p>\s*<\/div>/,
    )
    expect(html('<h2 align=center>a</h2>')).toContain('<h2 align="center">a</h2>')
    expect(html('<ul>\n<li>a</li>\n</ul>\n\n<hr>')).toMatch(/<ul>\s*<li>a<\/li>\s*<\/ul>\s*<hr>/)
  })

  test('shows of crossed tags the one that is closed in order', () => {
    expect(html('<s><u>a</s></u>')).toBe('<p><s>&lt;u&gt;a</s>&lt;/u&gt;</p>\n')
  })

  test('has nothing but its parts in a table', () => {
    expect(html('<table><u>a</u></table>')).toBe('<table tabindex="0">&lt;u&gt;a&lt;/u&gt;</table>')
  })

  test('closes nothing that it did not open', () => {
    expect(html('> [!tip]- a\n> </details>\n\nb')).toContain('&lt;/details&gt;')
    expect(html('- </table>\n- </details>')).not.toMatch(/<\/(?:table|details)>/)
  })

  test('has no id that could be one of the app', () => {
    expect(html('<b id="content">a</b>')).toContain('<b id="text-content">')
  })

  test('is nested fifty deep at most', () => {
    const shown = html('<u>'.repeat(60) + '</u>'.repeat(60))

    expect(shown.match(/<u>/g)).toHaveLength(50)
  })
})
