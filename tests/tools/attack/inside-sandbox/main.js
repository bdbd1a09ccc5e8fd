// A source's program that tries to get out of its sandbox: an MCP server by hand, whose one tool runs all tries and
// answers how many there were and which went through.

import * as fs from 'node:fs'
import { createInterface } from 'node:readline'
import { links, listFolders, readSecrets, write } from './files.js'
import { devices, mounts, processes } from './kernel.js'
import { network, sockets } from './network.js'
import { outcome } from './tries.js'

async function runAll(given) {
  readSecrets(given, 'at first')
  listFolders(given)
  links(given)
  write(given)
  mounts(given)
  readSecrets(given, 'after all attempts at its mounts')
  processes(given)
  devices()
  await sockets(given)
  await network(given)
  return { ...outcome, own: fs.readFileSync('own', 'utf8') }
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === 'initialize'
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'inside', version: '1' },
        }
      : { content: [{ type: 'text', text: JSON.stringify(await runAll(params.arguments)) }] }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
