// Texts that once made the client slow: the time grows with the text, not with its square.

import { expect, test } from 'vitest'
import { locatePassage } from '../../public/blame/locate-passage.ts'
import { blocksOf, markdownToHtml } from '../../public/markdown/markdown.ts'
import { hostileShapes, slowShapes } from '../helpers/growth.ts'

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))
const shapes = {
  'headings with white space': hostileShapes['headings with white space']!,
  'short paragraphs': repeat('A line.\n\n'),
  'lines of headings': repeat('# A\n'),
}

test('Markdown is rendered in linear time', () => {
  const render = (text: string) => () => markdownToHtml(text, { slug: 'light', links: [] })

  expect(slowShapes(render, shapes)).toEqual([])
})

test('a passage that is not there is given up in linear time', () => {
  const locate = (text: string) => {
    const passage = `${text.slice(0, text.length / 4)} never`
    return () => locatePassage(text, { before: '', passage, after: text })
  }

  expect(slowShapes(locate, { 'the same word': repeat('a '), 'two words': repeat('a b a ') })).toEqual([])
})

test('rare line breaks stay in the blocks of a text, and are white space where it is shown', () => {
  const text = '# One\u2028two\n\nThree\u2029four\n'

  expect(blocksOf(text).join('')).toBe(text)
  expect(markdownToHtml(text, { slug: 'light', links: [] })).toContain('<h1>One two</h1>')
})

test('an embed on a line of its own ends the paragraph above it', () => {
  const embed = () => '<div>embedded</div>'
  const links = [{ name: 'lamp', to_type: 'page', to_id: '1' }] as never
  const html = markdownToHtml('Above it\n![[Lamp]]\nbelow', { slug: 'light', links, embed })

  expect(html).toContain('<p>Above it</p>\n<div>embedded</div>')
})
