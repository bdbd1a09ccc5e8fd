// Sources with bad manners, over http and as programs, each used by a real server: it goes on, says at the source what is
// wrong, and lets the source be switched off.

import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { startFakeAnthropic, text, toolUse } from '../../../helpers/fake-anthropic.ts'
import {
  beginEvents,
  initialized,
  respond,
  rpc,
  type SourceScript,
  sendJson,
  sourceTool,
  startScriptedSource,
} from '../../../helpers/scripted-source.ts'
import { fakeSource } from '../../../outside/sources/source-helpers.ts'
import type { Client } from '../attack-world.ts'
import type { Surface } from '../surface.ts'
import { type WatchedVoid, watchVoid } from '../watch-void.ts'

type Manner = {
  name: string
  /** Over http. */
  script?: SourceScript
  /** As a program: how the fake source behaves when it is asked for its tools, and when one is called. */
  program?: { mode?: string; answer?: string }
  /** Whether a tool is called, after its tools were listed. */
  calls?: boolean
  /** What the source says in the end; left out: it may be used as well, or still be waited for. */
  error?: RegExp
}

const call = (answer: SourceScript[string]): Pick<Manner, 'script' | 'calls'> => ({
  script: { 'tools/call': answer },
  calls: true,
})
const list = (answer: SourceScript[string]): Pick<Manner, 'script'> => ({ script: { 'tools/list': answer } })

/** Writes until the other side is gone, as fast as it reads. */
function pour(res: ServerResponse, piece: (n: number) => string): void {
  let n = 0
  const more = () => {
    while (!res.destroyed && n < 100_000) if (!res.write(piece(n++))) return
  }
  res.on('drain', more)
  more()
}

const event = (message: object) => `data: ${rpc(message)}\n\n`
const many = (of: (n: number) => string) => (n: number) =>
  Array.from({ length: 500 }, (_, at) => of(n * 500 + at)).join('')

const items = (count: number, item: unknown) => Array.from({ length: count }, () => item)
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

let pages = 0

export const manners: readonly Manner[] = [
  {
    name: 'a result with 100,000 wrong items',
    ...call(respond({ content: items(100_000, 1) })),
    error: /more than/,
  },
  { name: 'a result with 19,000 wrong items', ...call(respond({ content: items(19_000, 1) })) },
  {
    name: 'a result with 10,000 wrong blocks',
    ...call(respond({ content: items(6000, { type: 'image', data: 1, mimeType: 2 }) })),
  },
  {
    name: 'a result of 100,000 keys',
    ...call(respond(Object.fromEntries(items(100_000, 0).map((_, n) => [`k${n}`, n])))),
    error: /more than/,
  },
  {
    name: 'a result within results',
    ...call((res, { id }) =>
      sendJson(res, `{"jsonrpc":"2.0","id":${id},"result":{"content":${nested(100_000, '[', ']')}}}`),
    ),
    error: /nested/,
  },
  {
    name: 'a result of 3.9 MB of line breaks',
    ...call(respond({ content: [{ type: 'text', text: '\n'.repeat(1_900_000) }] })),
  },
  {
    name: 'a result of 40 MB',
    ...call(respond({ content: [{ type: 'text', text: 'x'.repeat(40_000_000) }] })),
    error: /more than/,
  },
  {
    name: 'a result in an event of 3.9 MB',
    ...call((res, { id }) =>
      beginEvents(res).end(
        event({ id, result: { content: [{ type: 'text', text: '"'.repeat(1_900_000) }] } }),
      ),
    ),
  },
  {
    name: 'events without end',
    ...call((res) =>
      pour(
        beginEvents(res),
        many((n) => event({ method: 'notifications/message', params: { n } })),
      ),
    ),
    error: /more than/,
  },
  {
    name: 'an event without end',
    ...call((res) => pour(beginEvents(res), (n) => (n === 0 ? 'data: {' : 'x'.repeat(60_000)))),
    error: /more than/,
  },
  {
    name: 'events of nothing without end',
    ...call((res) =>
      pour(
        beginEvents(res),
        many(() => ': nothing\n\n'),
      ),
    ),
    error: /more than/,
  },
  {
    name: 'events that end and begin anew at once',
    ...call((res) => beginEvents(res).end('retry: 0\nid: 1\ndata:\n\n')),
  },
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
    name: 'an answer with another id',
    ...call((res, { id = 0 }) => sendJson(res, rpc({ id: id + 7, result: {} }))),
  },
  {
    name: 'answers to nobody, each of a megabyte',
    ...call((res) =>
      pour(beginEvents(res), (n) => event({ id: n + 1000, result: { text: 'x'.repeat(1_000_000) } })),
    ),
    error: /more than/,
  },
  {
    name: 'an answer again and again',
    ...call((res, { id }) =>
      sendJson(res, `[${items(5000, rpc({ id, result: { content: [] } })).join(',')}]`),
    ),
  },
  {
    name: 'an error of 3.9 MB',
    ...call((res, { id }) =>
      sendJson(res, rpc({ id, error: { code: -32000, message: ' \u200b'.repeat(900_000) } })),
    ),
  },
  {
    name: 'a refusal of 3.9 MB',
    ...list((res) => res.writeHead(500).end('no '.repeat(1_300_000))),
    error: /./,
  },
  {
    name: 'progress without end',
    ...call((res) =>
      pour(
        beginEvents(res),
        many((n) => event({ method: 'notifications/progress', params: { progressToken: n, progress: n } })),
      ),
    ),
    error: /more than/,
  },
  {
    name: 'requests to sample, to ask the owner and for folders',
    ...call((res, { id }) =>
      beginEvents(res).end(
        [
          ...items(300, 'sampling/createMessage'),
          ...items(300, 'elicitation/create'),
          ...items(300, 'roots/list'),
        ]
          .map((method, n) =>
            event({
              id: n,
              method,
              params: { messages: [], maxTokens: 1, message: 'x', requestedSchema: {} },
            }),
          )
          .join('') + event({ id, result: { content: [] } }),
      ),
    ),
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

const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))

