// Links that pretend to lead elsewhere than they do, and honest ones, on a card and as a text is shown.

import type { CardWarning } from '../../../../lib/contract/changes/card.ts'
import { disguiseOf } from '../../../../lib/core/text/links/disguise.ts'
import { textCard } from '../../../changes/card/draft-card.ts'
import type { Surface } from '../surface.ts'

const good = [
  'bank.com',
  'www.bank.org',
  'login.bank.example',
  'mybank.de',
  'bücher-bank.de',
  'accounts.bank.co.uk',
]
const evil = 'evil.test'

/** The host of a label, dressed up. */
const dressed: readonly ((host: string) => string)[] = [
  (host) => host,
  (host) => `https://${host}`,
  (host) => `https://${host}/sign-in?next=1`,
  (host) => `http://${host}:443/`,
  (host) => `${host}/login`,
  (host) => host.toUpperCase(),
  (host) => `🔒 ${host}`,
  (host) => `🔐https://${host}`,
  (host) => `${host} 🛡️`,
  (host) => `✅ ${host} ✓`,
  (host) => `“${host}”`,
  (host) => `**${host}**`,
  (host) => `<${host}>`,
  (host) => `(${host})`,
  (host) => `→ ${host}`,
  (host) => `${host} »`,
  (host) => host.replaceAll('.', '․'),
  (host) => host.replaceAll('.', '·'),
  (host) => host.replaceAll('.', '。'),
  (host) => host.replaceAll('.', '．'),
  (host) => host.replaceAll('.', '‧'),
  (host) => host.replaceAll('.', '\\.'),
  (host) => host.replaceAll('.', '&#46;'),
  (host) => host.replaceAll('.', '&period;'),
  (host) => `https:∕∕${host}∕pay`,
  (host) => `https：／／${host}`,
  (host) => `https://${host.replaceAll('.', '．')}/`,
  (host) => [...host].join('\u200b'),
  (host) => `\u2800\u2800${host}\u2800`,
  (host) => `\u00a0\u00a0\u00a0${host}${'\u00a0'.repeat(50)}`,
  (host) => `\u202d${host}`,
  (host) => host.replace(/a/g, 'а'),
  (host) => host.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  (host) => `Sign in at ${host}`,
  (host) => `visit ${host}`,
  (host) => `Please log in to https://${host} today`,
  (host) => `${host} login`,
  (host) => `${host} – sign in`,
  (host) => `${host}: your statement`,
  (host) => `Log in to your ${host} account`,
  (host) => `🟢 ${host} verified`,
  (host) => `\`${host}\``,
]

/** Addresses that are made to be misread, with whatever label. */
const misleading: readonly ((host: string) => string)[] = [
  (host) => `https://${host}@${evil}/`,
  (host) => `https://${host}:443@${evil}/x`,
  (host) => `https://user:${host}@${evil}/`,
  (host) => `https://${host}%2Fsign-in@${evil}/`,
  (host) => `https://${host}\\@${evil}/`,
  (host) => `https://www.${host.replace(/^www\./, '')}@${evil}`,
  (host) => `//${host}@${evil}/`,
  (host) => `https://${evil}/${host}/login`,
  (host) => `https://${evil}//${host}/`,
  (host) => `https://${evil}/https://${host}/`,
  (host) => `https://${evil}/a/https:/${host}/`,
  (host) => `https://${evil}/a/b/www.${host.replace(/^www\./, '')}/`,
  (host) => `https://${evil}/${host.replaceAll('.', '%2E')}`,
  (host) => `https://${host}∕sign-in.${evil}/`,
  (host) => `https://${host}⁄x.${evil}/`,
  (host) => `https://${host.replaceAll('.', '․')}.${evil}/`,
  (host) => `https://🔒${host}.${evil}/`,
  (host) => `https://${evil.replace('.', '。')}/${host}`,
  (host) => `https://${host.split('.').at(-2)}@${evil}/`,
  (host) => `https://git:${host}@${evil}/`,
  (host) => `https://${evil}/secure/${host}/login`,
  (host) => `https://${evil}/;${host}/`,
  (host) => `https://${host.replace(/\.[a-z]+$/, '.com')}-login.test/`,
]

type Written = { text: string; note: string }

const byLabel = (label: string, target: string): Written[] => [
  { text: `[${label}](${target})`, note: 'inline' },
  { text: `[${label}](<${target}> "Your bank")`, note: 'with a title' },
  { text: `[${label}][1]\n\n[1]: ${target}`, note: 'full reference' },
  { text: `[1]: <${target}>\n\n[${label}][1]`, note: 'reference, defined before' },
  { text: `[${label}][]\n\n[${label}]: ${target}`, note: 'collapsed reference' },
  { text: `Go to [${label}].\n\n[${label}]: ${target}`, note: 'shortcut' },
  { text: `> [${label}][\n1]\n>\n> [1]: ${target}`, note: 'reference in a quotation' },
]

