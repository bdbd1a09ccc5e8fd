// Sockets, and addresses of this machine.

import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { call } from './kernel.js'
import { outcome } from './tries.js'

export function sockets({ unix, abstract }) {
  for (const family of [1, 17, 29, 38, 40, 44])
    for (const type of [1, 2, 3, 5]) call('socket', `${family}, ${type}, 0`)
  call('socketpair', 'my $f = 1, 2, 0, my $pair = "\\0" x 8')
  const tries = [...unix, ...abstract.map((name) => `\0${name}`)].map((path) =>
    reach(`socket ${JSON.stringify(path)}`, { path }),
  )
  return Promise.all(tries)
}

const hosts = [
  ...[
    '127.0.0.1',
    '127.0.0.2',
    '127.1.2.3',
    '127.255.255.254',
    '0.0.0.0',
    'localhost',
    '::1',
    '::',
    '::ffff:127.0.0.1',
  ],
  ...[
    '::ffff:0:0',
    '::ffff:7f00:1',
    '10.0.2.2',
    '10.0.2.3',
    '10.0.2.1',
    '10.0.2.100',
    '10.0.2.255',
    'fd00::2',
    'fd00::3',
  ],
  ...[
    'ip6-localhost',
    '0',
    '127.1',
    '2130706433',
    '0x7f000001',
    '169.254.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
]

/** Ends after a moment: whoever is there answers at once. */
function reach(what, where) {
  outcome.tried += 1
  const { promise, resolve } = Promise.withResolvers()
  try {
    const socket = connect(where)
    const end = (word) => {
      if (word) outcome.falls.push(`${what}: ${word}`)
      socket.destroy()
      resolve()
    }
    socket.setTimeout(1500, () => end())
    socket.on('data', (bytes) => end(`answered ${bytes}`))
    socket.on('error', () => end())
    socket.on('close', () => end())
  } catch {
    resolve()
  }
  return promise
}

function sendTo(host, port) {
  outcome.tried += 1
  const { promise, resolve } = Promise.withResolvers()
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  const end = () => {
    try {
      socket.close()
    } catch {}
    resolve()
  }
  setTimeout(end, 1500)
  socket.on('error', end)
  socket.on('message', () => outcome.falls.push(`udp ${host}:${port}: answered`) && end())
  socket.send('?', port, host, (error) => error && end())
  return promise
}

export const network = ({ ports, udpPort, addresses }) =>
  Promise.all(
    [...hosts, ...addresses].flatMap((host) => [
      ...ports.map((port) => reach(`tcp ${host}:${port}`, { host, port })),
      sendTo(host, udpPort),
    ]),
  )
