import { connect, createServer, type Server, type Socket } from 'node:net'

/** A door to the real server that can be shut, as a restart shuts it, or held: then nothing comes through any more. */
export async function openGate(target: URL) {
  const sockets = new Set<Socket>()
  let server: Server
  let port = 0
  const open = async () => {
    server = createServer((near) => {
      const far = connect(Number(target.port || 5432), target.hostname)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
      }
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  }
  await open()
  return {
    port,
    open,
    hold() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      await closed
    },
  }
}
