import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitThinking } from '../../../lib/ai/wires/think-tags.ts'

function read(...pieces: string[]) {
  const splitter = splitThinking()
  const parts = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()]
  const of = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('')
  return { thinking: of('thinking'), text: of('text') }
}

test.each([
  ['<think>Oil?</think>Rapeseed.', 'Oil?', 'Rapeseed.'],
  ['\n<thinking>\nOil?\n</thinking>\n\nRapeseed.', 'Oil?\n', 'Rapeseed.'],
  ['<think></think>\n\nRapeseed.', '', 'Rapeseed.'],
  ['<think>It never ends', 'It never ends', ''],
  ['<thistle> grows', '', '<thistle> grows'],
  ['<th', '', '<th'],
  ['Rapeseed. <think>no</think>', '', 'Rapeseed. <think>no</think>'],
  ['', '', ''],
])('%s', (given, thinking, text) => {
  expect(read(given)).toEqual({ thinking, text })
})

test('it does not matter where the stream is cut', () => {
  const parts = fc.constantFrom('<think>', '</think>', '<', '/', 'th', '\n', 'a', '</thi')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (words) => {
      expect(read(...words.join(''))).toEqual(read(words.join('')))
    }),
  )
})
