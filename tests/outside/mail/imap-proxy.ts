// A way to a mail server that can be cut, closed for a while, or made to offer STARTTLS before what speaks TLS.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type ImapProxy = {
  port: number
  /** Bytes from the server after which each connection is cut; null: never. */
  cutAfter: number | null
  /** Bytes from the server after which no further one comes through; null: all do. */
  holdAfter: number | null
  /** How often one was cut. */
  cuts: number
  /** What clients sent, in the open. */
  sent: string
  /** Nobody answers until it is up again. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

/** `starttls`: what a client is offered before the bytes go through: STARTTLS, or a server without it. */
export async function startImapProxy(
  to: { host: string; port: number },
  { starttls }: { starttls?: 'offered' | 'missing' } = {},
): Promise<ImapProxy> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    keep(client)
    client.on('data', (bytes) => {
      proxy.sent += bytes.toString('latin1')
    })
    if (starttls) greet(client, starttls === 'offered')
    else forward(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const down = async () => {
    for (const socket of open) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const proxy: ImapProxy = {
    ...{ port: address.port, cutAfter: null, holdAfter: null, cuts: 0, sent: '' },
    ...{ down, close: down },
    async up() {
      server.listen(address.port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
  return proxy

  function keep(socket: Socket): void {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }

  function forward(client: Socket): void {
    const upstream = connect(to.port, to.host)
    keep(upstream)
    let bytes = 0
    upstream.on('data', (data) => {
      bytes += data.length
      if (proxy.cutAfter !== null && bytes > proxy.cutAfter) {
        proxy.cuts += 1
        client.destroy()
        upstream.destroy()
      } else if (proxy.holdAfter === null || bytes <= proxy.holdAfter) client.write(data)
    })
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  }

  function greet(client: Socket, isOffered: boolean): void {
    client.write('* OK ready\r\n')
    const answer = (data: Buffer) => {
      for (const line of data.toString('latin1').split('\r\n').filter(Boolean)) {
        const [tag, command = ''] = line.split(' ')
        if (command === 'CAPABILITY') {
          client.write(`* CAPABILITY IMAP4rev1${isOffered ? ' STARTTLS' : ''}\r\n${tag} OK done\r\n`)
        } else if (command === 'STARTTLS' && isOffered) {
          client.off('data', answer)
          client.write(`${tag} OK begin\r\n`)
          return forward(client)
        } else client.write(`${tag} BAD unknown\r\n`)
      }
    }
    client.on('data', answer)
  }
}
