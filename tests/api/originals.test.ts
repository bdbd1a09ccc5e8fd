// The bytes of a file, whole and in parts, as players ask for them.

import { createHash } from 'node:crypto'
import request from 'supertest'
import { beforeAll, describe, expect, test } from 'vitest'
import { byteRange } from '../../lib/api/download.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner } = void_
const bytes = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 256))
let path = ''
let big = ''
const bigBytes = Buffer.alloc(5 * 1024 * 1024, 'void')

beforeAll(async () => {
  const world = await makeWorld(void_)
  const attach = async (name: string, content: Buffer) => {
    const { body } = await request(app)
      .post(`/api/spaces/${world.space.id}/attachments?name=${name}`)
      .set('authorization', `Bearer ${ownerToken}`)
      .type('application/octet-stream')
      .send(content)
    return `/api/source-docs/${body.id}/original`
  }
  path = await attach('Horn.mp3', bytes)
  big = await attach('Film.mp4', bigBytes)
})

const get = (range: string, from = path) => owner.get(from).set('range', range).responseType('blob')
const hash = (buffer: Buffer) => createHash('sha256').update(buffer).digest('hex')

describe('an original', () => {
  test('that can be played says what it is, in a sandbox, and that it comes in parts', async () => {
    const { status, headers, body } = await owner.get(path).responseType('blob')

    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' })
    expect(headers['content-security-policy']).toMatch(/; sandbox$/)
    expect(body).toEqual(bytes)
  })

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=990-', 990, 999],
    ['bytes=-5', 995, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=999-5000', 999, 999],
  ])('gives the part that %s asks for', async (range, from, to) => {
    const { status, headers, body } = await get(range)

    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes ${from}-${to}/1000`)
    expect(headers['content-length']).toBe(String(to - from + 1))
    expect(body).toEqual(bytes.subarray(from, to + 1))
  })

  test.each([
    'bytes=1000-',
    'bytes=5-1',
    'bytes=-',
    'bytes=0-1,5-6',
    'lines=1-2',
    `bytes=${'9'.repeat(400)}-`,
    'bytes=a-b',
    'bytes=-0',
  ])('comes whole where %s asks for nothing that it has', async (range) => {
    const { status, body } = await get(range)

    expect(status).toBe(200)
    expect(hash(body)).toBe(hash(bytes))
  })

  test('comes in parts of 4 MB at most', async () => {
    const first = await get('bytes=0-', big)
    const second = await get(`bytes=${first.body.length}-`, big)

    expect(first.body.length).toBe(4 * 1024 * 1024)
    expect(hash(Buffer.concat([first.body, second.body]))).toBe(hash(bigBytes))
  })

  test('gives no part to whoever may not read it', async () => {
    expect((await request(app).get(path).set('range', 'bytes=0-9')).status).toBe(401)
  })
})

test('of nothing there is no part', () => {
  expect(byteRange('bytes=0-', 0)).toBeNull()
  expect(byteRange(undefined, 10)).toBeNull()
})
