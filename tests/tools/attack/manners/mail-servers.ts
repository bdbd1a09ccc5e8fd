// What mail servers with bad manners do.

import type { Socket } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { described, type ImapScript, whole } from '../../../helpers/scripted-imap.ts'

export type MailManner = {
  name: string
  script: ImapScript
  /** What the account says in the end; left out: it may be read as well, or still be waited for. */
  error?: RegExp
  /** STARTTLS in place of no security. */
  starttls?: boolean
}

const tooMuch = /sent more than/

/** Writes until the other side is gone, as fast as it reads. */
function pour(client: Socket, piece: (n: number) => string | Buffer): void {
  let n = 0
  const more = () => {
    while (!client.destroyed && n < 1_000_000) if (!client.write(piece(n++))) return
  }
  client.on('drain', more)
  more()
}

/** Many lines in one piece. */
const lines = (of: (n: number) => string) => (n: number) =>
  Array.from({ length: 1000 }, (_, at) => `${of(n * 1000 + at)}\r\n`).join('')

const endless =
  (of: (n: number) => string) =>
  ({ client }: { client: Socket }) =>
    pour(client, lines(of))

const fetching = (item: string): ImapScript => ({
  'UID FETCH': ({ client, tag }) => client.write(`* 1 FETCH (UID 1 ${item})\r\n${tag} OK done\r\n`),
})

let validity = 1

