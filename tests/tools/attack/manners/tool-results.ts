// What sources with bad manners answer when a tool is called.

import { beginEvents, respond, rpc, type SourceScript, sendJson } from '../../../helpers/scripted-source.ts'
import { event, items, many, nested, pour, type SourceManner } from './source-manner.ts'

const call = (answer: SourceScript[string]): Pick<SourceManner, 'script' | 'calls'> => ({
  script: { 'tools/call': answer },
  calls: true,
})
export const resultManners: readonly SourceManner[] = [
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
  { name: 'a result with 9,999 wrong blocks', ...call(respond({ content: items(9999, 1) })) },
  {
    name: 'an error with 19,000 wrong values',
    ...call((res, { id }) =>
      sendJson(res, rpc({ id, error: { code: 'x', message: items(9000, 1), data: items(9000, []) } })),
    ),
  },
  {
    name: 'requests with 19,000 wrong values',
    ...call((res, { id }) =>
      beginEvents(res).end(
        ['sampling/createMessage', 'elicitation/create', 'roots/list', 'ping']
          .map((method, n) =>
            event({ id: n, method, params: { _meta: items(9, 1), messages: items(19_000, 1) } }),
          )
          .join('') + event({ id, result: { content: [] } }),
      ),
    ),
  },
  {
    name: 'notifications with 19,000 wrong values',
    ...call((res, { id }) =>
      beginEvents(res).end(
        ['cancelled', 'progress', 'message', 'tools/list_changed', 'resources/updated']
          .map((name) => event({ method: `notifications/${name}`, params: items(19_000, 1) }))
          .join('') + event({ id, result: { content: [] } }),
      ),
    ),
  },
  {
    name: 'messages of many kinds at once, all wrong',
    ...call((res) => sendJson(res, `[${items(9000, '{"jsonrpc":"2.0"}').join(',')}]`)),
  },
]