const made = z.object({ id: z.string() })
const stateOfSource = z.object({ last_error: z.string().nullable() })

const maxWorkMs = 2500
const maxWaitMs = 500
const maxPauseMs = 1000

/** What fell, for each of the manners. */
export async function tryManners(
  { call, during }: WatchedVoid,
  all: readonly Manner[],
  onTried: (falls: string[]) => void,
): Promise<void> {
  const space = made.parse(await call('POST', '/api/spaces', { name: 'Skerry Light' })).id
  // What is loaded with the first source takes its time.
  await useOnce(call, space, { name: 'good manners', script: {}, calls: true })
  await useOnce(call, space, { name: 'a good program', program: {}, calls: true })
  for (const manner of all) {
    const falls: string[] = []
    const watched = await during(async () => void falls.push(...(await useOnce(call, space, manner))))
    onTried([...falls, ...watched].map((what) => `${manner.name}: ${what}`))
  }
}

async function useOnce(call: Client, space: string, manner: Manner): Promise<string[]> {
  const { script, program, calls = false, error } = manner
  const falls: string[] = []
  const server = script ? await startScriptedSource(script) : null
  const settings = server
    ? { name: 'Fake', transport: 'http', url: server.url }
    : fakeSource(program?.mode ?? '', program?.answer ? { ANSWER: program.answer } : {})
  const { id } = made.parse(await call('POST', `/api/spaces/${space}/sources`, settings))

  const use = async () => {
    await call('POST', `/api/sources/${id}/test`)
    if (!calls) return
    await call('PATCH', `/api/sources/${id}/tools/echo`, { policy: 'read' })
    await call('POST', `/api/spaces/${space}/companion/turn`, { text: 'Ask the source.' })
  }
  const used = use().catch(() => {})
  await Promise.race([used, wait(error ? maxWorkMs : maxWaitMs)])
  const said = stateOfSource.parse(await call('GET', `/api/sources/${id}`)).last_error
  if (error && !error.test(said ?? '')) falls.push(`the source says ${said}`)
  if ((said?.length ?? 0) > 500) falls.push('what the source says is long')
  await inTime(call('POST', `/api/spaces/${space}/pages`, { title: 'Other work' }), 'other work')
  await inTime(call('PATCH', `/api/sources/${id}`, { enabled: false }), 'switching it off')
  await inTime(call('DELETE', `/api/sources/${id}`), 'removing it')
  server?.close()
  return falls

  async function inTime(work: Promise<unknown>, what: string): Promise<void> {
    const from = performance.now()
    await work
    const ms = Math.round(performance.now() - from)
    if (ms > maxPauseMs) falls.push(`${what} took ${ms} ms`)
  }
}

/** A server whose companion calls the tool of the source in each turn. */
export async function withSources(
  databaseUrl: string | undefined,
  work: (server: WatchedVoid) => Promise<void>,
  prepareFolder?: (folder: string) => void,
): Promise<void> {
  const fake = await startFakeAnthropic(
    [
      ({ body }) =>
        body.tools && !JSON.stringify(body.messages.at(-1)).includes('"tool_result"')
          ? toolUse('call_tool', { source: 'Fake', tool: 'echo', arguments: { text: 'hello' } })
          : text('Done.'),
    ],
    { repeatLast: true },
  )
  const env = { ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'key', ROUTER_MODEL: 'none' }
  const server = await watchVoid({ databaseUrl, env, prepareFolder })
  try {
    await work(server)
  } finally {
    await server.stop()
    await fake.close()
  }
}

export const surface: Surface = {
  name: 'sources',
  attack: async ({ tried, fell }, { databaseUrl }) =>
    await withSources(databaseUrl, (server) =>
      tryManners(server, manners, (falls) => {
        tried()
        for (const what of falls) fell(what)
      }),
    ),
}
