import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countTokens } from '../../../../lib/core/text/count-tokens.ts'
import {
  addMemoryLine,
  chooseMemory,
  memoryChanges,
  mergeMemory,
  readMemory,
  replaceMemoryLine,
  showMemoryLine,
  writeMemoryLine,
} from '../../../../lib/core/text/memory/memory-lines.ts'

const line = { said: '2026-11-27', href: '/s/home?turn=1', scope: 'this Space', confirmed: null }
const choose = (body: string, today = '2026-12-01') =>
  chooseMemory([{ lines: readMemory(body), changed: '2026-11-30' }], today)

test('a line is read as it was written, whatever its text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.option(fc.constant('2027-01-04')), (text, confirmed) => {
      const words = `x${text}`.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
      const written = writeMemoryLine({ ...line, text: words, confirmed })
      const [read, ...more] = readMemory(written)

      expect(more).toEqual([])
      expect(read).toMatchObject({ ...line, confirmed })
      expect(writeMemoryLine(read!)).toBe(written)
    }),
  )
})

test('what is no item of a list is no line, and front matter is none', () => {
  const body = '---\ntags:\n- boats\n---\nHello.\n\n## Pinned\n\n- One\n* [ ] Two\n\nThree\n'

  expect(readMemory(body).map(({ text, heading, at }) => [text, heading, at])).toEqual([
    ['One', 'Pinned', 8],
    ['Two', 'Pinned', 9],
  ])
})

test('a line goes to the end of its heading, which is added where there is none', () => {
  const one = addMemoryLine('', '- One')
  const two = addMemoryLine(`${one}\n## Work\n\n- Three\n`, '- Two')

  expect(one).toBe('## Remembered\n\n- One\n')
  expect(two).toBe('## Remembered\n\n- One\n- Two\n\n## Work\n\n- Three\n')
  expect(addMemoryLine(two, '- Four', 'work')).toContain('- Three\n- Four\n')
  expect(replaceMemoryLine(one, readMemory(one)[0]!, null)).toBe('## Remembered\n\n')
})

test('a turn is given pinned lines, then confirmed ones, then the rest, and what is old last', () => {
  const body = [
    '- By hand',
    writeMemoryLine({ ...line, text: 'Said', said: '2026-11-01' }),
    writeMemoryLine({ ...line, text: 'Old', said: '2026-05-01' }),
    writeMemoryLine({ ...line, text: 'Confirmed', said: '2026-01-01', confirmed: '2026-11-01' }),
    '## Pinned',
    writeMemoryLine({ ...line, text: 'Pinned', said: '2024-01-01' }),
  ].join('\n')

  expect(choose(body).map(({ text, old }) => (old ? `${text} (old)` : text))).toEqual([
    'Pinned (old)',
    'Confirmed',
    'By hand',
    'Said',
    'Old (old)',
  ])
})

test('a line is old from the 181st day on', () => {
  const body = writeMemoryLine({ ...line, text: 'Said', said: '2026-01-01' })

  expect(choose(body, '2026-06-30')[0]!.old).toBe(false)
  expect(choose(body, '2026-07-01')[0]!.old).toBe(true)
})

test('a turn is given at most 800 tokens, the lines that come first', () => {
  const body = Array.from({ length: 500 }, (_, n) => `- The harbour has the buoy number ${n} today`).join(
    '\n',
  )
  const given = choose(body)

  expect(given[0]!.text).toContain('number 0 ')
  expect(countTokens(given.map(showMemoryLine).join('\n'))).toBeLessThanOrEqual(800)
  expect(given.length).toBeGreaterThan(50)
})

test('a draft is shown by its lines: what comes, what takes the place of what, what goes, and what is confirmed', () => {
  const before = '- One\n- Two\n'

  expect(memoryChanges(before, '- One\n- Two\n- Three')).toEqual([{ text: 'Three', was: null }])
  expect(memoryChanges(before, '- One\n- Too\n')).toEqual([{ text: 'Too', was: 'Two' }])
  expect(memoryChanges(before, '- One\n')).toEqual([{ text: null, was: 'Two' }])
  expect(
    memoryChanges(
      writeMemoryLine({ ...line, text: 'A b' }),
      writeMemoryLine({ ...line, text: 'A b', confirmed: '2027-01-01' }),
    ),
  ).toEqual([{ text: 'A b', was: 'A b' }])
})

test('merged are the lines that a page does not have, each below its heading, as if added one by one', () => {
  const body = '# About me\n\n## People\n- Ada is my sister.\n\n## Boat\n\n'
  const other =
    '## boat\n- It is blue.\n- It leaks.\n## People\n- ADA is my sister\n- Ben rows.\n## Food\n- No nuts.\n- Tea.\n'

  expect(mergeMemory(body, other)).toBe(
    '# About me\n\n## People\n- Ada is my sister.\n- Ben rows.\n\n## Boat\n\n- It is blue.\n- It leaks.\n\n## Food\n\n- No nuts.\n- Tea.\n',
  )
  expect(mergeMemory('', '- Tea.\n')).toBe('## Remembered\n\n- Tea.\n')
})
