// What a run begins with: a Space that outside agents may enter, one that they may not, and something of every kind.

import { z } from 'zod'
import type { IdPool } from './id-pool.ts'

export const ownerToken = 'owner_of-the-fuzzer-0123456789-abcdef'

/** Words of the Space that no agent may enter; no agent may ever be shown them. */
export const walledWords = 'quarantined-harbour-ledger'

export type FuzzWorld = {
  spaceId: string
  /** Tokens by tier, several each: one token has 600 calls a minute. */
  tokens: { suggest: string[]; read: string[] }
}

const tokensPerTier = 24
const row = z.looseObject({ id: z.string().default('') })

export async function makeFuzzWorld(url: string, pool: IdPool): Promise<FuzzWorld> {
  const call = async (path: string, body: object, token = ownerToken) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    if (!response.headers.get('content-type')?.includes('json')) return row.parse({ id: '' })
    pool.learn(path, JSON.parse(text))
    return row.parse(JSON.parse(text))
  }

  const { id: spaceId } = await call('/api/spaces', { name: 'Fuzz', slug: 'fuzz' })
  const { id: walledId } = await call('/api/spaces', { name: 'Walled' })
  for (let n = 0; n < 4; n += 1) {
    const body = `The lamp turns, see [[Fuzz page ${n + 1}]].\n\n![[Fuzz page 0]]\n`
    await call(`/api/spaces/${spaceId}/pages`, { title: `Fuzz page ${n}`, body })
  }
  for (const kind of ['tasks', 'projects', 'refs', 'resources']) {
    await call(`/api/spaces/${spaceId}/${kind}`, { title: `A ${kind} of lamps` })
    await call(`/api/spaces/${walledId}/${kind}`, { title: walledWords })
  }
  await call(`/api/spaces/${walledId}/pages`, { title: walledWords, body: `${walledWords} the lamp` })
  const files = [{ path: 'a.md', base64: Buffer.from('# Imported\n\nThe lamp.').toString('base64') }]
  await call(`/api/spaces/${spaceId}/imports`, { source: 'fuzz' })
  await call(`/api/spaces/${spaceId}/import`, { source: 'fuzz', files })
  await call(`/api/spaces/${spaceId}/companion/turn`, { text: 'What is said of the lamp?' })
  await call('/api/session/codes', {})

  const tokens = { suggest: await makeTokens('suggest'), read: await makeTokens('read') }
  await call(`/api/spaces/${spaceId}/tasks`, { title: 'A draft', reason: 'Asked.' }, tokens.suggest[0])
  const { id: spare } = await call('/api/agents', { name: 'Spare', slug: 'spare' })
  await call(`/api/agents/${spare}/tokens`, { name: 'spare' })
  return { spaceId, tokens }

  /** Agents that the run itself never changes. */
  async function makeTokens(tier: 'suggest' | 'read'): Promise<string[]> {
    const { id } = await call('/api/agents', { name: tier, slug: `fuzz-${tier}`, spaces: [spaceId] })
    const made: string[] = []
    for (let n = 0; n < tokensPerTier; n += 1) {
      const token = await call(`/api/agents/${id}/tokens`, { name: `${tier} ${n}`, tier, spaces: [spaceId] })
      pool.protect(token.id)
      made.push(String(token.token))
    }
    pool.protect(id)
    return made
  }
}

/** Takes the Space that the agents may enter out of the trash again, should a request have put it there. */
export async function restoreSpace(url: string, { spaceId }: FuzzWorld): Promise<void> {
  const headers = { authorization: `Bearer ${ownerToken}`, connection: 'close' }
  const found = await fetch(`${url}/api/spaces/${spaceId}`, { headers })
  await found.body?.cancel()
  if (found.status !== 404) return
  const restored = await fetch(`${url}/api/spaces/${spaceId}/restore`, { method: 'POST', headers })
  await restored.body?.cancel()
}