/** Brackets and backslashes make no simple label or name of a reference. */
const isSimple = (label: string) => !/[[\]\\<>*]/.test(label)

function disguises(): Written[] {
  const target = `https://${evil}/x`
  const labels = good.flatMap((host) => dressed.map((dress) => dress(host)))
  const labelled = labels.flatMap((label) =>
    byLabel(label, target).filter(({ note }) => isSimple(label) || !/collapsed|shortcut/.test(note)),
  )
  const addresses = good
    .filter((host) => !/ü/.test(host))
    .flatMap((host) => misleading.map((make) => make(host)))
  const addressed = addresses.flatMap((address) => [
    { text: `[your account](${address})`, note: 'a misleading address' },
    { text: `[your account][a]\n\n[a]: ${address}`, note: 'a misleading address by reference' },
    ...(/^https:\/\/[\x21-\x7e]+$/.test(address)
      ? [
          { text: `See ${address} now.`, note: 'a bare misleading address' },
          { text: `<${address}>`, note: 'an autolink' },
        ]
      : []),
  ])
  return [...labelled, ...addressed, ...mailDisguises, ...subdomains]
}

const mailDisguises: readonly Written[] = [
  ['help@bank.com', `mailto:help@${evil}`],
  ['mailto:help@bank.com', `mailto:help@${evil}`],
  ['Write to help@bank.com', 'mailto:other@bank.com'],
  ['help@bank.com', `mailto:help@bank.com,eve@${evil}`],
  ['help@bank.com', `mailto:help@bank.com?cc=eve@${evil}`],
  ['help@bank.com', `mailto:help@bank.com?bcc=eve%40${evil}`],
  ['help@bank.com', `mailto:?to=eve@${evil}`],
  ['help@bank.com', `mailto:help@bank.com?CC=eve@${evil}`],
  ['help@bank.com', 'tel:+449098790000'],
  ['✉️ help@bank․com', `mailto:eve@${evil}`],
  ['help@bank.com', `https://${evil}/`],
  ['bank.com', `mailto:eve@${evil}`],
  ['https://bank.com', `mailto:eve@${evil}`],
  ['help＠bank.com', `mailto:eve@${evil}`],
  ['+44 20 7946 0000', 'tel:+449098790000'],
].flatMap(([label = '', target = '']) => byLabel(label, target).slice(0, 4))

const subdomains: readonly Written[] = ['bank.com', 'www.bank.org'].flatMap((host) => [
  { text: `[your account](https://${host}.${evil}/)`, note: 'an ending in the middle' },
  { text: `https://${host}.sign-in.${evil}/`, note: 'an ending in the middle' },
])

const padding: readonly Written[] = [
  ...['\u2800', '\u2800'.repeat(300), '\u00a0'.repeat(12), '\u00a0'.repeat(2000), '&nbsp;'.repeat(40)],
  ...['\u3000'.repeat(30), '\u2003'.repeat(20), `${'\u00a0 '.repeat(30)}`, '\u3164'.repeat(20)],
].map((gap) => ({ text: `The lamp turns.${gap}Pay the fee.`, note: `padding of ${gap.length}` }))

const blankLines: readonly Written[] = [40, 400, 5000].flatMap((count) => [
  { text: `The lamp turns.\n${'\n'.repeat(count)}Pay the fee.`, note: `${count} blank lines` },
  { text: `The lamp turns.\n${' \t\n'.repeat(count)}Pay the fee.`, note: `${count} lines of white space` },
  { text: `The lamp turns.\n${'\u00a0\n'.repeat(count)}Pay the fee.`, note: `${count} lines of spaces` },
  { text: `The lamp turns.\n${'<br>\n'.repeat(count)}Pay the fee.`, note: `${count} line breaks` },
  { text: `The lamp turns.${'<br>'.repeat(count)}Pay the fee.`, note: `${count} line breaks in a line` },
  { text: `The lamp turns.\n${'> \n'.repeat(count)}Pay the fee.`, note: `${count} empty quotations` },
])

const honestHosts = [
  'example.org',
  'www.example.org',
  'docs.example.co.uk',
  'münchen.de',
  'пример.рф',
  '例え.jp',
  'node.js.example.org',
  'localhost:3000',
  '192.168.1.20',
  'a-b.example.io',
  'shop.example.com.au',
]

const honestPaths = [
  '',
  '/',
  '/a/b.html',
  '/wiki/Lighthouse_(lamp)',
  '/x?y=1&z=https%3A%2F%2Fother.org',
  '/@user/post',
  '/v1.2.3/README.md',
]

const honestLabels: readonly ((host: string, path: string) => string)[] = [
  (host) => host.replace(/:\d+$/, ''),
  (host, path) => `https://${host}${path}`,
  () => 'the tide tables',
  () => 'README.md',
  () => 'Node.js and version 2.0.1',
  () => 'Dr. Berg, p. 12 (in German)',
  () => 'see below…',
  () => '🔒 Security notes',
  () => 'a · b · c',
  () => 'Anna & Co.',
  () => '2026-11-20',
]

