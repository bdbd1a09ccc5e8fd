import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createServedFile, pickEncoding } from '../../../lib/api/web/compression.ts'

const words = Array.from({ length: 60_000 }, (_, n) => `word${(n * 7919) % 4001} `).join('')
const large = Buffer.from(words)

test('a large file is served quickly at first and well afterwards, the same bytes either way', async () => {
  const file = createServedFile(large)

  const first = await file.in('br')
  await file.settled()
  const then = await file.in('br')

  expect(then.length).toBeLessThan(first.length)
  expect(brotliDecompressSync(first).equals(large)).toBe(true)
  expect(brotliDecompressSync(then).equals(large)).toBe(true)
})

test('a small file is made once, and is the same for whoever asks meanwhile', async () => {
  const file = createServedFile(Buffer.from('small'))

  const [one, two] = await Promise.all([file.in('br'), file.in('br')])
  await file.settled()

  expect(one).toBe(two)
  expect(await file.in('br')).toBe(one)
  expect(gunzipSync(await file.in('gzip')).toString()).toBe('small')
  expect(Buffer.from(await file.in('identity')).toString()).toBe('small')
})

test('the client’s word counts: brotli before gzip, and what it refuses is not sent', () => {
  expect(pickEncoding('gzip, deflate, br')).toBe('br')
  expect(pickEncoding('gzip, br;q=0')).toBe('gzip')
  expect(pickEncoding(undefined)).toBe('identity')
})
