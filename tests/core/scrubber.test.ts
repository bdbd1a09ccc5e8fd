// Secrets in texts that others wrote, in every form that a server or a program repeats them in.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScrubber } from '../../lib/core/scrubber.ts'
import { runs } from '../helpers/runs.ts'

const forms: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  reversed: (secret) => secret.split('').reverse().join(''),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64, after one byte': (secret) => Buffer.from(`:${secret}`).toString('base64'),
  'in base64, between others': (secret) => Buffer.from(`anna@b.example\0${secret}\0\0`).toString('base64'),
  'in base64, as the password of Basic': (secret) => Buffer.from(`ab:${secret}`).toString('base64'),
  'in base64 for addresses': (secret) => Buffer.from(`a${secret}`).toString('base64url'),
  'in base64 twice over lines': (secret) =>
    Buffer.from(secret)
      .toString('base64')
      .replace(/(.{8})/g, '$1\r\n'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in capital hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'percent-encoded': (secret) => encodeURIComponent(secret),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'percent-encoded whole': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  'as a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  'base64 in an address': (secret) => encodeURIComponent(Buffer.from(secret).toString('base64')),
  'quoted as in JSON': (secret) => JSON.stringify(secret),
  'quoted twice': (secret) => JSON.stringify(JSON.stringify(secret)),
  'escaped by code': (secret) =>
    secret.replace(/[\s\S]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'escaped by byte': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '\\x$&'),
  'quoted-printable': (secret) => Buffer.from(secret).toString('hex').toUpperCase().replace(/../g, '=$&'),
  'quoted-printable over lines': (secret) =>
    (secret.match(/.{1,5}/g) ?? []).map((part) => part.replaceAll('=', '=3D')).join('=\r\n'),
  'as HTML': (secret) =>
    secret.replace(
      /[&<>"']/g,
      (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '&#39;',
    ),
  'as HTML by numbers': (secret) => secret.replace(/[\s\S]/g, (char) => `&#${char.charCodeAt(0)};`),
  'reversed, in base64': (secret) => Buffer.from(secret.split('').reverse().join('')).toString('base64'),
  'in base64, reversed': (secret) =>
    Buffer.from(`a:${secret}`).toString('base64').split('').reverse().join(''),
  'quoted, in base64': (secret) => Buffer.from(JSON.stringify(secret)).toString('base64'),
  'percent-encoded, in base64': (secret) => Buffer.from(encodeURIComponent(secret)).toString('base64'),
  'in base64, in base64': (secret) =>
    Buffer.from(Buffer.from(secret).toString('base64')).toString('base64url'),
  'in hexadecimal, reversed': (secret) => Buffer.from(secret).toString('hex').split('').reverse().join(''),
  'over lines': (secret) => secret.replace(/(.{4})/g, '$1\r\n  '),
}

const secrets = [
  'sk-ant-a93/kQ+z=81',
  'pa"ss\\word 42',
  'abcd efgh ijkl mnop',
  'Grün&<süß>-77',
  'hunter2!',
  "it's 100%",
]

test.each(Object.keys(forms))('a secret is taken out %s', (name) => {
  for (const secret of secrets) {
    const form = forms[name]!(secret)

    const text = createScrubber([secret]).scrub(`The server said: ${form} and more`)

    expect(text.startsWith('The server said: '), text).toBe(true)
    expect(text.endsWith(' and more'), text).toBe(true)
    // Of a form that holds other bytes too, those stay.
    const left = text.slice(17, -9)
    expect(left).toContain('…')
    const whole = form.replace(/(?:=|%3D)+$/, '')
    for (let n = 0; n + 5 <= whole.length; n++) {
      if (name !== 'in base64, between others') expect(left).not.toContain(whole.slice(n, n + 5))
    }
  }
})

test('any secret is taken out of any text, which else stays', () => {
  fc.assert(
    fc.property(
      fc
        .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
        .filter((text) => text.trim().length >= 8),
      fc.constantFrom(...Object.keys(forms)),
      fc.integer({ min: 0, max: 20 }),
      (secret, name, before) => {
        const form = forms[name]!(secret.trim())
        const text = `${'<'.repeat(before)}${form}>`

        const scrubbed = createScrubber([secret]).scrub(text)

        expect(scrubbed).not.toContain(form)
        expect(scrubbed).toContain('…')
      },
    ),
    { numRuns: runs(2000) },
  )
})

test('what is none stays as it is', () => {
  const { scrub } = createScrubber(['hunter2!', 'mail', 'no', ''])

  for (const text of [
    '',
    'Not found.',
    'mailbox, email, mailto:',
    'hunter',
    'aHVudA==',
    '100 % + \\ &amp; =3D',
  ]) {
    expect(scrub(text)).toBe(text)
  }
  expect(scrub('the mail failed')).toBe('the … failed')
})

test('a secret of many is found, and one that comes later', () => {
  const all = Array.from({ length: 3000 }, (_, n) => `secret-number-${n}-${n * 7}`)
  const scrubber = createScrubber(all)
  scrubber.add('another-one-99')

  expect(scrubber.scrub(`a ${all[2999]} b another-one-99 c`)).toBe('a … b … c')
})

test('two secrets that overlap are taken out whole', () => {
  const { scrub } = createScrubber(['heron-marsh', 'marsh-tern-77'])

  expect(scrub('a heron-marsh-tern-77 b')).toBe('a … b')
})

test('of a holder the last ten are known, of others all', () => {
  const scrubber = createScrubber(['the-first-one'])
  for (let n = 0; n < 3000; n++) scrubber.add(`renewed-${n}-token`, 'source')
  scrubber.add('renewed-2999-token', 'another source')
  for (let n = 0; n < 10; n++) scrubber.add(`later-${n}-token`, 'source')

  expect(scrubber.scrub('the-first-one')).toBe('…')
  expect(scrubber.scrub('renewed-2998-token')).toBe('renewed-2998-token')
  expect(scrubber.scrub('renewed-2999-token later-9-token')).toBe('… …')
})

test('a long secret is taken out whole', () => {
  const secret = Array.from({ length: 120 }, (_, n) =>
    createHash('sha512').update(`${n}`).digest('hex'),
  ).join('')
  const { scrub } = createScrubber([secret])

  expect(scrub(`a ${secret} b`)).toBe('a … b')
  expect(scrub(`a ${secret.split('').reverse().join('')} b`)).toBe('a … b')
  expect(scrub(`a ${Buffer.from(secret).toString('base64')} b`)).toBe('a … b')
})

test('a long text is cut, not in the middle of a secret', () => {
  const { scrub } = createScrubber(['hunter2!-hunter3!'])

  for (let before = 39_980; before < 40_005; before++) {
    const text = scrub(`${'x'.repeat(before)}hunter2!-hunter3!${'y'.repeat(4_000_000)}`)

    expect(text.length).toBeLessThan(40_010)
    expect(text).not.toContain('hunter')
  }
})

test('twice as much text takes about twice as long, whatever it is', () => {
  const { scrub } = createScrubber([
    `${'a'.repeat(60)}b`,
    '%25'.repeat(20),
    'sk-ant-123456789',
    '=3D=3D=3D=3D',
  ])
  const shapes = ['a', '%25', '\\\\', '=3D', '&#38;', '&amp', ' \n', 'sk-ant-', '+', 'YWFh', '\\u0061']

  for (const shape of shapes) {
    const take = (chars: number) => {
      const text = shape.repeat(chars / shape.length)
      const times = [0, 1, 2].map(() => {
        const began = performance.now()
        scrub(text)
        return performance.now() - began
      })
      return Math.min(...times)
    }
    take(5000)
    expect(take(40_000), shape).toBeLessThan(take(10_000) * 12 + 50)
  }
})
