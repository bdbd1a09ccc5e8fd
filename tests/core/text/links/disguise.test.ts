import { expect, test } from 'vitest'
import { disguiseOf } from '../../../../lib/core/text/links/disguise.ts'
import { paddingIn } from '../../../../lib/core/text/padding.ts'

// `npm run attack -- links` tries two thousand more, honest ones among them.

test.each([
  ['https://bank.com', 'https://evil.test/x', 'evil.test'],
  ['🔒 bank.com', 'https://evil.test', 'evil.test'],
  ['bank․com', 'https://evil.test', 'evil.test'],
  ['your account', 'https://bank.com@evil.test/', 'evil.test'],
  ['bank.com – sign in', 'https://evil.test', 'evil.test'],
  ['Log in to your bank.com account', 'https://evil.test', 'evil.test'],
  ['bank[.]com', 'https://evil.test', 'evil.test'],
  ['bank.com', 'https:evil.test', 'evil.test'],
  ['bank.com', 'https://www.google.com/url?q=https://evil.test/', 'evil.test'],
  ['bank.com', 'https://www.google.evil.test/url?q=https://bank.com/', 'www.google.evil.test'],
  ['your account', 'https://mybank@evil.test/', 'evil.test'],
  ['your account', 'https://git:bank.com@evil.test/', 'evil.test'],
  ['your account', 'https://evil.test/bank.com/login', 'evil.test'],
  ['your account', 'https://evil.test/secure/bank.com/login', 'evil.test'],
  ['your account', 'https://evil.test/;bank.com/', 'evil.test'],
  ['your account', 'https://bank.com-login.test/', 'bank.com-login.test'],
  ['your account', 'https://bank.com.evil.test/', 'bank.com.evil.test'],
  ['help@bank.com', 'mailto:eve@evil.test', 'eve@evil.test'],
  ['help@bank.com', 'mailto:help@bank.com?bcc=eve@evil.test', 'help@bank.com, eve@evil.test'],
  ['help@bank.com', 'mailto:help@bank.com?CC=eve@evil.test', 'help@bank.com, eve@evil.test'],
  ['+44 20 7946 0000', 'tel:+449098790000', '449098790000'],
  ['help@bank.com', 'tel:+449098790000', '449098790000'],
])('“%s” to %s leads to %s', (label, target, leads) => {
  expect(disguiseOf(label, target)).toBe(leads)
})

test.each([
  ['bank.com', 'https://www.bank.com/login'],
  ['bank.com', 'https://login.bank.com/'],
  ['README.md', 'https://code.test/readme'],
  ['![Build](https://badges.test/build.svg)', 'https://code.test/builds'],
  ['<img src="https://badges.test/logo.svg" alt="Logo">', 'https://code.test/'],
  ['Why bank.com failed', 'https://news.test/why'],
  ['mime@1.x', 'https://code.test/mime'],
  ['the story', 'https://code.test/projects/github.com/a/b'],
  ['the app', 'https://code.test/apps/com.bank.shop/about'],
  ['the code', 'https://github.com/keeper/lamp.org/issues'],
  ['Bank.com', 'https://en.wikipedia.org/wiki/Bank.com'],
  ['the report', 'https://a1.r.us-east-1.awstrack.me/L0/https:%2F%2Fwww.bank.com%2Fa/1/x'],
  ['the story', 'https://urldefense.com/v3/__https://www.bank.com/story__;!!a'],
  ['bank.com', 'https://eur.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.bank.com%2F&data=5'],
  ['the bank', 'https://bank.com/'],
  ['help@bank.com', 'mailto:HELP@bank.com?subject=x'],
  ['020 7946 0000', 'tel:+442079460000'],
  ['+44 (0)20 7946 0000 ext. 12', 'tel:+442079460000,12'],
  ['bank.com', '/s/skerry/pages/1'],
])('“%s” to %s is what it says', (label, target) => {
  expect(disguiseOf(label, target)).toBeNull()
})

test('padding is what no layout has', () => {
  expect(paddingIn(`a${'\u00a0'.repeat(12)}b`)).toEqual({ blanks: 12, lines: 0 })
  expect(paddingIn(`a\n${' \n'.repeat(50)}b`)).toEqual({ blanks: 0, lines: 50 })
  expect(paddingIn(`a${'<br>'.repeat(50)}b`)).toEqual({ blanks: 0, lines: 50 })
  expect(paddingIn(`a\n${'> \n'.repeat(50)}b`)).toEqual({ blanks: 0, lines: 50 })
  expect(paddingIn(`a${' '.repeat(3000)}b`)).toEqual({ blanks: 3000, lines: 0 })
  expect(paddingIn(`| a${' '.repeat(600)}| b |`)).toEqual({ blanks: 0, lines: 0 })
  expect(paddingIn('4\u00a0000\u00a0€\n\n\n\nb')).toEqual({ blanks: 0, lines: 0 })
})
