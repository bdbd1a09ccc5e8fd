import { expect, test } from 'vitest'
import { markdownBlocks } from '../../../lib/core/text/markdown.ts'

test.each([
  ['# Oil', 1, 'Oil'],
  ['   ### Oil and wicks  ', 3, 'Oil and wicks'],
  ['## Oil ##  ', 2, 'Oil'],
  ['## Oil#', 2, 'Oil#'],
  ['# C# and F#', 1, 'C# and F#'],
  ['#', 1, ''],
  ['# #', 1, ''],
])('“%s” is a heading of level %i', (line, level, title) => {
  expect(markdownBlocks([line])).toEqual([{ type: 'heading', from: 0, to: 1, level, title }])
})

test.each(['#Oil', '####### Oil', '    # Oil', `# ${'x'.repeat(600)}`])('“%.20s” is none', (line) => {
  expect(markdownBlocks([line]).map(({ type }) => type)).toEqual(['paragraph'])
})

test.each(['```js', '~~~', '- ```', '1.   ```', '   ```'])('“%s” opens a fence', (line) => {
  expect(markdownBlocks([line, '# code', '```', 'text']).map(({ type }) => type)[0]).toBe('fence')
})
