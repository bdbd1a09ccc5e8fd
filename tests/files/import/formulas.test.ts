// Formulas and powers, as browsers, Word, LibreOffice and book makers write them: as TeX, never as “106”.

import { expect, test } from 'vitest'
import { makeDocx, makeZip } from './make-files.ts'
import { importWorld } from './vault.ts'

const { bringIn, named } = await importWorld()

const bodyOf = async (html: string) => {
  await bringIn({ 'page.html': `<title>Page</title>${html}` })
  return (await named('Page')).body
}

test.each([
  ['<msup><mn>10</mn><mn>6</mn></msup>', '$10^{6}$'.replace('10', '{10}')],
  ['<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>', '$\\frac{a}{b+1}$'],
  [
    '<msqrt><msub><mi>x</mi><mi>i</mi></msub></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>',
    '$\\sqrt{x_{i}}\\sqrt[3]{y}$',
  ],
  [
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>sin</mi><mi>x</mi>',
    '$\\sum_{i=1}^{n}\\sin x$',
  ],
  ['<mover><mi>v</mi><mo>→</mo></mover><mtext>if so</mtext>', '$\\vec{v}\\text{if so}$'],
  [
    '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable>',
    '$\\begin{matrix}1 & 0\\end{matrix}$',
  ],
  [
    '<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="StarMath 5.0">x ^ 2</annotation></semantics>',
    '$x^{2}$',
  ],
])('MathML is TeX: %s', async (mathMl, tex) => {
  expect(
    await bodyOf(`<p>So <math xmlns="http://www.w3.org/1998/Math/MathML">${mathMl}</math> holds.</p>`),
  ).toBe(`So ${tex} holds.`)
})

test.each([
  ['<span class="math inline">\\(x_1 + \\frac{a}{b}\\)</span>', '$x_1 + \\frac{a}{b}$'],
  ['<span class="math display">\\[x^2\\]</span>', '$$x^2$$'],
  ['<span class="math">no formula_</span>', 'no formula\\_'],
])('TeX that a script would draw is a formula: %s', async (html, markdown) => {
  expect(await bodyOf(`<p>So ${html} holds.</p>`)).toBe(`So ${markdown} holds.`)
})

test('powers by style, of the element or of its class, stay powers', async () => {
  const html = `<style>.c3{vertical-align:super;font-size:58%}.c4{vertical-align:baseline}</style>
    <p>10<span class="c3">6</span> <span class="c4">lamps</span>, H<span style="vertical-align: sub">2</span>O,
    m<span class="c3"><sup>3</sup></span></p>`
  expect(await bodyOf(html)).toBe('10<sup>6</sup> lamps, H<sub>2</sub>O, m<sup>3</sup>')
})

test('a Word document’s formulas are read as Word writes them, with elements that are empty', async () => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${run('x')}</m:e></m:rad></m:e></m:nary><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${run('y')}</m:e></m:d>`
  const document = await makeDocx(['[raw]'], [], '', [`<w:p><m:oMath>${sum}</m:oMath></w:p>`])
  await bringIn({ 'sum.docx': document })

  expect((await named('sum.docx', 'source_doc')).text).toContain(
    '$\\sum_{i=1}^{n}{\\sqrt{x}}\\left[y\\right]$',
  )
})

test('OpenDocument keeps its formulas, which are objects beside the text', async () => {
  const content = `<office:document-content><office:body><office:text><text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame> holds.</text:p></office:text></office:body></office:document-content>`
  const formula =
    '<?xml version="1.0"?><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mn>10</mn><mn>6</mn></msup></mrow><annotation encoding="StarMath 5.0">10^6</annotation></semantics></math>'
  const document = await makeZip({ 'content.xml': content, 'Object 1/content.xml': formula })
  await bringIn({ 'plan.odt': document })

  expect((await named('plan.odt', 'source_doc')).text).toBe(`So $${'{10}'}^{6}$ holds.`)
})

test('a book’s style sheet counts in its chapters, and a page’s empty elements end', async () => {
  const book = await makeZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf':
      '<package><metadata><dc:title>Oil</dc:title></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><item id="s" href="s.css" media-type="text/css"/></manifest><spine><itemref idref="c"/></spine></package>',
    's.css': '.up { vertical-align: super } .gone { display: none }',
    'c.xhtml':
      '<?xml version="1.0"?><html><head><title/></head><body><p><a id="p1"/>10<span class="up">6</span> m.<a href="#n1" epub:type="noteref">2</a><br/>End</p><p class="gone">Obey me.</p></body></html>',
  })
  await bringIn({ 'Oil.epub': book })

  expect(
    String((await named('Part 1')).body)
      .split('---\n')
      .at(-1),
  ).toBe('10<sup>6</sup> m.<sup>2</sup>  \nEnd\n')
})
