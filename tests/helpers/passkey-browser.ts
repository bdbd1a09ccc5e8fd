// A browser at http://localhost that signs in, confirms and adds passkeys over HTTP.

import type { Express } from 'express'
import request, { type Test } from 'supertest'
import type { PasskeyAnswer } from '../../lib/contract/auth.ts'
import { ownerToken } from './build-app.ts'
import { makeSoftwareKey, type SoftwareKey } from './software-key.ts'

export const origin = 'http://localhost'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Requests of one browser; it has no session until `signIn`, or `finish` where there is a passkey. */
export function passkeyBrowser(app: Express, headers: Record<string, string> = {}) {
  let cookie = ''

  const send = (method: Method, path: string, body?: object): Test => {
    const sent = request(app)
      [method](path)
      .set({ Host: 'localhost', 'Sec-Fetch-Site': 'same-origin', ...headers })
    if (cookie) sent.set('Cookie', cookie)
    return body ? sent.send(body) : sent
  }
  const keepCookie = (answer: Awaited<Test>) => {
    const set = answer.headers['set-cookie']
    if (set) cookie = String(set).split(';')[0]!
    return answer
  }

  return {
    send,
    hasSession: async () => (await send('get', '/api/spaces')).status === 200,
    /** The first step, and the last one where there is no passkey. */
    signIn: async (token = ownerToken) => keepCookie(await send('post', '/api/session', { token })),
    /** What a sign-in is to ask the device for. */
    async pending(token = ownerToken) {
      return (await send('post', '/api/session', { token })).body.error.details.passkey
    },
    finish: async (answer: PasskeyAnswer) => keepCookie(await send('post', '/api/session/passkey', answer)),
    confirm: (body: object) => send('post', '/api/session/confirm', body),
    challenge: async () => (await send('post', '/api/session/challenge')).body.passkey,
    offer: async () => (await send('post', '/api/passkeys/options')).body,
    add: (credential: object, name = 'Laptop') => send('post', '/api/passkeys', { name, credential }),
  }
}

export type PasskeyBrowser = ReturnType<typeof passkeyBrowser>

/** A passkey added by a browser that is signed in, and its id. */
export async function addPasskey(
  browser: PasskeyBrowser,
  name = 'Laptop',
  key: SoftwareKey = makeSoftwareKey({ origin }),
): Promise<{ key: SoftwareKey; id: string }> {
  const { body } = await browser.add(key.create(await browser.offer()), name)
  return { key, id: body.id }
}
