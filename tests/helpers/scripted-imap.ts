// An IMAP server of a few lines that answers each command as it is told: one inbox with one message, unless it is told
// otherwise.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What a command is answered with, by its name such as `UID FETCH`: lines before its end, or whatever it likes. */
type ImapAnswer = readonly string[] | ((to: { client: Socket; tag: string; line: string }) => void)

export type ImapScript = Record<string, ImapAnswer> & { greeting?: ImapAnswer }

export type ScriptedImap = {
  port: number
  /** Also the connections that are open. */
  close(): void
}

const message =
  'From: Anna <anna@example.org>\r\nSubject: The boat\r\nMessage-ID: <boat@example.org>\r\n\r\nThursday.\r\n'

/** What describes the message, and what has all of it. */
export const described = (uid: number, size = message.length) =>
  `* ${uid} FETCH (UID ${uid} FLAGS () RFC822.SIZE ${size} INTERNALDATE "20-Nov-2026 10:00:00 +0000" BODYSTRUCTURE ("TEXT" "PLAIN" NIL NIL NIL "7BIT" ${size} 1))`
export const whole = (uid: number, text = message) =>
  `* ${uid} FETCH (UID ${uid} BODY[] {${Buffer.byteLength(text)}}\r\n${text})`

const inbox: ImapScript = {
  greeting: ['* OK ready'],
  CAPABILITY: ['* CAPABILITY IMAP4rev1'],
  'LIST "" ""': ['* LIST (\\Noselect) "/" ""'],
  LIST: ['* LIST () "/" INBOX'],
  EXAMINE: ['* 1 EXISTS', '* OK [UIDVALIDITY 1] v', '* OK [UIDNEXT 2] n'],
  'UID SEARCH': ['* SEARCH 1'],
  'UID FETCH': ({ client, tag, line }) =>
    client.write(`${line.includes('BODY.PEEK[]') ? whole(1) : described(1)}\r\n${tag} OK done\r\n`),
}

/** What it knows nothing of is done. */
export async function startScriptedImap(script: ImapScript = {}): Promise<ScriptedImap> {
  const answers: ImapScript = { ...inbox, ...script }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => {}).on('close', () => open.delete(client))
    answer(client, '', answers.greeting ?? [])
    let rest = ''
    client.on('data', (data) => {
      const lines = (rest + data.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        // That LIST asks for the separator of names alone, before any folder is listed.
        const [, tag = '*', command = ''] = /^(\S+) (LIST "" ""|UID \S+|\S+)/.exec(line) ?? []
        answer(client, line, answers[command.toUpperCase()] ?? [], tag)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const client of open) client.destroy()
      server.close()
    },
  }
}

function answer(client: Socket, line: string, given: ImapAnswer, tag = ''): void {
  if (typeof given === 'function') given({ client, tag, line })
  else client.write([...given, ...(tag === '' ? [] : [`${tag} OK done`]), ''].join('\r\n'))
}
