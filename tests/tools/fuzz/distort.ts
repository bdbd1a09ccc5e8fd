// What is wrong with a request beside its values: its body as bytes, its headers, its framing.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FuzzRequest } from './make-request.ts'
import type { Random } from './random.ts'

type Header = [name: string, value: string]

const contentTypes = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json; charset=latin1',
  'application/json;;;',
  'application/merge-patch+json',
  'application/json, text/plain',
  'APPLICATION/JSON',
  'application/xml',
  `application/json; a=${'b'.repeat(3000)}`,
]

export function distortBody(json: Buffer, random: Random): { body: Buffer; headers: Header[] } {
  const type = (value: string): Header[] => [['Content-Type', value]]
  const encoded = (body: Buffer, encoding: string) => ({
    body,
    headers: [...type('application/json'), ['Content-Encoding', encoding] as Header],
  })
  const asJson = (body: Buffer) => ({ body, headers: type('application/json') })
  const choices = [
    () => asJson(json.subarray(0, random.below(json.length + 1))),
    () => asJson(Buffer.concat([json, json])),
    () => asJson(Buffer.concat([Buffer.from('\ufeff'), json])),
    () => asJson(Buffer.concat([json, Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0])])),
    () =>
      asJson(
        Buffer.from(
          random.pick([
            '',
            '{',
            '[',
            '"',
            'null',
            '1',
            'true',
            '[]',
            '\0',
            '{"a":1,"a":2}',
            '{"__proto__":{"a":1}}',
          ]),
        ),
      ),
    () => asJson(Buffer.from('['.repeat(100_000))),
    () => asJson(Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)),
    () => ({ body: json, headers: type(random.pick(contentTypes)) }),
    () => encoded(json, random.pick(['gzip', 'br', 'deflate', 'zstd', 'x', 'gzip, gzip'])),
    () => encoded(gzipSync(json), 'gzip'),
    () => encoded(deflateSync(json), 'deflate'),
    () => encoded(brotliCompressSync(json), 'br'),
    () => encoded(gzipSync(Buffer.alloc(20_000_000, ' ')), 'gzip'),
  ]
  return random.pick(choices)()
}

const extras: readonly Header[] = [
  ['If-Match', '"1"'],
  ['If-Match', '*'],
  ['If-Match', 'W/"99999999999"'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'yesterday'],
  ['Idempotency-Key', 'the-same'],
  ['Idempotency-Key', 'k'.repeat(4000)],
  ['Idempotency-Key', '\u00ff\u00fe'],
  ['Last-Event-ID', '-1'],
  ['Last-Event-ID', '9'.repeat(400)],
  ['Last-Event-ID', '01900000-0000-7000-8000-000000000000:5'],
  ['Accept', 'application/json'],
  ['Accept', 'text/event-stream'],
  ['Accept', 'image/png;q=x'],
  ['Accept', `${'a/b,'.repeat(1000)}`],
  ['Accept-Encoding', 'br;q=2, gzip;q=0, *'],
  ['Accept-Language', '*'.repeat(500)],
  ['Expect', '100-continue'],
  ['Expect', 'the-unexpected'],
  ['Range', 'bytes=0-0'],
  ['Range', 'bytes=-1,99999999999999999999-'],
  ['Cookie', 'void_session=x'],
  ['Cookie', 'void_session=%E0%A4%A; prefs=%00'],
  ['Cookie', `a=${'b'.repeat(5000)}`],
  ['Cookie', 'void_prefs={"space":{"a":1},"theme":[]}'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Dest', 'iframe'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Origin', 'null'],
  ['Origin', 'http://'],
  ['X-Forwarded-Host', 'example.org'],
  ['X-Forwarded-Proto', 'https, x'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', 'x'.repeat(2000)],
  ['Upgrade', 'websocket'],
  ['Upgrade-Insecure-Requests', '1'],
  ['User-Agent', '\u00ff'.repeat(600)],
  ['Referer', 'javascript:1'],
  ['Via', '1.1 \u00e9'],
  ['Content-Language', 'x'.repeat(100)],
]

export const extraHeaders = (random: Random): Header[] =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick(extras))

/** The request as a message whose framing is wrong. */
export function distortWire(request: FuzzRequest, random: Random): Buffer {
  const body = request.body ?? Buffer.from('{"a":1}')
  const message = (line: string, headers: Header[], rest: Buffer | string = body, end = '\r\n') =>
    Buffer.concat([
      Buffer.from([line, ...headers.map((header) => header.join(': '))].join(end) + end + end, 'latin1'),
      Buffer.from(rest),
    ])
  const { method, target, headers } = request
  const line = `${method} ${target} HTTP/1.1`
  const length = (count: number | string): Header => ['Content-Length', String(count)]
  const chunked: Header = ['Transfer-Encoding', 'chunked']
  const choices = [
    () => message(line, [...headers, length(body.length + 50)]),
    () => message(line, [...headers, length(Math.max(0, body.length - 5))]),
    () => message(line, [...headers, length('-1')]),
    () => message(line, [...headers, length('1e3')]),
    () => message(line, [...headers, length('99999999999999999999')]),
    () => message(line, [...headers, length(1), length(2)]),
    () => message(line, [...headers, length(body.length), chunked]),
    () => message(line, [...headers, chunked], 'zz\r\nhello\r\n0\r\n\r\n'),
    () => message(line, [...headers, chunked], 'ffffffff\r\nhello'),
    () => message(line, [...headers, chunked], '5\r\nhello\r\n'),
    () => message(line, [...headers, ['Transfer-Encoding', 'gzip, chunked']], '0\r\n\r\n'),
    () => message(line, [...headers, length(body.length)], body, '\n'),
    () => message(line, headers.slice(1), ''),
    () => message(line, [...headers, ['Host', 'other']], ''),
    () => message(line, [['Host', 'evil.example'], ...headers.slice(1)], ''),
    () => message(line, [...headers, ['X', 'a\0b']], ''),
    () => message(line, [...headers, ['X y', 'z']], ''),
    () => message(line, [...headers, ['X', 'y'.repeat(40_000)]], ''),
    () =>
      message(
        line,
        Array.from({ length: 3000 }, (_, n): Header => [`X-${n}`, 'y']),
        '',
      ),
    () => message(`${method} ${target} HTTP/1.0`, headers, ''),
    () => message(`${method} ${target} HTTP/3.9`, headers, ''),
    () => message(`${method} http://evil.example${target} HTTP/1.1`, headers, ''),
    () => message(`${method} * HTTP/1.1`, headers, ''),
    () => message('CONNECT evil.example:443 HTTP/1.1', headers, ''),
    () => message(`${method} ${target}#a HTTP/1.1`, headers, ''),
    () => message(`${method} ${target} x HTTP/1.1`, headers, ''),
    () => message(`G\u00c9T ${target} HTTP/1.1`, headers, ''),
    () => message(`${method} /\u00e4%zz${target} HTTP/1.1`, headers, ''),
    () => Buffer.concat([message(line, headers, ''), message(line, headers, '')]),
    () => message(line, headers).subarray(0, random.below(200)),
    () => Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
  ]
  return random.pick(choices)()
}
