// An element that its author forgot to close takes nothing with it that a reader would see.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeOpen } from '../../../lib/files/import/html/close-open.ts'
import { htmlToMarkdown } from '../../../lib/files/import/html/html-to-markdown.ts'
import { parseHtml } from '../../../lib/files/import/html/parse-html.ts'

const read = async (html: string) => htmlToMarkdown((await parseHtml(html)).body!)

describe('what follows is kept', () => {
  test.each([
    ...['svg', 'math', 'canvas', 'object', 'audio', 'video', 'button', 'select', 'template', 'noscript'],
    ...[
      'svg width="1" height="1"',
      'svg><g><path d="M0 0"',
      'svg><path d="M0 0"/',
      'svg><desc>A lamp</desc',
      'SVG',
    ],
    ...['math><mrow><mi>x</mi', 'svg><math', 'svg><foreignObject', 'button><svg', 'head', '![CDATA['],
  ])('behind <%s>', async (open) => {
    const text = await read(
      `<p>Before.</p><${open}><h2>Lamp</h2><p>It <b>turns</b>.</p><ul><li>Oil</li></ul>`,
    )

    for (const part of ['Before.', '## Lamp', 'It **turns**.', '- Oil']) expect(text).toContain(part)
  })

  test('in a document with a head and a body', async () => {
    const html =
      '<html><head><title>Lamp</title><body><div><svg><circle r="1"></div><p>It turns.</p></body></html>'

    expect(await read(html)).toBe('It turns.')
  })
})

describe('what is closed stays hidden', () => {
  test.each([
    '<svg><text>secret</text></svg>',
    '<svg><title>secret</title><desc>secret</desc><g><path d=""/></g></svg>',
    '<svg><foreignObject><p>secret</p></foreignObject></svg>',
    '<canvas><p>secret</p></canvas>',
    '<button>secret</button>',
    '<object><svg><p>secret</p></object>',
    '<noscript><p>secret</p></noscript>',
    '<script>"<svg>" + secret</script>',
    '<!-- <svg> secret -->',
    '<svg><![CDATA[ <p>secret</p> ]]></svg>',
  ])('%s', async (html) => {
    expect(await read(`<p>Before.</p>${html}<p>After.</p>`)).toBe('Before.\n\nAfter.')
  })
})

test('a text whose elements are closed stays as it is', () => {
  const piece = fc.constantFrom(
    '<p>a</p>',
    '<svg><path/></svg>',
    '<b>',
    'x < y',
    '<!-- <svg> -->',
    '<button>b</button>',
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(closeOpen(pieces.join(''))).toBe(pieces.join(''))
    }),
  )
})
