import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taskLines, toggleTask } from '../../../public/page/data/task-lines.ts'

const texts = (body: string) => taskLines(body).map(({ done, text }) => `${done ? 'x' : ' '} ${text}`)

test('finds tasks in lists of every kind, nested and quoted', () => {
  const body = [
    '- [ ] one',
    '  * [x] two',
    '+ [X] three',
    '1. [ ] four',
    '2) [ ] five',
    '> - [ ] six',
    '> > - [x] seven',
    '\t- [ ] eight',
  ].join('\n')

  expect(texts(body)).toEqual([
    '  one',
    'x two',
    'x three',
    '  four',
    '  five',
    '  six',
    'x seven',
    '  eight',
  ])
})

test('leaves alone what is no task', () => {
  const none = ['-[ ] a', '- [] b', '- [y] c', '- [ ]', '- [ ]d', '[ ] e', 'text - [ ] f', '- [link](x)']
  expect(texts(none.join('\n'))).toEqual([])
})

test('front matter and code with fences hold no tasks', () => {
  const body = [
    '---\ntitle: |',
    '  - [ ] in front matter',
    '---',
    '- [ ] one',
    '```md\n- [ ] in code\n```',
    '~~~\n```\n- [ ] in code\n~~~~',
    '> ````\n> - [ ] in code\n> ```\n> - [ ] still in code\n> ````',
    '- [x] two',
    '````\n- [ ] in code that never ends',
  ].join('\n')

  expect(texts(body)).toEqual(['  one', 'x two'])
})

test('a comment holds no tasks, unless it never ends', () => {
  expect(texts('- [ ] one\n\n%%\n- [ ] hidden\n%%\n- [x] two')).toEqual(['  one', 'x two'])
  expect(texts('%%\n- [ ] one')).toEqual(['  one'])
  expect(texts('%% a %% b\n- [ ] one')).toEqual(['  one'])
})

test('a toggle changes one character, and twice nothing, whatever the line ends are', () => {
  const piece = fc.constantFrom('- [ ] a', '* [x] b', '> 1. [X] c', 'text', '```', '', '- [ ] é😀', '---')
  const end = fc.constantFrom('\n', '\r\n', '\r', '\u2028')
  const anyBody = fc.array(fc.tuple(piece, end), { maxLength: 12 }).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(anyBody, (body) => {
      for (const [index, line] of taskLines(body).entries()) {
        const once = toggleTask(body, line)
        const after = taskLines(once)

        expect(once.length).toBe(body.length)
        expect([...once].filter((character, at) => character !== [...body][at])).toHaveLength(1)
        expect(after.map(({ done }) => done)).toEqual(
          taskLines(body).map(({ done }, at) => (at === index ? !done : done)),
        )
        expect(toggleTask(once, after[index]!)).toBe(
          body.slice(0, line.at) + body[line.at]!.toLowerCase() + body.slice(line.at + 1),
        )
      }
    }),
    { numRuns: 300 },
  )
})
