// `npm run secrets -- list | rotate | export FILE | import FILE`, at the server that runs on this data folder. The
// passphrase is read from the terminal or from standard input, never from an argument, which other users could see.

import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { z } from 'zod'
import { Secret } from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { AppError } from '../../core/errors.ts'
import { loadConfig } from '../config.ts'
import { type CallServer, createCallServer, requireServer } from './call-server.ts'
import { runCommand, UsageError } from './run-command.ts'

const usage = `The secrets that Void stores.

  npm run secrets -- list          their names, and when each was last used
  npm run secrets -- rotate        encrypt them anew, with a new key where it is in the data folder
  npm run secrets -- export FILE   write them to FILE, encrypted with a passphrase
  npm run secrets -- import FILE   store what such a file holds`

await runCommand({ usage, failure: 'Nothing was done.' }, async ([command, file, ...more]) => {
  const run = more.length === 0 ? chooseCommand(command, file) : null
  if (!run) throw new UsageError('Name one of these commands.')
  console.log(await run(createCallServer(requireServer(loadConfig()))))
  return 0
})

function chooseCommand(
  name: string | undefined,
  path: string | undefined,
): ((call: CallServer) => Promise<string>) | null {
  if (name === 'list' && !path) return list
  if (name === 'rotate' && !path) return rotate
  if (name === 'export' && path) return (call) => exportTo(call, path)
  if (name === 'import' && path) return (call) => importFrom(call, path)
  return null
}

async function list(call: CallServer): Promise<string> {
  const { items } = await call('GET', '/api/secrets', listOf(Secret))
  const lines = items.map(
    ({ name, last_used_at, readable }) =>
      `${name}, last used: ${last_used_at ?? 'never'}${readable ? '' : ' (cannot be decrypted: its master key is not here)'}`,
  )
  return [`Secrets: ${items.length}`, ...lines].join('\n')
}

async function rotate(call: CallServer): Promise<string> {
  const { rotated } = await call('POST', '/api/secrets/rotate', z.object({ rotated: z.int() }))
  return `Re-encrypted secrets: ${rotated}.`
}

async function exportTo(call: CallServer, path: string): Promise<string> {
  const body = { passphrase: await readPassphrase() }
  const sealed = await call('POST', '/api/secrets/export', z.unknown(), body)
  writeFileSync(path, `${JSON.stringify(sealed)}\n`, { mode: 0o600, flag: 'wx' })
  return `Wrote the secrets to ${path}.`
}

async function importFrom(call: CallServer, path: string): Promise<string> {
  const sealed = parseFile(readFileSync(path, 'utf8'), path)
  const body = { passphrase: await readPassphrase(), file: sealed }
  const { imported } = await call('POST', '/api/secrets/import', z.object({ imported: z.int() }), body)
  return `Secrets stored: ${imported}.`
}

function parseFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid', 400, `${path} is not a secrets export.`, { cause })
  }
}

async function readPassphrase(): Promise<string> {
  const terminal = process.stdin.isTTY
  if (terminal) process.stderr.write('Passphrase (12 characters or more; not shown): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (terminal) process.stderr.write('\n')
  }
}
