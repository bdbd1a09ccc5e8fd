// What HTML, Word and Notion mean by their markup, beyond words and headings.

import { expect, test } from 'vitest'
import { makeDocx, makeZip } from './make-files.ts'
import { importWorld } from './vault.ts'

const { bringIn, list, tree, named, originalOf, linksFrom } = await importWorld()

const bodyOf = async (html: string) => {
  await bringIn({ 'page.html': `<title>Page</title>${html}` })
  return (await named('Page')).body
}

test.each([
  [
    'powers and indices stay',
    '<p>10<sup>6</sup> H<sub>2</sub>O <sup></sup>end',
    '10<sup>6</sup> H<sub>2</sub>O end',
  ],
  [
    'cells with two paragraphs keep a space',
    '<table><tr><th>a<th>b</tr><tr><td><p>one</p><p>two</p></td><td><div>x</div>y<div>z</div></td></tr></table>',
    '| a | b |\n| --- | --- |\n| one two | x y z |',
  ],
  [
    'a list that is in no item belongs to the one before it',
    '<ol><li>one</li><ul><li>a</li><ul><li>b</li></ul></ul><li>two</li></ol>',
    '1. one\n   - a\n     - b\n2. two',
  ],
  [
    'a list that is alone in an item belongs to the one before it, and the first stands by itself',
    '<ul><li>one</li><li><ul><li>a</li></ul></li></ul><ol><ol><li>x</li></ol></ol>',
    '- one\n  - a\n\n1. x',
  ],
  [
    'lines of quotations and items break where they did',
    '<blockquote>a<br>b</blockquote><ul><li>c<br>d</li></ul>',
    '> a  \n> b\n\n- c  \n  d',
  ],
  [
    'a picture in a link is its name, and marked text stays marked',
    '<a href="https://x.example/"><img src="https://x.example/a.png" alt="Lamp"> on</a> <mark>now</mark>',
    '[Lamp on](https://x.example/) ==now==',
  ],
  ['what is done is done', '<ul><li>☐ a</li><li>☑ b</li><li>☒ c</li></ul>', '- [ ] a\n- [x] b\n- [x] c'],
  ['headings with blocks in them keep a space', '<h2><div>One</div><div>two</div></h2>', '## One two'],
])('%s', async (_, html, markdown) => {
  expect(await bodyOf(html)).toBe(markdown)
})

const tex = '<annotation encoding="application/x-tex">x^2</annotation>'
const mathMl = `<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>${tex}</semantics></math>`

test.each([
  ['MathML with TeX', mathMl, '$x^2$'],
  ['MathML without', '<math><msup><mi>x</mi><mn>2</mn></msup></math>', '$x^{2}$'],
  [
    'KaTeX',
    `<span class="katex"><span class="katex-mathml">${mathMl}</span><span class="katex-html" aria-hidden="true">x2</span></span>`,
    '$x^2$',
  ],
  ['KaTeX on its own', `<span class="katex-display"><span class="katex">${mathMl}</span></span>`, '$$x^2$$'],
  [
    'MediaWiki',
    `<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="{\\displaystyle x^2}"><mi>x</mi></math></span><img src="https://wiki.example/x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x^2}"></span>`,
    '$x^2$',
  ],
  ['MathJax 2', '<span class="MathJax"><span>x2</span></span><script type="math/tex">x^2</script>', '$x^2$'],
  [
    'MathJax 3',
    `<mjx-container><svg></svg><mjx-assistive-mml>${mathMl}</mjx-assistive-mml></mjx-container>`,
    '$x^2$',
  ],
])('a formula of %s comes once', async (_, html, formula) => {
  expect(await bodyOf(`<p>So ${html} holds.</p>`)).toBe(`So ${formula} holds.`)
})

test.each([
  ['style="visibility: collapse"'],
  ['style="position:absolute; left: -9999px"'],
  ['style="mso-hide: all"'],
  ['style="text-indent:-10000px"'],
  ['style="height:0; overflow:hidden"'],
  ['style="overflow:hidden; max-height: 0"'],
  ['style="clip-path: inset(50%)"'],
  ['style="color: transparent"'],
  ['class="gone"'],
  ['class="x also"'],
  ['id="secret"'],
])('text hidden by %s stays out', async (attribute) => {
  const sheet =
    '<style>/* .seen { display: none } */ p { margin: 0 } .gone, #secret { display: none } div.also{visibility:hidden} @media print { .seen { display: none } } .seen::before { display: none }</style>'
  expect(await bodyOf(`${sheet}<p class="seen">Oil</p><div ${attribute}>Obey me.</div>`)).toBe('Oil')
})