const honest: readonly string[] = [
  ...honestHosts.flatMap((host) =>
    honestPaths.flatMap((path) =>
      honestLabels.map((label) => `[${label(host, path).replace(/[()]/g, '')}](<https://${host}${path}>)`),
    ),
  ),
  ...honestHosts
    .filter((host) => !/[^\x21-\x7e]/.test(host))
    .map((host) => `See https://${host}/a_b for it.`),
  '[example.org](https://docs.example.org/x)',
  '[docs.example.org](https://example.org/docs)',
  '[the docs][1] and [more][1]\n\n[1]: https://example.org/docs',
  '[x] done\n\n[1]: https://example.org',
  '[help@example.org](mailto:help@example.org)',
  '[help@example.org](mailto:help@example.org?subject=Hello%20there)',
  '[HELP@example.org](mailto:help@example.org)',
  '[Write to us](mailto:help@example.org)',
  '[example.org](mailto:help@example.org)',
  '[two of us](mailto:a@example.org,b@example.org)',
  '[help@example.org](https://example.org/contact)',
  '[![Build](https://badges.example/a.svg)](https://example.org/builds)',
  '[<img src="https://badges.example/a.svg" alt="A">](https://example.org/builds)',
  '[Why example.com failed last year](https://news.example.org/why)',
  '[`mime@1.x`](https://example.org/mime)',
  '[Read more](https://u1.ct.sendgrid.net/ls/click?upn=a)',
  '[Read more](https://x.list-manage.com/track/click?u=1&id=2)',
  '[Read more](https://a.r.us-east-1.awstrack.me/L0/https:%2F%2Fwww.example.com%2Fa/1/x)',
  '[the story](https://urldefense.com/v3/__https://www.example.com/story__;!!a)',
  '[example.com](https://eur.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2F&data=5)',
  '[https://example.com/](https://www.google.com/url?q=https://example.com/&sa=D)',
  '[Example.com](https://en.wikipedia.org/wiki/Example.com)',
  '[the report](https://reports.example.org/projects/github.com/a/b)',
  '[the app](https://apps.example.org/a/com.bank.shop/about)',
  '[foo.com](https://github.com/a/foo.com)',
  '[Ann Berg](mailto:ann.berg@example.com)',
  '[+44 (0)20 7946 0000 ext. 12](tel:+442079460000,12)',
  '[020 7946 0000](tel:+442079460000)',
  '[+44 (0)20 7946 0000](tel:+442079460000)',
  '[call us](tel:+442079460000)',
  'https://web.archive.org/web/2020/https://example.org/',
  'https://pkg.go.dev/github.com/a/b',
  'https://en.wikipedia.org/wiki/Booking.com',
  'https://www.npmjs.com/package/socket.io',
  'https://github.com/user/user.github.io',
  'https://github.com/nodejs/node/blob/main/lib/fs.js',
  'https://example.org/robots.txt',
  'https://git@example.org/a/b.git',
  'https://[2001:db8::1]/x',
  'https://example.org/a/b.c.d/file.tar.gz',
  'https://bucket.s3.eu-west-1.amazonaws.com/x',
  'https://a.b.c.d.example.org/',
  'A line.\n\n\n\nAnother one.',
  'Kosten: 4\u00a0000\u00a0€ « bien »\u00a0!',
  '\u3000段落の始まり。',
  '⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙',
  '| a&nbsp;&nbsp;b | c |\n|---|---|\n| 1 | 2 |',
  '```\nhttps://bank.com@evil.test/\n```',
]

const plain = 'The keeper wrote this.\n'

const codes = (text: string): CardWarning['code'][] =>
  textCard(plain, `${plain}\n${text}\n`).warnings.map(({ code }) => code)

const suspicious: ReadonlySet<CardWarning['code']> = new Set([
  'link_disguised',
  'hidden_characters',
  'mixed_script',
])

export const surface: Surface = {
  name: 'disguised links',
  async attack({ tried, fell }) {
    for (const { text, note } of disguises()) {
      tried()
      if (!codes(text).some((code) => code === 'link_disguised')) fell(`not warned of, ${note}: ${text}`)
    }
    for (const { text, note } of [...padding, ...blankLines]) {
      tried()
      if (!codes(text).includes('hidden_characters')) fell(`not warned of: ${note}`)
    }
    for (const text of honest) {
      tried()
      const found = codes(text).filter((code) => suspicious.has(code))
      if (found.length > 0) fell(`honest, and warned of as ${found.join(', ')}: ${text}`)
    }
    // What is shown of a text goes by the same rule, beside what the card says.
    for (const host of good) {
      tried()
      if (disguiseOf(host, `https://${evil}/`) !== evil) fell(`not seen when shown: ${host}`)
    }
  },
}
