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
  ['UTF-8 with a stray NUL', bytes(0x61, 0, 0x62), 'ab', 'utf-8'],
  ['UTF-16 with a lone surrogate', bytes(0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00), '\uFFFDa', 'utf-16le'],
  ['nothing', bytes(), '', 'utf-8'],
])('%s is read', (_, input, text, encoding) => {
  expect(decodeText(input)).toEqual({ text, encoding, guessed: false })
})

const hex = (digits: string) => Uint8Array.from(Buffer.from(digits.replaceAll(' ', ''), 'hex'))

// Written by Python's codecs.
test.each([
  ['UTF-16, little endian, not marked', utf16('plain words', 'le'), 'plain words', 'utf-16le'],
  ['UTF-16, big endian, not marked', utf16('plain words', 'be'), 'plain words', 'utf-16be'],
  ['Windows-1252', bytes(0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80), '“café” €', 'windows-1252'],
  [
    'Shift-JIS',
    hex('89ef8b6382cc8b638e96985e8142967b93fa82cd938c8b9e82c589ef8b6382f08d7382a282dc82b582bd8142'),
    '会議の議事録。本日は東京で会議を行いました。',
    'shift_jis',
  ],
  [
    'a word of Shift-JIS in ASCII',
    hex('23204e6f7465730a0a2d2093fa967b8cea82cc838183820a'),
    '# Notes\n\n- 日本語のメモ\n',
    'shift_jis',
  ],
  [
    'EUC-JP',
    hex('c7e3a4a4caaaa5eaa5b9a5c8a1a7b5edc6fda1a2cdf1a1a2a5d1a5f3'),
    '買い物リスト：牛乳、卵、パン',
    'euc-jp',
  ],
  ['GBK', hex('bdf1ccecced2c3c7bfaabbe1'), '今天我们开会', 'gbk'],
  ['GB18030 with four bytes', hex('d6d0cec4b1cabcc78139ee39'), '中文笔记㐀', 'gbk'],
  ['Big5', hex('c1caaaabb24db3e6a147a4fba5a4a142c2fbb34a'), '購物清單：牛奶、雞蛋', 'big5'],
  ['EUC-KR', hex('c0e5bab8b1e220b8f1b7cf3a20bfecc0af2c20b4deb0bf'), '장보기 목록: 우유, 달걀', 'euc-kr'],
  ['KOI8-R', hex('f3d0c9d3cfcb20d0cfcbd5d0cfcb3a20cdcfcccfcbcf'), 'Список покупок: молоко', 'koi8-r'],
  ['Windows-1251', hex('d1e5e3eee4edff20ecfb20eee1f1f3e4e8ebe8'), 'Сегодня мы обсудили', 'windows-1251'],
  ['Windows-1250', hex('50f8ed6c699a209e6c759d6f75e86bfd206bf9f2'), 'Příliš žluťoučký kůň', 'windows-1250'],
  ['Windows-1253', hex('cae1ebe7ecddf1e120eafcf3ece5'), 'Καλημέρα κόσμε', 'windows-1253'],
  [
    'Windows-1254',
    hex('de696d646920e7616cfdfefd796f72757a2c20fdf064fd722067fc7a656c'),
    'Şimdi çalışıyoruz, ığdır güzel',
    'windows-1254',
  ],
  ['Windows-1255', hex('f9ece5ed20f2e5eced'), 'שלום עולם', 'windows-1255'],
  ['Windows-1256', hex('dec7c6e3c920c7e1cad3e6de'), 'قائمة التسوق', 'windows-1256'],
  [
    'Windows-1257',
    hex('d069616e6469656e206d6573206b616c62eb6a6f6d65206170696520e0fe756f6ce0'),
    'Šiandien mes kalbėjome apie ąžuolą',
    'windows-1257',
  ],
  ['ISO-2022-JP', hex('1b2442476324244a2a1b2842206c697374'), '買い物 list', 'iso-2022-jp'],
])('%s is told from its bytes, as a guess', (_, input, text, encoding) => {
  expect(decodeText(input)).toEqual({ text, encoding, guessed: true })
})

test.each([
  ['a letter of Windows among UTF-8', [...Buffer.from('naïve, é: '), 0xe9, 0x2e], 'naïve, é: é.'],
  ['a character cut at the end', [...Buffer.from('Æther – '), 0xe2, 0x80], 'Æther – \uFFFD'],
  ['a character cut in between', [...Buffer.from('Æther – '), 0xf0, 0x9f, 0x20, 0x21], 'Æther – \uFFFD !'],
  ['an overlong form', [...Buffer.from('Æther – ü'), 0xc0, 0x20], 'Æther – üÀ '],
  ['a byte order mark before it', [0xef, 0xbb, 0xbf, ...Buffer.from('Æther – '), 0xe9], 'Æther – é'],
])('UTF-8 with %s stays UTF-8', (_, input, text) => {
  expect(decodeText(Uint8Array.from(input))).toEqual({ text, encoding: 'utf-8', guessed: true })
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
