import { expect, test } from 'vitest'
import { aliasesOf, splitFrontMatter } from '../../lib/text/front-matter.ts'

test('a block is split off with its fences, and its properties are read', () => {
  expect(splitFrontMatter('---\naliases: [a, b]\n---\nbody')).toEqual({
    raw: '---\naliases: [a, b]\n---\n',
    properties: { aliases: ['a', 'b'] },
    problem: null,
    content: 'body',
  })
})

test('dashes inside a line do not end the block', () => {
  const { properties, content } = splitFrontMatter('---\ntitle: a---\nb: c\n---\nbody')

  expect(properties).toEqual({ title: 'a---', b: 'c' })
  expect(content).toBe('body')
})

test.each([
  ['an empty block', '---\n---\nbody', {}, 'body'],
  ['a block at the end of the text', '---\nx: 1\n---', { x: 1 }, ''],
  ['line breaks of Windows', '---\r\nx: 1\r\n---\r\nbody', { x: 1 }, 'body'],
  ['spaces behind the fences', '--- \nx: 1\n---\t\nbody', { x: 1 }, 'body'],
])('%s is read', (_, text, properties, content) => {
  expect(splitFrontMatter(text)).toMatchObject({ properties, content, problem: null })
})

test.each([
  ['no block', 'body'],
  ['a rule in the middle', 'body\n---\nx: 1\n---\n'],
  ['a rule that only looks like a fence', '---x\n---\na: 1\n---\n'],
  ['a block that never ends', '---\nx: 1\nbody'],
])('%s is left alone', (_, text) => {
  expect(splitFrontMatter(text)).toEqual({ raw: '', properties: {}, problem: null, content: text })
})

test('YAML that cannot be read is said to be so, and the text behind it is kept', () => {
  const { raw, properties, problem, content } = splitFrontMatter('---\nx: [1\n---\nbody')

  expect({ raw, properties, content }).toEqual({ raw: '---\nx: [1\n---\n', properties: {}, content: 'body' })
  expect(problem).toBeTruthy()
})

test('a small block cannot grow into a large object', () => {
  const levels = Array.from(
    { length: 30 },
    (_, n) => `l${n}: &l${n} [${n ? `*l${n - 1}, *l${n - 1}` : '1, 1'}]`,
  )

  expect(splitFrontMatter(`---\n${levels.join('\n')}\n---\n`).problem).toBeTruthy()
})

test('aliases are a list or one name', () => {
  expect(aliasesOf({ aliases: ['a', 1, null], alias: 'b' })).toEqual(['a', '1', 'b'])
})