export const mailManners: readonly MailManner[] = [
  { name: 'untagged lines without end', script: { LIST: endless((n) => `* OK noise ${n}`) }, error: tooMuch },
  {
    name: 'unknown untagged lines without end after signing in',
    script: { EXAMINE: endless((n) => `* NOISE ${n} (a b c)`) },
    error: tooMuch,
  },
  {
    name: 'mailboxes without end',
    script: { LIST: endless((n) => `* LIST () "/" "Folder ${n}"`) },
    error: tooMuch,
  },
  {
    name: 'messages without end that nobody asked for',
    script: { 'UID FETCH': endless((n) => described(n + 1)) },
    error: tooMuch,
  },
  {
    name: 'whole messages without end',
    script: {
      'UID FETCH': ({ client, tag, line }) =>
        line.includes('BODY.PEEK[]')
          ? pour(client, (n) => `${whole(n + 1, 'x'.repeat(900_000))}\r\n`)
          : client.write(`${described(1)}\r\n${tag} OK done\r\n`),
    },
    error: tooMuch,
  },
  {
    name: 'expunged messages without end',
    script: { EXAMINE: endless(() => '* 1 EXPUNGE') },
    error: tooMuch,
  },
  {
    name: 'capabilities without end',
    script: { CAPABILITY: endless((n) => `* CAPABILITY X${n}`) },
    error: tooMuch,
  },
  {
    name: 'continuation requests without end',
    script: { 'UID SEARCH': endless(() => '+ go on') },
    error: tooMuch,
  },
  {
    name: 'answers to nobody without end',
    script: { 'UID SEARCH': endless((n) => `Z${n} OK done`) },
    error: tooMuch,
  },
  {
    name: 'a greeting without end',
    script: { greeting: ({ client }) => pour(client, () => 'x'.repeat(60_000)) },
    error: tooMuch,
  },
  {
    name: 'a line without end',
    script: {
      'UID SEARCH': ({ client }) =>
        pour(client, (n) => `${n === 0 ? '* SEARCH' : ''}${' 1234567'.repeat(8000)}`),
    },
    error: tooMuch,
  },
  {
    name: 'a literal without end',
    script: {
      'UID FETCH': ({ client }) =>
        pour(client, (n) => (n === 0 ? '* 1 FETCH (BODY[] {4000000000}\r\n' : 'x'.repeat(60_000))),
    },
    error: tooMuch,
  },
  {
    name: 'literals without end in one answer',
    script: {
      'UID FETCH': ({ client }) =>
        pour(client, (n) => `${n === 0 ? '* 1 FETCH (' : ' '}BODY[${n}] {50000}\r\n${'x'.repeat(50_000)}`),
    },
    error: tooMuch,
  },
  {
    name: 'a message larger than was told',
    script: {
      'UID FETCH': ({ client, tag, line }) =>
        client.write(
          `${line.includes('BODY.PEEK[]') ? whole(1, `Subject: x\r\n\r\n${'x'.repeat(1_900_000)}`) : described(1, 100)}\r\n${tag} OK done\r\n`,
        ),
    },
  },
  {
    name: 'a huge UIDNEXT',
    script: { EXAMINE: ['* 1 EXISTS', '* OK [UIDVALIDITY 1] v', `* OK [UIDNEXT ${'9'.repeat(60)}] n`] },
  },
  {
    name: 'another UIDVALIDITY each time',
    script: {
      EXAMINE: ({ client, tag }) =>
        client.write(
          `* 1 EXISTS\r\n* OK [UIDVALIDITY ${validity++}] v\r\n* OK [UIDNEXT 2] n\r\n${tag} OK done\r\n`,
        ),
    },
  },
  {
    name: 'negative sizes',
    script: {
      EXAMINE: ['* -1 EXISTS', '* OK [UIDVALIDITY -1] v', '* OK [UIDNEXT -2] n'],
      ...fetching('FLAGS () RFC822.SIZE -5'),
    },
  },
  {
    name: 'NUL bytes',
    script: { LIST: ['* LIST (\\NoSelect\0) "/" "IN\0BOX"', '\0\0* LIST () "/" INBOX\0'] },
  },
  {
    name: 'a message of parts within parts',
    script: fetching(`FLAGS () RFC822.SIZE 5 BODYSTRUCTURE ${'('.repeat(100_000)}${')'.repeat(100_000)}`),
  },
  {
    name: 'a message of a hundred thousand parts',
    script: fetching(
      `FLAGS () RFC822.SIZE 5 BODYSTRUCTURE (${'("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)'.repeat(100_000)} "MIXED")`,
    ),
    error: tooMuch,
  },
  {
    name: 'a million flags',
    script: fetching(`RFC822.SIZE 5 FLAGS (${'\\Seen abc '.repeat(500_000)})`),
    error: tooMuch,
  },
  { name: 'half a line and silence', script: { LIST: ({ client }) => client.write('* LIST () "/" INB') } },
  {
    name: 'a byte now and then',
    script: {
      LIST: ({ client }) => {
        const drip = setInterval(() => client.write('x'), 50)
        client.on('close', () => clearInterval(drip))
      },
    },
  },
  {
    name: 'four billion messages that are gone',
    script: {
      CAPABILITY: ['* CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC'],
      ENABLE: ['* ENABLED CONDSTORE QRESYNC'],
      EXAMINE: [
        ...[
          '* 4294967295 EXISTS',
          '* OK [UIDVALIDITY 1] v',
          '* OK [UIDNEXT 2] n',
          '* OK [HIGHESTMODSEQ 9] m',
        ],
        '* VANISHED (EARLIER) 1:4294967295',
        '* VANISHED 1:4294967295',
      ],
    },
  },
  {
    name: 'a bomb of compressed spaces',
    script: {
      CAPABILITY: ['* CAPABILITY IMAP4rev1 COMPRESS=DEFLATE'],
      COMPRESS: ({ client, tag }) => {
        client.write(`${tag} OK begin\r\n`)
        client.write(deflateRawSync(Buffer.alloc(200_000_000, ' '), { level: 9 }))
      },
    },
    error: tooMuch,
  },
  {
    name: 'BYE in the middle',
    script: { EXAMINE: ({ client }) => client.end('* 1 EXISTS\r\n* BYE enough\r\n') },
    error: /./,
  },
  {
    name: 'commands slipped in before TLS',
    script: {
      CAPABILITY: ['* CAPABILITY IMAP4rev1 STARTTLS'],
      STARTTLS: ({ client, tag }) => client.write(`${tag} OK begin\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n`),
    },
    starttls: true,
    error: /./,
  },
  { name: 'the same number again and again', script: { 'UID SEARCH': [`* SEARCH${' 1'.repeat(100_000)}`] } },
  {
    name: 'three million numbers',
    script: { 'UID SEARCH': [`* SEARCH${' 1234567'.repeat(3_000_000)}`] },
    error: tooMuch,
  },
  {
    name: 'a thousand mailboxes',
    script: {
      LIST: ['* LIST () "/" INBOX', ...Array.from({ length: 1000 }, (_, n) => `* LIST () "/" "F${n}"`)],
    },
  },
  {
    name: 'mailboxes within themselves, and with parts of paths',
    script: {
      LIST: [
        ...[
          'INBOX',
          '"INBOX/INBOX"',
          '"a/b/a/b"',
          '"../../../../etc/passwd"',
          '"/etc/passwd"',
          '"C:\\\\x"',
          '""',
        ],
        `"${'a/'.repeat(5000)}"`,
      ].map((name) => `* LIST () "/" ${name}`),
    },
  },
  {
    name: 'a refusal of a hundred thousand words',
    script: { LOGIN: ({ client, tag }) => client.write(`${tag} NO ${'no '.repeat(100_000)}\r\n`) },
    error: /refused/,
  },
]
