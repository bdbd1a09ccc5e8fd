import { describe, expect, test } from 'vitest'
import { isStatement, purgeStatement } from '../../../../lib/core/text/memory/purge-statement.ts'
import { removedMark as mark } from '../../../../lib/core/text/memory/removed-mark.ts'

const tail = '([2026-11-27](/s/home?turn=1), this Space)'
const said = 'The boat is called Tern.'

describe('a statement goes from', () => {
  test.each([
    ['a line', `- the boat is called Tern ${tail}`, `- ${mark}`],
    ['a line in other case and marks', '* THE BOAT: is called “tern”', `* ${mark}`],
    ['a line that is ticked', '- [x] the boat is called Tern', `- [x] ${mark}`],
    ['a line with a break of Windows', 'A\r\n- the boat is called Tern\r\nB\r', `A\r\n- ${mark}\nB\r`],
    ['words around it', 'You said: “the boat is called Tern”', `You said: “${mark}”`],
    ['words with marks between', 'The boat is, called *Tern*!', `${mark}*!`],
    ['several places of a line', `${said} ${said}`, `${mark}. ${mark}.`],
    ['an item below another', '- Boats\n  - the boat is called Tern', `- Boats\n  - ${mark}`],
    ['a heading', '## The boat is called Tern', `## ${mark}`],
  ])('%s', (_, text, without) => {
    expect(purgeStatement(text, said)).toBe(without)
  })

  test('a page with the whole line', () => {
    const body = `## Remembered\n\n- the boat is called Tern ${tail}\n- Call me Una.\n`

    expect(purgeStatement(body, said, null)).toBe('## Remembered\n\n- Call me Una.\n')
  })

  test('text with other apostrophes', () => {
    expect(purgeStatement('It’s: I’m Una', "I'm Una")).toBe(`It’s: ${mark}`)
  })
})

describe('a statement leaves', () => {
  test.each([
    ['another line with its words', '- the boat is called Tern, not Skua', said],
    ['a longer word', 'the boat is called Terns', said],
    ['names of states', 'not_found', 'Not found'],
    ['the words of a statement of one', 'Memory holds a page', 'Memory'],
    ['the words of another', 'the boat was called Tern', said],
    ['text without words', '- ☀\n☂', '☂'],
    ['text beside words in between', 'the boat, which I bought from Eve Moss, is called Tern', said],
  ])('%s', (_, text, statement) => {
    expect(purgeStatement(text, statement)).toBe(text)
  })
})

test('a statement without words is one only as it is written', () => {
  expect([isStatement('☂', '☂'), isStatement('☀', '☂'), isStatement('', '☂')]).toEqual([true, false, false])
})

test('signs of a pattern in a statement are signs', () => {
  expect(purgeStatement('It costs $4.50 (a+b)* now', '$4.50 (a+b)*')).toBe(`It costs ${mark})* now`)
})
