// A document of a client is never asked for at this machine, and no cause of a refusal is told from another.

import { createServer } from 'node:net'
import { isDocumentUrl } from '../../../../lib/auth/oauth/client-document.ts'
import type { OAuthWorld } from './oauth-world.ts'

export async function tryDocuments({ browser, client, tried, fell }: OAuthWorld): Promise<void> {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : 0
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    'nobody.invalid',
    'nobody.local',
    'nobody.internal',
    'localhost.',
    '127.0.0.1.',
  ]
  const documents = hosts.flatMap((host) => [
    `https://${host}/client.json`,
    `https://${host}:${port}/client.json`,
    `http://${host}:${port}/client.json`,
    `https://user@${host}/client.json`,
    `https://${host}/client.json?x=1`,
    `https://${host}/client.json#x`,
    `https://${host}/a/../client.json`,
    `HTTPS://${host}/client.json`,
    `https://${host}/`,
  ])
  const said = new Set<string>()
  for (const client_id of documents) {
    const answer = await browser.request(client.address(client_id))
    const text = await answer.text()
    tried()
    if (answer.status !== 400 || answer.headers.get('location')) fell(`${client_id}: ${answer.status}`)
    if (isDocumentUrl(client_id)) said.add(text)
  }
  if (said.size > 1) fell(`${said.size} different answers to documents that cannot be used`)
  if (connections > 0) fell(`${connections} connections to this machine`)
  listener.close()
}
