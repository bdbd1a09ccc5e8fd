import { expect, test } from 'vitest'
import { readJson, readText, withCountedJson } from '../../../lib/core/net/read-body.ts'
import { discover } from '../../../lib/outside/sources/sign-in/discover.ts'

const bounds = { bytes: 1000, values: 10, depth: 3 }

test('a body within its bounds is read', async () => {
  expect(await readText(new Response('é'.repeat(500)), 1000)).toBe('é'.repeat(500))
  expect(await readJson(new Response('{"a":[1,2,3]}'), bounds)).toEqual({ a: [1, 2, 3] })
  expect(
    await (await withCountedJson(async () => new Response('[1]'), bounds)('https://a.example')).json(),
  ).toEqual([1])
})

test.each([
  ['bytes', `"${'x'.repeat(1000)}"`],
  ['values', JSON.stringify(Array.from({ length: 20 }, () => 1))],
  ['depth', '[[[[1]]]]'],
])('a body that exceeds its %s is not', async (bound, json) => {
  const reason = { name: 'RangeError', message: expect.stringContaining(bound) }

  await expect(readJson(new Response(json), bounds)).rejects.toMatchObject(reason)
  await expect(
    withCountedJson(async () => new Response(json, { status: 400 }), bounds)('https://a.example'),
  ).rejects.toMatchObject(reason)
})

test('a body without end is read no further than its bound', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1
      controller.enqueue(new Uint8Array(100))
    },
  })

  await expect(readText(new Response(endless), 1000)).rejects.toThrow(RangeError)
  expect(pulled).toBeLessThan(20)
})

test('what an authorization server says of itself is counted before the SDK reads it', async () => {
  const wide = JSON.stringify({ scopes_supported: Array.from({ length: 20_000 }, () => 1) })

  const found = discover('https://source.example/mcp', async (_url, init) =>
    init?.method === 'POST' ? new Response(null, { status: 401 }) : new Response(wide),
  )

  await expect(found).rejects.toMatchObject({ code: 'source_failed', cause: expect.any(RangeError) })
})
