// What sources with bad manners do, over http and as programs.

import { gzipSync } from 'node:zlib'
import {
  beginEvents,
  initialized,
  respond,
  type SourceScript,
  sourceTool,
} from '../../../helpers/scripted-source.ts'
import { event, items, many, pour, type SourceManner } from './source-manner.ts'
import { resultManners } from './tool-results.ts'

const list = (answer: SourceScript[string]): Pick<SourceManner, 'script'> => ({
  script: { 'tools/list': answer },
})

let pages = 0

const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))

export const sourceManners: readonly SourceManner[] = [
  ...resultManners,
  {
    name: 'an unasked stream without end',
    script: {
      GET: (res) =>
        pour(
          beginEvents(res),
          many((n) => event({ method: 'notifications/tools/list_changed', params: { n } })),
        ),
    },
  },
  {
    name: 'pages of tools without end, with one cursor',
    ...list(respond({ tools: [sourceTool('echo')], nextCursor: 'again' })),
    error: /page/,
  },
  {
    name: 'pages of tools without end',
    ...list((res, message) =>
      respond({ tools: [sourceTool(`t${pages}`)], nextCursor: String(pages++) })(res, message),
    ),
    error: /pages/,
  },
  {
    name: '100,000 tools',
    ...list(respond({ tools: items(100_000, sourceTool('echo')) })),
    error: /more than/,
  },
  {
    name: '6,000 wrong tools',
    ...list(respond({ tools: items(6000, { name: 1, inputSchema: 2 }) })),
    error: /./,
  },
  {
    name: 'a schema of 19,000 keys',
    ...list(
      respond({
        tools: [
          sourceTool('echo', {
            inputSchema: {
              type: 'object',
              properties: Object.fromEntries(items(19_000, {}).map((_, n) => [`k${n}`, {}])),
            },
          }),
        ],
      }),
    ),
  },
  {
    name: 'bad schemas',
    ...list(
      respond({
        tools: [
          sourceTool('echo', { inputSchema: { type: 'object', pattern: '(a+)+$', $ref: '#' } }),
          sourceTool('other', { inputSchema: [] }),
        ],
      }),
    ),
  },
  {
    name: 'names of control characters',
    ...list(respond({ tools: [sourceTool('ec\u0000ho\u001b[2J\n')] })),
    error: /./,
  },
  {
    name: 'a refusal of 3.9 MB',
    ...list((res) => res.writeHead(500).end('no '.repeat(1_300_000))),
    error: /./,
  },
  {
    name: 'redirects',
    ...list((res) => res.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()),
    error: /redirects/,
  },
  {
    name: 'a page in place of an answer',
    ...list((res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'.repeat(1_000_000))),
    error: /./,
  },
  {
    name: 'a bomb of compressed spaces',
    ...list((res) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    ),
    error: /./,
  },
  {
    name: 'a session with a line break in its id',
    script: {
      initialize: (res) =>
        res.socket?.end(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: a\nX: b\0\r\nContent-Length: 2\r\n\r\n{}',
        ),
    },
    error: /./,
  },
  {
    name: 'a first answer of 19,000 keys',
    script: {
      initialize: respond({
        ...initialized,
        capabilities: Object.fromEntries(items(19_000, 0).map((_, n) => [`k${n}`, {}])),
      }),
    },
  },
  {
    name: 'a first answer with 19,000 wrong icons',
    script: {
      initialize: respond({
        ...initialized,
        serverInfo: { name: 'x', version: '1', icons: items(19_000, 1) },
      }),
    },
  },
  { name: 'silence', script: { initialize: () => {} } },
  {
    name: 'half an answer and silence',
    ...list((res) => void res.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":')),
  },
  { name: 'a program that prints lines without end', program: { mode: 'lines' }, error: /more than/ },
  { name: 'a program that prints a line without end', program: { mode: 'line' }, error: /more than/ },
  { name: 'a program that prints notifications without end', program: { mode: 'notes' }, error: /more than/ },
  {
    name: 'a program that prints a wide result',
    program: { answer: 'wide' },
    calls: true,
    error: /more than/,
  },
  { name: 'a program that complains without end', program: { mode: 'complaints' } },
  { name: 'a program that is silent and does not end', program: { mode: 'deaf' } },
]
