// What a provider says of threads, by OBJECTID (RFC 8474) or by Google's own extension, from a server of a few lines.

import { afterAll, expect, test } from 'vitest'
import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import { startScriptedImap } from '../../helpers/scripted-imap.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

type Script = { capabilities: string; exists?: number; uids?: string; item?: string }

async function start({ capabilities, exists = 1, uids = '1', item = '' }: Script): Promise<number> {
  const imap = await startScriptedImap({
    CAPABILITY: [`* CAPABILITY IMAP4rev1 ${capabilities}`],
    EXAMINE: [`* ${exists} EXISTS`, '* OK [UIDVALIDITY 1] v', `* OK [UIDNEXT ${exists + 1}] n`],
    'UID SEARCH': [`* SEARCH ${uids}`],
    'UID FETCH': [`* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 10 ${item})`],
  })
  closing.push(imap.close)
  return imap.port
}

const connect = async (script: Script) => {
  const port = await start(script)
  const address = { host: '127.0.0.1', port, security: 'none', username: 'keeper', password: 'x' } as const
  const server = await createConnectImap({ version: '0' })(address, new AbortController().signal)
  await server.open('INBOX')
  return server
}

test.each([
  ['OBJECTID', { capabilities: 'OBJECTID', item: 'EMAILID (M1) THREADID (T64)' }, 'T64'],
  ['X-GM-EXT-1', { capabilities: 'X-GM-EXT-1', item: 'X-GM-MSGID 77 X-GM-THRID 1278455' }, '1278455'],
  ['neither', { capabilities: 'IDLE' }, null],
])('the thread of a message is known from %s', async (_name, script, thread) => {
  const server = await connect(script)

  expect(await server.describe([1])).toMatchObject([{ uid: 1, thread }])
  await server.close()
})

test('a folder of 100,000 messages is listed in one answer', async () => {
  const exists = 100_000
  const uids = Array.from({ length: exists }, (_, n) => n + 1)
  const server = await connect({ capabilities: '', exists, uids: uids.join(' ') })

  expect(await server.listUids()).toEqual(uids)
  await server.close()
})

test('a server that cannot say what is gone is asked for nothing of the kind', async () => {
  const server = await connect({ capabilities: 'CONDSTORE' })

  expect(await server.listChanges('1')).toBeNull()
  await server.close()
})
