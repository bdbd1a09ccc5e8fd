import { expect, test } from 'vitest'
import { loadExternalImage } from '../../../lib/outside/sources/external-image.ts'
import { buildApp } from '../../helpers/build-app.ts'

const answering = (status: number, type: string) => async () =>
  new Response('GIF89a', { status, headers: { 'content-type': type } })

test('an image comes with its type', async () => {
  const image = await loadExternalImage('https://tides.example/a.gif', answering(200, 'image/gif; x=y'))

  expect(image).toEqual({ type: 'image/gif', bytes: Buffer.from('GIF89a') })
})

test.each([
  [200, 'text/html'],
  [200, 'image/svg+xml'],
  [404, 'image/png'],
])('an answer of %i %s is refused', async (status, type) => {
  await expect(
    loadExternalImage('https://tides.example/a.gif', answering(status, type)),
  ).rejects.toMatchObject({ code: 'source_failed', status: 502 })
})

test.each([
  'https://127.0.0.1/a.png',
  'https://[::1]/a.png',
  'https://169.254.169.254/latest',
  'https://10.0.0.1/a.png',
  'https://me:word@1.1.1.1/a.png',
  'http://1.1.1.1/a.png',
  'http://localhost/a.png',
])('nothing is asked of %s', async (url) => {
  await expect(loadExternalImage(url)).rejects.toMatchObject({
    code: 'source_failed',
    message: expect.stringMatching(/is not|has a user name/),
  })
})

test('the address of an image is one of https, and what comes is an image in a sandbox', async () => {
  const { owner } = await buildApp()

  await owner.get('/api/external-image?url=http://tides.example/a.png').expect(400)
  await owner.get('/api/external-image?url=file:///etc/passwd').expect(400)
  const { headers } = await owner.get('/api/external-image?url=https://tides.example/a.png').expect(200)

  expect(headers['content-type']).toBe('image/gif')
  expect(headers['content-security-policy']).toMatch(/sandbox/)
})