test('pictures in the page become files, and the page keeps its original', async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
  const html = `<title>Lamp</title><p>See <img alt="the lamp" src="data:image/png;base64,\n${picture.toString('base64')}"> and
    <img src="data:image/png;base64,AA"><img src='data:text/html,<b>x'></p>`
  await bringIn({ 'Lamp.html': html })

  const documents = await list('source_doc')
  const [name] = documents.map(({ title }) => String(title)).filter((title) => title.startsWith('picture-'))
  expect(documents).toHaveLength(2)
  expect((await named('Lamp')).body).toBe(`See ![the lamp](${name}) and`)
  expect(await originalOf(name!)).toEqual(picture)
  expect(await linksFrom('Lamp')).toEqual({ [name!]: name })
  expect(String(await originalOf('Lamp.html'))).toBe(html)
  expect((await bringIn({ 'Lamp.html': html })).gone).toEqual([])
})

test('a Word document keeps powers and formulas, and leaves out what it hides', async () => {
  const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const fraction =
    '<m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath></m:oMathPara>'
  const document = await makeDocx(['[raw]'], [], '', [
    `<w:p>${run('10')}${run('6', '<w:vertAlign w:val="superscript"/>')}${run(' seen')}${run(' Obey me.', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="0"/>')}</w:p>`,
    `<w:p>${run('So ')}${fraction}${run(' holds.')}</w:p>`,
  ])
  await bringIn({ 'plan.docx': document })

  const { text } = await named('plan.docx', 'source_doc')
  expect(text).toContain('10<sup>6</sup> seen shown')
  expect(text).toContain('So $\\frac{a}{b^{2}}$ holds.'.replace('b^{2}', '{b}^{2}'))
  expect(text).not.toContain('Obey')
  expect(await originalOf('plan.docx')).toEqual(Buffer.from(document))
})

const id = (digit: string) => digit.repeat(32)
const exported = 'Export-0a1b2c3d-1111-2222-3333-444455556666'

test('Notion’s HTML: tasks keep their state, callouts and formulas are what they were', async () => {
  const page = `<html><body><article class="page sans"><header><h1 class="page-title">Trip</h1></header><div class="page-body">
    <ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Pack</span></li></ul>
    <ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Go</span></li></ul>
    <figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div><span class="icon">💡</span></div><div style="width:100%">Take oil.</div></figure>
    <figure class="equation"><style>@import url('https://cdn.example/katex.css')</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml">${mathMl}</span><span class="katex-html" aria-hidden="true">x2</span></span></span></div></figure>
    </div></article></body></html>`
  await bringIn({ [`${exported}.zip`]: await makeZip({ [`Trip ${id('a')}.html`]: page }) })

  expect((await named('Trip')).body).toBe('- [x] Pack\n\n- [ ] Go\n\n> [!note]\n> 💡 Take oil.\n\n$$x^2$$')
  expect(await tree()).toEqual(['Trip'])
})

test('Notion’s HTML: properties are front matter, and a task within a task stays one', async () => {
  const row = (name: string, value: string) =>
    `<tr class="property-row"><th>${name}</th><td>${value}</td></tr>`
  const page = `<html><body><article class="page sans"><header><h1 class="page-title">Trip</h1><table class="properties"><tbody>
    ${row('Tags', '<span class="selected-value">by sea</span><span class="selected-value">oil</span>')}
    ${row('Done', '<div class="checkbox checkbox-on"></div>')}${row('Paid', '<div class="checkbox checkbox-off"></div>')}
    ${row('Site: "x"', '<a href="https://skerry.example/">https://skerry.example/</a>')}${row('With', '<a href="Ferry.html">Ferry</a>')}${row('Empty', '')}
    </tbody></table></header><div class="page-body">
    <ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Pack</span><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Oil [[no]]</span></li></ul></li></ul>
    </div></article></body></html>`
  await bringIn({
    'Trip.html': page,
    'Ferry.html':
      '<article class="page"><h1 class="page-title">Ferry</h1><div class="page-body">At nine.</div></article>',
  })

  expect((await named('Trip')).body).toBe(
    '---\nTags: ["by sea","oil"]\nDone: true\nPaid: false\n"Site: \\"x\\"": "https://skerry.example/"\nWith: "[Ferry](Ferry.html)"\n---\n' +
      '- [x] Pack\n\n  - [ ] Oil \\[\\[no\\]\\]',
  )
  expect(await linksFrom('Trip')).toEqual({ 'ferry.html': 'Ferry' })
})

test('Notion’s Markdown: an aside is a callout, code and formulas stay, the wrapper goes', async () => {
  const body =
    '<aside>\n💡 Take oil.\n\nAnd a wick.\n\n</aside>\n\n$x^2$\n\n```html\n<aside>\n```\n\n- [x] Pack'
  const inner = await makeZip({ [`${exported}/Trip ${id('a')}.md`]: `# Trip\n\n${body}\n` })
  const vault = {
    [`${exported}.zip`]: await makeZip({ [`ExportBlock-${exported.slice(7)}-Part-1.zip`]: inner }),
  }
  await bringIn(vault)

  expect((await named('Trip')).body).toBe(
    '---\ntitle: "Trip"\n---\n> [!note]\n> 💡 Take oil.\n>\n> And a wick.\n\n\n$x^2$\n\n```html\n<aside>\n```\n\n- [x] Pack\n',
  )
  expect(await tree()).toEqual(['Trip'])
  expect((await bringIn(vault)).gone).toEqual([])
})
