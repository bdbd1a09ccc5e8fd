// The headers that keep a browser from taking an answer for something else, on every sort of answer there is.

import request, { type Test } from 'supertest'
import { describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner } = void_
const { space, lamp } = await makeWorld(void_)
const at = `/api/spaces/${space.id}`
const base64 = Buffer.from('<script>1</script>').toString('base64')
const files = ['note.txt', 'picture.svg', 'we"ird;\u00f1 \u202e=.png'].map((path) => ({ path, base64 }))
await owner.post(`${at}/import`).send({ source: 'headers', files })
const { items: originals } = (await owner.get(`${at}/source-docs`)).body
const turn = await owner.post(`${at}/companion/turn`).send({ text: 'Good evening' })
const turnId = /"turn_id":"([^"]+)"/.exec(turn.text)![1]
const signInPage = await request(app).get('/sign-in')
const style = /href="(\/assets\/[^"]+\.css)"/.exec(signInPage.text)![1]!

const answers: Record<string, () => Test> = {
  'a row': () => owner.get(`/api/pages/${lamp.id}`),
  'a created row': () => owner.post(`${at}/tasks`).send({ title: 'x' }),
  'an error with the current row': () =>
    owner.patch(`/api/pages/${lamp.id}`).send({ version: 9, title: 'x' }),
  'a refusal': () => request(app).get('/api/spaces'),
  'a path that is nothing': () => owner.get('/api/nothing'),
  'a body that is no JSON': () => owner.post('/api/spaces').type('json').send('{'),
  'a foreign name': () => request(app).get('/').set('Host', 'evil.example'),
  'a request to connect that is none': () => owner.get('/oauth/authorize?client_id=unknown'),
  'a refused token': () => request(app).post('/oauth/token').type('form').send({ client_id: 'unknown' }),
  'what protects /mcp': () => request(app).get('/.well-known/oauth-protected-resource'),
  health: () => request(app).get('/health'),
  'the OpenAPI document': () => request(app).get('/api/openapi.json'),
  'a page': () => owner.get(`/s/${space.slug}`),
  'a page that is not there': () => owner.get('/nowhere'),
  'the sign-in page': () => request(app).get('/sign-in'),
  'a redirection': () => request(app).get('/inbox'),
  'a stylesheet': () => request(app).get(style),
  'a file of lines': () => owner.get(`${at}/export`),
  'an archive': () => owner.get(`${at}/vault`),
  'a stream of events': () => owner.get(`/api/turns/${turnId}/events`),
  ...Object.fromEntries(
    originals.map(({ id, title }: { id: string; title: string }) => [
      `the original ${title}`,
      () => owner.get(`/api/source-docs/${id}/original`),
    ]),
  ),
}

describe.each(Object.entries(answers))('%s', (name, ask) => {
  test('says what it is, what it may load and who may frame it', async () => {
    const { headers } = await ask()
    const policy = String(headers['content-security-policy'])

    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
    for (const directive of [
      "default-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ])
      expect(policy).toContain(directive)
    if (headers['content-length'] !== '0') expect(headers['content-type']).toMatch(/^[a-z]+\/[\w.+-]+/)
    if (/^(text|application\/json)/.test(headers['content-type'] ?? '') && !name.startsWith('the original'))
      expect(headers['content-type']).toMatch(/charset=utf-8/i)
  })

  test('is kept by nobody, unless it is the same for everybody or never changes', async () => {
    const { headers } = await ask()
    const kept = name === 'a stylesheet' || name.startsWith('the original')

    expect(headers['cache-control']).toMatch(kept ? /immutable|private/ : /no-store/)
  })
})

test('an original that could run is a download, and its policy is a sandbox', async () => {
  for (const { id, title } of originals) {
    const { headers } = await owner.get(`/api/source-docs/${id}/original`)

    expect(headers['content-security-policy']).toMatch(/; sandbox$/)
    expect(headers['content-type']).toMatch(
      /svg/.test(title) ? /^image\/svg\+xml/ : /^(?:image\/png|text\/plain)/,
    )
    expect([title, headers['content-disposition']]).toEqual([
      title,
      expect.stringMatching(/svg/.test(title) ? /^attachment; / : /^inline; /),
    ])
    expect(headers['content-disposition']).toMatch(/; filename\*=UTF-8''[\w.%-]+$/)
  }
})

test('TRACE is answered as what is not there, and repeats nothing of the request', async () => {
  const answer = await request(app).trace('/api/spaces').set('Authorization', `Bearer ${ownerToken}`)

  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain(ownerToken)
})
