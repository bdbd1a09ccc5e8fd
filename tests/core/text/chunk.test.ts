import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkSize, chunkText } from '../../../lib/core/text/chunk.ts'

const page = `---
tags: [heating, house]
---

# Boiler

The pressure should stand at 1.5 bar.

## Topping up

Open the brass valve.

### In winter

Bleed the radiators first.

## Serial numbers

| part | number |
| --- | --- |
| pump | 77-1204 |
`

const line = fc.oneof(
  fc.constantFrom(
    '',
    '   ',
    '# One',
    '## Two ##',
    '### Three',
    'Title',
    '===',
    '---',
    '```js',
    '```',
    '~~~',
    '- item',
  ),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem({ maxCount: 60 }),
  fc.integer({ min: 1, max: 5000 }).map((length) => '💧'.repeat(length)),
)
const text = fc
  .array(line, { maxLength: 60 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)))

test('passages are slices of the text, in order, with only white space between them', () => {
  fc.assert(
    fc.property(text, (source) => {
      let at = 0
      for (const { text: passage } of chunkText(source)) {
        const start = source.indexOf(passage, at)
        expect(start).toBeGreaterThanOrEqual(at)
        expect(source.slice(at, start).trim()).toBe('')
        at = start + passage.length
      }
      expect(source.slice(at).trim()).toBe('')
    }),
  )
})

test('no passage is empty, longer than the maximum or cut inside a character', () => {
  fc.assert(
    fc.property(text, (source) => {
      for (const { text: passage } of chunkText(source)) {
        expect(passage.trim()).not.toBe('')
        expect(passage.length).toBeLessThanOrEqual(chunkSize.maximum)
        if (source.isWellFormed()) expect(passage.isWellFormed()).toBe(true)
      }
    }),
  )
})

test('a passage stands on the lines it names', () => {
  fc.assert(
    fc.property(text, (source) => {
      const lines = source.split('\n')
      for (const { text: passage, start_line, end_line } of chunkText(source)) {
        expect(lines.slice(start_line - 1, end_line).join('\n')).toContain(passage)
        expect(passage.split('\n')).toHaveLength(end_line - start_line + 1)
      }
    }),
  )
})

test('a page is cut at its headings, and each passage knows the way to it', () => {
  const chunks = chunkText(page, 'Boiler')

  expect(chunks.map(({ heading_path }) => heading_path)).toEqual([
    [],
    [],
    ['Topping up'],
    ['Topping up', 'In winter'],
    ['Serial numbers'],
  ])
  expect(chunks[3]).toEqual({
    text: '### In winter\n\nBleed the radiators first.',
    heading_path: ['Topping up', 'In winter'],
    start_line: 13,
    end_line: 15,
  })
})

test('front matter is a passage of its own', () => {
  expect(chunkText(page)[0]?.text).toBe('---\ntags: [heating, house]\n---')
})

test('a heading goes with the text below it, also through another heading', () => {
  const chunks = chunkText('# House\n\n## Cellar\n\nThe boiler stands here.\n\n## Attic')

  expect(chunks.map(({ text }) => text)).toEqual([
    '# House\n\n## Cellar\n\nThe boiler stands here.',
    '## Attic',
  ])
})

test('code stays whole up to the maximum, and a heading inside it is code', () => {
  const code = `\`\`\`sh\n${'# top up the boiler\n'.repeat(90)}\`\`\``

  const chunks = chunkText(`${'Some words before. '.repeat(60)}\n\n${code}\n\nAnd after.`)

  expect(code.length).toBeGreaterThan(chunkSize.target)
  expect(chunks.map(({ text }) => text)).toContain(code)
  expect(chunks.every(({ heading_path }) => heading_path.length === 0)).toBe(true)
})

test('a long paragraph is cut between sentences, into parts of about one size', () => {
  const chunks = chunkText('The pressure should stand at one and a half bar. '.repeat(60))

  expect(chunks.length).toBe(3)
  for (const { text } of chunks) expect(text).toMatch(/^The .*bar\.$/s)
})

test.each([
  ['spaces after a number sign', `# ${' '.repeat(500_000)}x`],
  ['number signs', `# ${' #'.repeat(250_000)}x`],
  ['spaces after a dash', `-${' '.repeat(500_000)}x`],
  ['back ticks', '`'.repeat(500_000)],
  ['unclosed fences', '```\n'.repeat(100_000)],
  ['one word', 'a'.repeat(1_000_000)],
  ['headings', '# a\n'.repeat(100_000)],
])('half a million characters of %s are cut in time', { timeout: 5000 }, (_, source) => {
  expect(chunkText(source).length).toBeGreaterThan(0)
})
