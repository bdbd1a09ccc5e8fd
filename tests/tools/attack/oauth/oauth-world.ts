// What the attacks on the authorization server share: a program from anywhere, and the owner's browser.

import type { createBrowser } from '../../../auth/oauth/program.ts'
import type { createRawClient } from '../../../auth/oauth/raw-client.ts'
import type { Client } from '../attack-world.ts'
import type { Surface } from '../surface.ts'

type Trial = Parameters<Surface['attack']>[0]

export type OAuthWorld = Trial & {
  url: string
  call: Client
  client: ReturnType<typeof createRawClient>
  /** A browser of the owner. */
  browser: ReturnType<typeof createBrowser>
  /** A registered client. */
  id: string
}

/** Where the client's codes go. */
export const own = 'http://127.0.0.1:8765/callback'

let addresses = 0

/** What is limited by address is limited for others. */
export const fromAnywhere: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('x-forwarded-for', nextAddress())
  return fetch(input, { ...init, headers })
}

export const nextAddress = () =>
  `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

export const row = (value: unknown): Record<string, unknown> => Object(value)
