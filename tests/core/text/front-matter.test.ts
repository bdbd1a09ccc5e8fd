import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'

test('a block is split off with its fences', () => {
  expect(splitFrontMatter('---\naliases: [a, b]\n---\nbody')).toEqual({
    raw: '---\naliases: [a, b]\n---\n',
    yaml: 'aliases: [a, b]\n',
    content: 'body',
  })
})

test('dashes inside a line do not end the block', () => {
  const { yaml, content } = splitFrontMatter('---\ntitle: a---\nb: c\n---\nbody')

  expect(yaml).toBe('title: a---\nb: c\n')
  expect(content).toBe('body')
})

test.each([
  ['an empty block', '---\n---\nbody', '', 'body'],
  ['a block at the end of the text', '---\nx: 1\n---', 'x: 1\n', ''],
  ['line breaks of Windows', '---\r\nx: 1\r\n---\r\nbody', 'x: 1\r\n', 'body'],
  ['spaces behind the fences', '--- \nx: 1\n---\t\nbody', 'x: 1\n', 'body'],
])('%s is read', (_, text, yaml, content) => {
  expect(splitFrontMatter(text)).toMatchObject({ yaml, content })
})

test.each([
  ['no block', 'body'],
  ['a rule in the middle', 'body\n---\nx: 1\n---\n'],
  ['a rule that only looks like a fence', '---x\n---\na: 1\n---\n'],
  ['a block that never ends', '---\nx: 1\nbody'],
])('%s is left alone', (_, text) => {
  expect(splitFrontMatter(text)).toEqual({ raw: '', yaml: '', content: text })
})

test('no text makes it throw, and nothing of the text is lost', () => {
  fc.assert(
    fc.property(fc.string(), (inside) => {
      const text = `---\n${inside}\n---\nafter`

      const { raw, yaml, content } = splitFrontMatter(text)

      expect(raw + content).toBe(text)
      expect(raw).toContain(yaml)
      expect(content.endsWith('after')).toBe(true)
    }),
  )
})
