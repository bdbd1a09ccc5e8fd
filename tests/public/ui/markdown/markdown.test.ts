import { describe, expect, test } from 'vitest'
import { blocksOf, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const wiki = (target: string) => ({ form: 'wiki' as const, target, to_title: null, to_path: target })
const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links })
const links = [
  {
    ...wiki('The Lamp'),
    name: 'the lamp',
    label: null,
    heading: null,
    embed: false,
    to_type: 'page',
    to_id: 'p1',
  },
  {
    ...wiki('tower.png'),
    name: 'tower.png',
    label: null,
    heading: null,
    embed: true,
    to_type: 'source_doc',
    to_id: '01900000-0000-7000-8000-000000000000',
  },
  {
    ...wiki('Nowhere'),
    name: 'nowhere',
    label: null,
    heading: null,
    embed: false,
    to_type: null,
    to_id: null,
  },
]

describe('drawings and canvases', () => {
  const id = '01900000-0000-7000-8000-00000000000a'
  const link = (target: string, to_path: string, more = {}) => ({
    ...wiki(target),
    ...{ name: target.toLowerCase(), label: null, heading: null, embed: true },
    ...{ to_type: to_path.endsWith('.md') ? 'page' : 'source_doc', to_id: id, to_title: target, to_path },
    ...more,
  })
  const drawn = (text: string, ...links: ReturnType<typeof link>[]) =>
    markdownToHtml(text, { slug: 'skerry-light', links, embed: () => 'compressed-json' })
  const picture = { to_picture: '01900000-0000-7000-8000-00000000000b' }

  test('a drawing is embedded as the picture that lies beside it, which opens the drawing', () => {
    const shown = drawn(
      '![[Slip.excalidraw|Plan|300]]',
      link('Slip.excalidraw', 'Slip.excalidraw.md', picture),
    )

    expect(shown).toContain(`<a href="/s/skerry-light/pages/${id}" class="wikilink">`)
    expect(shown).toContain(
      `<img src="/api/source-docs/${picture.to_picture}/original" alt="Plan" loading="lazy" width="300">`,
    )
    expect(shown).not.toContain('compressed-json')
    const byPath = drawn('![Plan](Slip.excalidraw)', {
      ...link('Slip.excalidraw', 'Slip.excalidraw', picture),
      form: 'path' as 'wiki',
    })
    expect(byPath).toContain(`<img src="/api/source-docs/${picture.to_picture}/original" alt="Plan"`)
  })

  test('one without a picture and a canvas are cards that open them', () => {
    const drawing = drawn('![[Slip.excalidraw]]', link('Slip.excalidraw', 'Slip.excalidraw.md'))
    const canvas = drawn('![[Map.canvas]]', link('Map.canvas', 'Map.canvas'))

    expect(drawing).toContain('class="wikilink embed">Slip.excalidraw <small>Excalidraw drawing</small>')
    expect(drawing).not.toContain('compressed-json')
    expect(canvas).toContain(
      `<a href="/s/skerry-light/source-docs/${id}" class="wikilink embed">Map.canvas <small>Canvas</small></a>`,
    )
    expect(drawn('[[Map.canvas]]', link('Map.canvas', 'Map.canvas'))).not.toContain('wikilink embed')
  })

  test('a name or label with markup stays text', () => {
    const shown = drawn('![[Map.canvas|<img src=x>]]', link('Map.canvas', 'Map.canvas'))

    expect(shown).toContain('&lt;img src=x&gt;')
  })
})

