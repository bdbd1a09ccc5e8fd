import { expect, test } from 'vitest'
import { disguiseOf } from '../../../../lib/core/text/links/disguise.ts'
import { paddingIn } from '../../../../lib/core/text/padding.ts'

// `npm run attack -- links` tries two thousand more, honest ones among them.

test.each([
  ['https://bank.com', 'https://evil.test/x', 'evil.test'],
  ['🔒 bank.com', 'https://evil.test', 'evil.test'],
  ['bank․com', 'https://evil.test', 'evil.test'],
  ['your account', 'https://bank.com@evil.test/', 'evil.test'],
  ['your account', 'https://evil.test/bank.com/login', 'evil.test'],
  ['your account', 'https://bank.com.evil.test/', 'bank.com.evil.test'],
  ['help@bank.com', 'mailto:eve@evil.test', 'eve@evil.test'],
  ['help@bank.com', 'mailto:help@bank.com?bcc=eve@evil.test', 'help@bank.com, eve@evil.test'],
  ['+44 20 7946 0000', 'tel:+449098790000', '449098790000'],
])('“%s” to %s leads to %s', (label, target, leads) => {
  expect(disguiseOf(label, target)).toBe(leads)
})

test.each([
  ['bank.com', 'https://www.bank.com/login'],
  ['bank.com', 'https://login.bank.com/'],
  ['README.md', 'https://code.test/readme'],
  ['the bank', 'https://bank.com/'],
  ['help@bank.com', 'mailto:HELP@bank.com?subject=x'],
  ['020 7946 0000', 'tel:+442079460000'],
  ['bank.com', '/s/skerry/pages/1'],
])('“%s” to %s is what it says', (label, target) => {
  expect(disguiseOf(label, target)).toBeNull()
})

test('padding is what no layout has', () => {
  expect(paddingIn(`a${'\u00a0'.repeat(12)}b`)).toEqual({ blanks: 12, lines: 0 })
  expect(paddingIn(`a\n${' \n'.repeat(50)}b`)).toEqual({ blanks: 0, lines: 50 })
  expect(paddingIn('4\u00a0000\u00a0€\n\n\n\nb')).toEqual({ blanks: 0, lines: 0 })
})
