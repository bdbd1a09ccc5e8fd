import type { WireName } from './wire.ts'

export type ServerAddress = {
  /** What paths such as `/models` are appended to; without a slash at its end. */
  root: string
  /** Parameters that each request carries, such as Azure's `api-version`. */
  query: Record<string, string>
  /** Name and password of Basic authentication; `null`: none. */
  credentials: string | null
}

const defaults: Record<WireName, string> = {
  messages: 'https://api.anthropic.com/v1',
  chat: 'https://api.openai.com/v1',
}

/**
 * The address of a model server from a base URL as people have it: with or without the version, the path of a request,
 * a slash or a query at its end. `null`: the provider's own.
 *
 * Where no version is named, `/v1` is meant. OpenAI-compatible servers also have it within the path, or another version
 * (`/v1beta/openai`, `/v1/account/gateway/openai`), and it then is the whole root.
 */
export function readServerAddress(baseUrl: string | null, wire: WireName): ServerAddress {
  const url = new URL(baseUrl ?? defaults[wire])
  const path = url.pathname.replace(/\/+$/, '')
  const asked = path.replace(/\/(?:messages(?:\/count_tokens)?|chat\/completions|completions|models)$/, '')
  const hasVersion = wire === 'messages' ? /\/v\d+$/.test(asked) : /\/v\d+\w*(?:\/|$)/.test(asked)
  const isWhole = hasVersion || (asked !== path && wire === 'chat')
  const { username, password } = url
  return {
    root: `${url.origin}${asked}${isWhole ? '' : '/v1'}`,
    query: Object.fromEntries(url.searchParams),
    credentials: username || password ? decodeURIComponent(`${username}:${password}`) : null,
  }
}

/** The same base URL without a name and password. */
export function withoutCredentials(baseUrl: string): string {
  const url = new URL(baseUrl)
  if (!url.username && !url.password) return baseUrl
  url.username = ''
  url.password = ''
  return url.href
}

/** Whether the provider of the Messages API itself is there. */
export function isAnthropic(baseUrl: string | null, wire: WireName): boolean {
  if (wire !== 'messages') return false
  return baseUrl === null || /(?:^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname)
}

// Name and password are one key, told from others by this word.
const basicScheme = 'basic '

export const basicKey = (credentials: string) => `${basicScheme}${credentials}`

/** Name and password, with a colon between them; `null` for a key of another kind. */
export const readBasicKey = (key: string): string | null =>
  key.startsWith(basicScheme) ? key.slice(basicScheme.length) : null