describe('Markdown', () => {
  test('links to what a wikilink names, and says so where nothing has that name', () => {
    expect(html('[[The Lamp|lamp]]')).toContain(
      '<a href="/s/skerry-light/pages/p1" class="wikilink">lamp</a>',
    )
    expect(html('[[Nowhere]]')).toContain(
      '<span class="wikilink-missing" title="Page not found: Nowhere" data-form="wiki">',
    )
  })

  test('reads the label first in a note of Dendron', () => {
    const head = '---\nid: a\ntitle: T\ndesc: x\nupdated: 1626563273451\ncreated: 1626563273451\n---\n'

    expect(html(`${head}[[the light|The Lamp#Oil]] [[The Lamp]]`)).toContain(
      '<a href="/s/skerry-light/pages/p1#Oil" class="wikilink">the light</a> <a href="/s/skerry-light/pages/p1" class="wikilink">The Lamp</a>',
    )
  })

  test('reads the label first where the vault says so', () => {
    const shown = markdownToHtml('[[the light|The Lamp]]', { slug: 's', links, labelFirst: true })

    expect(shown).toContain('>the light</a>')
    expect(shown).toContain('/s/s/pages/p1')
  })

  test('shows single line breaks as breaks where they are asked for, and not in code', () => {
    const shown = markdownToHtml('one\ntwo\n\n- a\n  b\n\n```\nx\ny\n```', { slug: 's', breaks: true })

    expect(shown).toContain('<p>one<br>two</p>')
    expect(shown).toContain('a<br>b')
    expect(shown).toContain('<code>x\ny')
    expect(html('one\ntwo')).toContain('<p>one\ntwo</p>')
  })

  test.each([
    ['before %%hidden\n\nstill%% after', 'before', 'hidden\n\nstill', 'after'],
    ['one `%%` two %%x\n\n- y\n\n%% three', 'two', 'x\n\n- y', 'three'],
    ['%%x\n\ny%% after', '', 'x\n\ny', 'after'],
  ])('hides a comment over blank lines whole: %j', (text, before, comment, after) => {
    const [start = '', inside = '', end = ''] = html(text).split(/<details class="comment">|<\/details>/)

    expect(start).toContain(before)
    expect(inside).toContain(`<span class="comment-text">${comment}</span>`)
    expect(end).toContain(after)
  })

  test('hides a comment over blank lines behind another one at the start of its paragraph', () => {
    const shown = html('%%one%% b %%x\n\ny%% after')

    expect(shown.match(/<span class="comment-text">[^<]*/g)).toEqual([
      '<span class="comment-text">one',
      '<span class="comment-text">x\n\ny',
    ])
    expect(shown).not.toContain('%%')
  })

  test('leaves signs of comments that never close, or stand in code, as they are', () => {
    expect(html('100 %% of it\n\nand more')).not.toContain('<details')
    expect(html('`%%` a\n\nb `%%`')).not.toContain('<details')
  })

  test('reads an inline note over lines and around code', () => {
    expect(html('a ^[one\ntwo] b')).toContain('one\ntwo')
    expect(html('a ^[with `]` in it] b')).toContain('<li id="fn-')
    expect(html('a ^[with `]` in it] b')).toContain('with <code>]</code> in it')
  })

  test('shows references to blocks as links to them, with what they say, and no marks of blocks', () => {
    const id = '5f3a1b2c-1111-4222-8333-123456789abc'
    const block = { ...links[0]!, ...wiki(id), name: id, to_title: 'Lamp', embed: true }
    const embed = ({ heading, isLine }: { heading: string; isLine?: boolean }) =>
      isLine ? 'What it says' : `<blockquote>${heading}</blockquote>`
    const show = (text: string) => markdownToHtml(text, { slug: 's', links: [block, ...links], embed })

    expect(show(`See [the lamp](((${id}))).`)).toContain(
      `#%5E${id}" class="wikilink" title="Lamp">the lamp</a>`,
    )
    expect(show(`See ((${id})).`)).toContain(
      `<a href="/s/s/pages/p1#%5E${id}" class="wikilink" title="Lamp">What it says</a>`,
    )
    expect(show(`- {{embed ((${id}))}}\n- {{embed [[The Lamp]]}}`)).toContain(
      `<blockquote>^${id}</blockquote>`,
    )
    expect(show(`- text\n  id:: ${id}\n  collapsed:: true`)).toMatch(
      /text<span class="block-id" data-block="5f3a1b2c-[^"]+"><\/span>\s*<\/li>/,
    )
    expect(html(`((${id}))`)).toBe(`<p>((${id}))</p>\n`)
  })

  test('shows where a link leads, and lets it learn nothing of us', () => {
    expect(html('[our notes](https://evil.example/x)')).toContain(
      '<a href="https://evil.example/x" rel="noopener noreferrer" target="_blank" title="https://evil.example/x" data-host="evil.example">our notes</a>',
    )
    for (const label of [
      'bank.example.evil.example',
      'see bank.example',
      'https://bank.example@evil.example/',
    ]) {
      expect(html(`[${label}](https://bank.example/x)`)).toContain('data-host="bank.example"')
    }
    for (const label of ['bank.example', 'https://bank.example/login?a=1&b=2', 'BANK.example/x']) {
      expect(html(`[${label}](https://bank.example/x)`)).not.toContain('data-host')
    }
    expect(html('https://example.com/x')).not.toContain('data-host')
  })

  test('says where a link leads that pretends to lead elsewhere', () => {
    for (const text of [
      '[https://bank.example/x](https://evil.example/y)',
      '[🔒 bank․example][1]\n\n[1]: https://evil.example/y',
      '[sign in](https://bank.example@evil.example/)',
      'https://evil.example/bank.example/login',
    ])
      expect(html(text)).toContain('data-kind="disguise">leads to evil.example</span>')
    expect(html('[help@bank.example](mailto:eve@evil.example)')).toContain('leads to eve@evil.example')
    expect(html('[bank.example &amp; more](https://bank.example/x?a&b)')).not.toContain('disguise')
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
    expect(html('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain(
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt="dot"',
    )
    for (const address of ['image/svg+xml;base64,PHN2Zz4=', 'text/html;base64,AAAA', 'image/png,x'])
      expect(html(`![dot](data:${address})`)).not.toContain('<img')
    expect(html('![spy](https://evil.example/x.png)')).not.toContain('<img')
    expect(html('![spy](https://evil.example/x.png)')).toContain('data-host="evil.example"')
  })

  test('shows recordings and films of the Space with a player, and no others', () => {
    const file = (name: string) => ({ ...links[1]!, name, target: name, to_path: name })
    const shown = (text: string) =>
      markdownToHtml(text, { slug: 's', links: [file('horn.mp3'), file('storm.webm'), file('x.svgz')] })

    expect(shown('![[Horn.mp3|The "horn"]]')).toBe(
      '<p><audio controls preload="metadata" src="/api/source-docs/01900000-0000-7000-8000-000000000000/original" aria-label="The &quot;horn&quot;"></audio></p>',
    )
    expect(shown('![a](Storm.webm)')).toContain('<video controls preload="metadata" src="/api/source-docs/')
    expect(shown('[[Horn.mp3]]')).toContain('<a href=')
    for (const text of ['![[Other.mp3]]', '![a](https://evil.example/x.mp3)', '![[x.svgz]]'])
      expect(shown(text)).not.toMatch(/<(?:audio|video)|src=/)
  })

  test('shows raw HTML as text, but for a few bare tags', () => {
    expect(html('a<br>b <img src=x onerror=alert(1)> <b onclick=x>c</b>')).toBe(
      '<p>a<br>b &lt;img src=x onerror=alert(1)&gt; &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n',
    )
    expect(html('<script>alert(1)</script>')).not.toContain('<script')
    expect(html('<kbd onclick=x>')).not.toContain('<kbd')
    expect(html('<kbd>never closed')).not.toContain('<kbd')
  })

  test('makes a callout of a quotation that says which kind it is', () => {
    expect(html('> [!WARNING] Mind the **step**\n> It is [[The Lamp|dark]].\n>\n> - Hold on')).toBe(
      '<blockquote class="callout callout-warn" data-kind="warning"><p class="callout-title">Mind the <strong>step</strong></p>' +
        '<p>It is <a href="/s/skerry-light/pages/p1" class="wikilink">dark</a>.</p>\n<ul>\n<li>Hold on</li>\n</ul>\n</blockquote>\n',
    )
    expect(html('> [!tip]')).toContain(
      'class="callout callout-good" data-kind="tip"><p class="callout-title">Tip</p></blockquote>',
    )
    expect(html('> [!tip|wide no-icon]- More\n> Words.')).toContain(
      '<summary class="callout-title">More</summary>',
    )
    expect(html('> [!tip|left] More\n> Words.')).toContain(
      'data-kind="tip"><p class="callout-title">More</p>',
    )
    expect(html('> [!note]\n> Words.')).toContain('<p class="callout-title">Note</p><p>Words.</p>')
  })

  test('folds a callout, and nests one in another', () => {
    const folded = html('> [!faq]- Why?\n> Because.\n> > [!bug]+ Inside\n> > Deep.')

    expect(folded).toContain(
      '<details class="callout callout-warn" data-kind="faq"><summary class="callout-title">Why?</summary>',
    )
    expect(folded).toContain(
      '<details class="callout callout-bad" data-kind="bug" open><summary class="callout-title">Inside</summary><p>Deep.</p>',
    )
  })

  test('takes an ordinary quotation for what it is', () => {
    for (const text of ['> Words.', '> [x] not done', '> a [!note] within', '> - [!note]', '> `[!note]`']) {
      expect(html(text)).toMatch(/^<blockquote>\n/)
    }
  })

  test('lets nothing out of a callout that could not stand outside', () => {
    expect(html('> [!x" onclick=y] a\n> <script>b</script>')).not.toMatch(/callout|<script/)
    expect(html('> [!note] <img src=x onerror=y>\n> <script>b</script>')).not.toMatch(/<img|<script/)
    expect(html('> [!note]- [x](javascript:y)')).not.toContain('href')
  })

  test('hides the name of a block, and marks where it stands', () => {
    expect(html('Forty litres. ^tank-1')).toBe(
      '<p>Forty litres.<span class="block-id" data-block="tank-1"></span></p>\n',
    )
    expect(html('Oil\n\n^tank-1')).toContain('<p class="block-name"><span class="block-id"')
    expect(html('- one ^a\n- two')).toContain('<span class="block-id" data-block="a"></span>')
    for (const text of ['2^10', 'a ^b c', '`a ^b`']) expect(html(text)).not.toContain('block-id')
    expect(html('[[The Lamp#^tank-1]]')).toContain('href="/s/skerry-light/pages/p1#%5Etank-1"')
  })

  test('takes a number behind the name of an image for its width', () => {
    expect(html('![[tower.png|300]]')).toContain('alt="tower.png" loading="lazy" width="300">')
    expect(html('![[tower.png|300x200]]')).toContain('width="300"')
    expect(html('![[tower.png|The tower]]')).toContain('alt="The tower" loading="lazy">')
  })

  test('folds front matter away', () => {
    expect(html('---\naliases: [<x>]\n---\n# Lamp')).toBe(
      '<details class="front-matter"><summary>Properties</summary><pre tabindex="0">aliases: [&lt;x&gt;]</pre></details><h1>Lamp</h1>\n',
    )
  })

  test('leaves a paragraph of countless marks as it is, and reads the others', () => {
    for (const mark of ['[', '[[', '![', '*', '_a ', '<a ', '`a', '[a](', 'http://a ']) {
      const tangled = mark.repeat(200_000 / mark.length)

      const shown = html(`*one*\n\n${tangled}\n\n*two*`)

      expect(shown).toContain('<em>one</em>')
      expect(shown).toContain('<em>two</em>')
      expect(shown).not.toContain('</a>')
    }
  })

  test('shows a text that is nested without end as it is', () => {
    const quotes = `${'> '.repeat(10_000)}x <b>`
    const lists = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(2 * depth)}- x`).join('\n')

    expect(html(quotes)).toBe(`<pre tabindex="0">${'&gt; '.repeat(10_000)}x &lt;b&gt;</pre>`)
    expect(html(lists)).toBe(`<pre tabindex="0">${lists}</pre>`)
    expect(blocksOf(quotes)).toEqual([quotes])
    expect(html('> '.repeat(20))).toContain('<blockquote>')
  })

  test('reads comments that never end', () => {
    expect(html('<!--'.repeat(100_000))).toContain('&lt;!--')
  })
})
