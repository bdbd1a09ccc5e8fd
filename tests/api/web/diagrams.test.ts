import { createHash } from 'node:crypto'
import request from 'supertest'
import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'

const { app } = await buildApp()

test('the frame of diagrams has no origin and no connection, and runs its own two scripts alone', async () => {
  const { text, headers } = await request(app).get('/diagrams').expect(200)
  const policy = headers['content-security-policy']!
  const [, inline = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? []
  const hash = createHash('sha256').update(inline).digest('base64')

  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy).not.toMatch(/allow-same-origin|connect-src|img-src|script-src[^;]*unsafe/)
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`)
  expect(text.match(/<script/g)).toHaveLength(2)
})

test('Mermaid is served under a name of its content, to a frame without an origin', async () => {
  const { text } = await request(app).get('/diagrams')
  const [, src = ''] = /<script src="([^"]+)"/.exec(text) ?? []

  const script = await request(app).get(`/${src}`).expect(200)
  expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect(script.headers['cache-control']).toContain('immutable')
  expect(script.headers['content-type']).toContain('text/javascript')
})
