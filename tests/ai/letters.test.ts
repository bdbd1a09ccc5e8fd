// What the offline companion takes for the words of a mail's sender, by the rules by which mail is folded.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLetter } from '../../lib/ai/offline/letters.ts'

const own = (...blocks: string[]) => readLetter(blocks).said.join('\n').trim()

test('the line of its people names the sender, and is no text', () => {
  const { said, sender } = readLetter(['Anna Berg ann@x.example → Keeper k@x.example', 'The oil is here.'])

  expect(sender).toBe('Anna Berg ann@x.example')
  expect(said).toEqual(['', 'The oil is here.'])
})

describe('what others said before is not its sender’s', () => {
  test.each([
    ['English', 'On Fri, 20 Nov 2026 at 10:00, Keeper <k@x.example> wrote:'],
    ['French', 'Le ven. 20 nov. 2026 à 10:00, Keeper <k@x.example> a écrit :'],
    ['Polish', 'pt., 20 lis 2026 o 10:00 Keeper <k@x.example> napisał(a):'],
    ['Japanese', '2026年11月20日(金) 10:00 Keeper <k@x.example>のメッセージ:'],
    ['without brackets', 'Den 21 november 2026, k@x.example skrev:'],
    ['over two lines', 'On Fri, 20 Nov 2026 at 10:00, Keeper  \n<k@x.example> wrote:'],
    ['escaped', 'On Fri, 20 Nov 2026 at 10:00, Keeper \\<k@x.example\\> wrote:'],
  ])('%s, with marks and without', (_, introduction) => {
    expect(own(`Yes, Tuesday.\n\n${introduction}\n\n> Which day?`)).toBe('Yes, Tuesday.')
    expect(own(`Yes, Tuesday.\n\n${introduction}\n\nWhich day?`)).toBe('Yes, Tuesday.')
    expect(own('Yes, Tuesday.', `${introduction}\n\nWhich day?`, 'And who?')).toBe('Yes, Tuesday.')
  })

  test('a part of a message that only quotes says nothing', () => {
    expect(own('> Which day?\n> And who?')).toBe('')
  })

  test('nor is what a telephone puts below', () => {
    expect(own('Yes.\n\nSent from my iPhone')).toBe('Yes.')
  })
})

test('answers between quotes, and lines that only look like an introduction or a header, are its own', () => {
  expect(own('> One?\n\nYes.\n\n> Two?\n\nNo.')).toBe('Yes.\n\n\nNo.')
  expect(own('Bring, by 10:00:\n\n- oil')).toBe('Bring, by 10:00:\n\n- oil')
  expect(own('Date: Friday\nTo: the harbour')).toBe('Date: Friday\nTo: the harbour')
})

test('a forward says what was forwarded, without its headers', () => {
  const forward = [
    '---------- Forwarded message ----------',
    'From: Ann <a@x.example>',
    'Subject: Oil',
    '',
    'It is late.',
  ]

  expect(own(`See below.\n\n${forward.join('\n')}`).replace(/\n+/g, ' ')).toBe('See below. It is late.')
})

test('each block keeps only lines of its own, in order, whatever they hold', () => {
  const line = fc.constantFrom(
    '> a',
    'b',
    '',
    'On 1 Jan 2026, 10:00 A <a@x.example> wrote:',
    'From: x@y.example',
  )
  fc.assert(
    fc.property(fc.array(fc.array(line, { minLength: 1 })), (blocks) => {
      const { said } = readLetter(blocks.map((lines) => lines.join('\n')))

      expect(said).toHaveLength(blocks.length)
      for (const [at, text] of said.entries()) {
        const left: string[] = [...blocks[at]!]
        for (const one of text === '' ? [] : text.split('\n'))
          left.splice(0, left.indexOf(one) + 1 || Infinity)
        expect(text === '' || left.length < blocks[at]!.length).toBe(true)
      }
    }),
  )
})
