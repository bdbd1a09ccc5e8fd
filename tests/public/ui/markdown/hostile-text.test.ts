// What the client shows of texts that are unusual: it reads them in blocks and with limits, which change nothing else.

import { expect, test } from 'vitest'
import { blocksOf, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

test('rare line breaks stay in the blocks of a text, and are white space where it is shown', () => {
  const text = '# One\u2028two\n\nThree\u2029four\n'

  expect(blocksOf(text).join('')).toBe(text)
  expect(markdownToHtml(text, { slug: 'light', links: [] })).toContain('<h1>One two</h1>')
})

test('an embed on a line of its own ends the paragraph above it', () => {
  const embed = () => '<div>embedded</div>'
  const links = [{ form: 'wiki', target: 'Lamp', name: 'lamp', to_type: 'page', to_id: '1' }] as never
  const html = markdownToHtml('Above it\n![[Lamp]]\nbelow', { slug: 'light', links, embed })

  expect(html).toContain('<p>Above it</p>\n<div>embedded</div>')
  expect(markdownToHtml('a![[Lamp]]', { slug: 'light', links, embed })).not.toContain('embedded')
})

test('a link to a file and a page of one name leads to each where it belongs', () => {
  const file = { form: 'path', target: 'Lamp.png', name: 'lamp.png', to_type: 'source_doc', to_id: '2' }
  const page = { form: 'wiki', target: 'Lamp.png', name: 'lamp.png', to_type: 'page', to_id: '1' }
  const html = markdownToHtml('[[Lamp.png]] ![x](Lamp.png)', { slug: 'light', links: [page, file] as never })

  expect(html).toContain('href="/s/light/pages/1"')
  expect(html).toContain('src="/api/source-docs/2/original"')
})
