// What a Postgres server says to a client that connects and asks one question, over the wire protocol: the refusals and
// the versions that no test machine has.

import { createServer, type Socket } from 'node:net'
import { whenOver } from './when-over.ts'

/** A refusal by its SQLSTATE, or a row that every query is answered with. */
export type FakeAnswer = { code: string; message: string } | { row: Readonly<Record<string, string | null>> }

/** A server on the loopback that answers each connection with what `answer` returns. */
export async function startFakePostgres(answer: () => FakeAnswer): Promise<{ port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => greet(socket, answer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenOver(async () => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}

function greet(socket: Socket, answer: FakeAnswer): void {
  if ('code' in answer) {
    const { code, message } = answer
    socket.end(frame('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)))
    return
  }
  const ready = frame('Z', Buffer.from('I'))
  socket.write(Buffer.concat([frame('R', int32(0)), ready]))
  socket.on('data', (message) => {
    if (message.toString('latin1', 0, 1) !== 'Q') return
    const names = Object.keys(answer.row)
    const fields = names.map((name) =>
      Buffer.concat([
        Buffer.from(`${name}\0`),
        int32(0),
        int16(0),
        int32(25),
        int16(-1),
        int32(-1),
        int16(0),
      ]),
    )
    const values = Object.values(answer.row).map((value) =>
      value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
    )
    const parts = [
      frame('T', Buffer.concat([int16(names.length), ...fields])),
      frame('D', Buffer.concat([int16(names.length), ...values])),
      frame('C', Buffer.from('SELECT 1\0')),
      ready,
    ]
    socket.write(Buffer.concat(parts))
  })
}

const frame = (type: string, body: Buffer) => Buffer.concat([Buffer.from(type), int32(body.length + 4), body])

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
