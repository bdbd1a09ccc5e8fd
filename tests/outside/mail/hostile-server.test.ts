// Servers that send more than they were asked for, or never finish. `npm run attack imap` tries more of them, on a whole
// server.

import { afterEach, expect, test } from 'vitest'
import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import { type MailServer, mailProblem } from '../../../lib/outside/mail/sync/mail-server.ts'
import { described, type ImapScript, startScriptedImap, whole } from '../../helpers/scripted-imap.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function connect(script: ImapScript, commandMs?: number): Promise<MailServer> {
  const { port, close } = await startScriptedImap(script)
  closing.push(close)
  const address = { host: '127.0.0.1', port, security: 'none', username: 'keeper', password: 'x' } as const
  const options = { version: '0', ...(commandMs === undefined ? {} : { commandMs }) }
  return await createConnectImap(options)(address, new AbortController().signal)
}

/** What the owner reads of a command that fails. */
const problemOf = async (command: Promise<unknown>): Promise<string> =>
  await command.then(
    () => 'none',
    (error: unknown) => mailProblem(error).message,
  )

const tooMuch = 'The server sent more than it was asked for.'

test.each<[string, ImapScript]>([
  ['mailboxes', { LIST: Array.from({ length: 50_000 }, (_, n) => `* LIST () "/" "F${n}"`) }],
  ['lines that mean nothing', { LIST: Array.from({ length: 50_000 }, () => '* OK noise') }],
  ['a long line', { LIST: [`* LIST () "/" "${'x'.repeat(600_000)}"`] }],
  ['a large text', { LIST: [`* LIST () "/" {${3_000_000}}\r\n${'x'.repeat(3_000_000)}`] }],
  ['large texts in one line', { LIST: [`* LIST ${'{900000}\r\n'.concat('x'.repeat(900_000)).repeat(5)}`] }],
  ['values', { LIST: [`* LIST (${'\\a '.repeat(60_000)}) "/" INBOX`] }],
])('a server that sends too much loses the connection, and its owner reads why: %s', async (_, script) => {
  const server = await connect(script)

  expect(await problemOf(server.listFolders())).toBe(tooMuch)
  expect(await problemOf(server.open('INBOX'))).toBe(tooMuch)
})

test('too much before the sign-in is the same', async () => {
  const greeting = Array.from({ length: 50_000 }, () => '* OK noise')

  expect(await problemOf(connect({ greeting }))).toBe(tooMuch)
})

test('a server that never finishes an answer loses the connection', async () => {
  const server = await connect({ LIST: ({ client }) => client.write('* LIST () "/" INB') }, 200)

  expect(await problemOf(server.listFolders())).toBe('The server did not finish its answer in time.')
})

test('what a text holds is no response, however it is divided on its way', async () => {
  const text = `Subject: x\r\n\r\n${'\n'.repeat(20_000)}{12}\r\n{5}\n`
  const server = await connect({
    'UID FETCH': async ({ client, tag }) => {
      client.setNoDelay(true)
      const all = `${whole(1, text)}\r\n${tag} OK done\r\n`
      for (let at = 0; at < all.length; ) {
        const length = at < 100 ? 1 : 7001
        await new Promise((resolve) => client.write(all.slice(at, at + length), resolve))
        await new Promise((resolve) => setImmediate(resolve))
        at += length
      }
    },
  })
  await server.open('INBOX')

  expect(Buffer.from((await server.fetch([1])).get(1)!).toString()).toBe(text)
  expect(await problemOf(server.listFolders())).toBe('none')
})

test('timers run while a server pours out lines', async () => {
  const server = await connect({ LIST: Array.from({ length: 19_000 }, (_, n) => `* LIST () "/" "F${n}"`) })
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 5)

  await server.listFolders()
  clearInterval(timer)

  expect(ticks).toBeGreaterThan(10)
})

test('timers run while a server names all messages that there can be as gone', async () => {
  const server = await connect({
    CAPABILITY: ['* CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC'],
    ENABLE: ['* ENABLED CONDSTORE QRESYNC'],
    EXAMINE: ['* 9 EXISTS', '* OK [UIDVALIDITY 1] v', '* OK [UIDNEXT 2] n', '* OK [HIGHESTMODSEQ 9] m'],
    'UID FETCH': ['* VANISHED (EARLIER) 1:4294967295'],
  })
  await server.open('INBOX')
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 5)

  const changes = await server.listChanges('1')
  clearInterval(timer)

  expect(changes).toBeNull()
  expect(ticks).toBeGreaterThan(100)
})

test('a signal ends a command at once', async () => {
  const { port, close } = await startScriptedImap({
    LIST: ({ client }) => {
      const more = () => client.write('* OK noise\r\n'.repeat(100), () => setImmediate(more))
      more()
    },
  })
  closing.push(close)
  const stop = new AbortController()
  const address = { host: '127.0.0.1', port, security: 'none', username: 'keeper', password: 'x' } as const
  const server = await createConnectImap({ version: '0' })(address, stop.signal)

  const listing = problemOf(server.listFolders())
  stop.abort()

  expect(await listing).not.toBe('none')
})

const nonsense = 'The server sent a number that makes no sense.'

test.each([
  'UIDNEXT 99999999999999999999',
  'UIDNEXT 9007199254740993',
  'UIDNEXT 0',
  'UIDNEXT -1',
  'UIDNEXT x',
  'UIDVALIDITY 99999999999999999999',
  'UIDVALIDITY 4294967296',
  'HIGHESTMODSEQ 9999999999999999999',
  'UIDNEXT 9999999999',
])('a folder with [%s] is its server’s mistake', async (code) => {
  const instead = (usual: string) => `* OK [${usual.split(' ')[0] === code.split(' ')[0] ? code : usual}] x`
  const server = await connect({
    CAPABILITY: ['* CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC'],
    ENABLE: ['* ENABLED CONDSTORE QRESYNC'],
    EXAMINE: ['* 1 EXISTS', ...['UIDVALIDITY 1', 'UIDNEXT 2', 'HIGHESTMODSEQ 9'].map(instead)],
  })

  expect(await problemOf(server.open('INBOX'))).toBe(nonsense)
})

test('so is a message with a number that there is not', async () => {
  const server = await connect({ 'UID FETCH': [described(9_999_999_999)] })
  await server.open('INBOX')

  expect(await problemOf(server.describe([1]))).toBe(nonsense)
})

test('what cannot be stored of a folder or a message is left out', async () => {
  const server = await connect({
    LIST: ['* LIST () "/" INBOX', `* LIST () "/" "${'x'.repeat(2000)}"`],
    'UID FETCH': [described(1).replace('20-Nov-2026', '20-Nov-9999999')],
  })

  expect((await server.listFolders()).map(({ path }) => path)).toEqual(['INBOX'])
  await server.open('INBOX')
  expect(await server.describe([1])).toMatchObject([{ uid: 1, received_at: null }])
})
