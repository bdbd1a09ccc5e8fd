// What connects common programs: in the form that each one's documentation gives.

import { describe, expect, test } from 'vitest'
import {
  canConnect,
  connectSetups,
  type Setup,
  tokenSetups,
} from '../../../public/settings/agents/client-setups.ts'

const origin = 'https://void.example'
const url = `${origin}/mcp`
const token = 'agent_"quoted"+/='
const find = (setups: Setup[], id: string) => setups.find((setup) => setup.id === id)!

const fromCursor = (href: string) => {
  const { protocol, host, pathname, searchParams } = new URL(href)
  expect([protocol, host, pathname]).toEqual(['cursor:', 'anysphere.cursor-deeplink', '/mcp/install'])
  return { name: searchParams.get('name'), config: JSON.parse(atob(searchParams.get('config')!)) }
}
const fromVsCode = (href: string) =>
  JSON.parse(decodeURIComponent(href.replace(/^vscode:mcp\/install\?/, '')))

describe('without a token', () => {
  const setups = connectSetups(origin)

  test('each common program has one, and none names a credential', () => {
    expect(setups.map(({ id }) => id)).toEqual([
      ...['claude-code', 'claude-desktop', 'chatgpt', 'cursor', 'vscode', 'zed'],
    ])
    expect(JSON.stringify(setups)).not.toMatch(/bearer|authorization|token/i)
    expect(setups.every(({ value }) => value.includes(url))).toBe(true)
  })

  test('links open Cursor and VS Code with the server', () => {
    expect(fromCursor(find(setups, 'cursor').link!.href)).toEqual({ name: 'void', config: { url } })
    expect(fromVsCode(find(setups, 'vscode').link!.href)).toEqual({ name: 'void', type: 'http', url })
  })
})

describe('with a token', () => {
  const setups = tokenSetups(origin, token)
  const headers = { Authorization: `Bearer ${token}` }
  const fileOf = (id: string) => JSON.parse(find(setups, id).value)

  test('files hold the address and the header in the keys that each program reads', () => {
    expect(fileOf('cursor')).toEqual({ mcpServers: { void: { type: 'http', url, headers } } })
    expect(fileOf('vscode')).toEqual({ servers: { void: { type: 'http', url, headers } } })
    expect(fileOf('zed')).toEqual({ context_servers: { void: { url, headers } } })
    expect(fileOf('claude-desktop').mcpServers.void).toMatchObject({
      command: 'npm',
      env: { VOID_URL: origin, VOID_TOKEN: token },
    })
  })

  test('links hold them too, whatever is in the token', () => {
    expect(fromCursor(find(setups, 'cursor').link!.href).config).toEqual({ url, headers })
    expect(fromVsCode(find(setups, 'vscode').link!.href)).toMatchObject({ url, headers })
  })
})

test.each([
  ['https://void.example', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['http://void.lan:3000', false],
  ['http://127.0.0.1.evil.example', false],
])('at %s programs can be connected: %s', (address, can) => {
  expect(canConnect(address)).toBe(can)
})
