import request from 'supertest'
import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'

const { app } = await buildApp()

test.each(['//evil.example/x', '//evil.example', '/%2F/evil.example//', '///evil.example'])(
  'a navigation from elsewhere to %s is not sent on to another host',
  async (address) => {
    const answer = await request(app)
      .get(address)
      .set({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' })

    expect(answer.text).not.toMatch(/url=(?:\/[/\\]|https?:)/)
    expect(answer.headers.location).toBeUndefined()
  },
)
