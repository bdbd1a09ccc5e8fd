import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../../../lib/files/import/file/decode.ts'

const bytes = (...values: number[]) => new Uint8Array(values)
const utf16 = (text: string, order: 'le' | 'be') => {
  const buffer = Buffer.from(text, 'utf16le')
  return new Uint8Array(order === 'le' ? buffer : buffer.swap16())
}

test.each([
  ['UTF-8', Buffer.from('Æther – 🪔'), 'Æther – 🪔', 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFÆther'), 'Æther', 'utf-8'],
  ['UTF-16, little endian, marked', utf16('\uFEFFÆther', 'le'), 'Æther', 'utf-16le'],
  ['UTF-16, big endian, marked', utf16('\uFEFFÆther', 'be'), 'Æther', 'utf-16be'],
  ['UTF-16, little endian, not marked', utf16('plain words', 'le'), 'plain words', 'utf-16le'],
  ['UTF-16, big endian, not marked', utf16('plain words', 'be'), 'plain words', 'utf-16be'],
  ['Windows-1252', bytes(0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80), '“café” €', 'windows-1252'],
  ['UTF-8 with a stray NUL', bytes(0x61, 0, 0x62), 'ab', 'utf-8'],
  ['UTF-16 with a lone surrogate', bytes(0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00), '\uFFFDa', 'utf-16le'],
  ['nothing', bytes(), '', 'utf-8'],
])('%s is read', (_, input, text, encoding) => {
  expect(decodeText(input)).toEqual({ text, encoding })
})

test('pictures and programs are no text', () => {
  const png = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)
  const controls = Uint8Array.from({ length: 100 }, (_, index) => index % 7)

  expect(decodeText(png)).toBeNull()
  expect(decodeText(controls)).toBeNull()
})

test('whatever the bytes, the result is well-formed text without NUL, or null', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (input) => {
      const text = decodeText(input)?.text ?? ''
      expect(text.isWellFormed() && !text.includes('\0')).toBe(true)
    }),
  )
})
