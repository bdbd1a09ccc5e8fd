// Void as the measurements find it: a server on a store of its own, with Spaces that hold a few pages each. Each turn
// of a client goes to a Space, so that as many turns can run at once as there are Spaces.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChildServer, startChildServer } from './child-server.ts'
import { makePages } from './prose.ts'

export const pagesPerSpace = 12

export const ownerToken = 'owner_of-the-benchmark-0123456789'

/** The headers with which the owner asks. */
export const asOwner = { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' }

/** A folder for a store; the function removes it. */
export function makeDataFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'void-bench-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** What the launcher says to a process that it begins anew; a process with a channel to its parent stays the same one. */
const launcherFlags = ['--max-semi-space-size=16']
const launcherEnv = { MALLOC_TRIM_THRESHOLD_: '131072' }

/** `settings`: what else its environment holds, such as the `DATABASE_URL`. */
export function startVoid(
  dataDir: string,
  modelUrl?: string,
  settings: Record<string, string> = {},
): Promise<ChildServer> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    OWNER_TOKEN: ownerToken,
    TURNS_PER_MINUTE: '0',
    ...(modelUrl ? { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'bench' } : {}),
    ...launcherEnv,
    ...settings,
  }
  return startChildServer(new URL('../../../server.js', import.meta.url), env, launcherFlags)
}

/** Makes Spaces with `pages` pages each, and returns the paths that take a turn. */
export async function makeSpaces(url: string, count: number, pages = pagesPerSpace): Promise<string[]> {
  const made = makePages(pages)
  const paths: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const { id } = await post(`${url}/api/spaces`, { name: `Bench ${n}` })
    for (const page of made) await post(`${url}/api/spaces/${id}/pages`, page)
    paths.push(`${url}/api/spaces/${id}/companion/turn`)
  }
  return paths
}

/** Asks the server to make something. Rejects when it does not. */
export async function post(url: string, body: unknown): Promise<{ id: string }> {
  const response = await fetch(url, { method: 'POST', headers: asOwner, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return z.object({ id: z.string() }).parse(await response.json())
}
