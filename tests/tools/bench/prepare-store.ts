// What a store that is filled by statements is begun with, by a server.

import type { ChildServer } from './child-server.ts'
import { type Spaces, templates } from './fill-store.ts'
import { createProse } from './prose.ts'
import { asOwner, post } from './spaces.ts'

const wordsOfPassage = 60
const versions = 40
const filesPerImport = 200

export type Prepared = { spaces: Spaces; page: string; questions: string[] }

/** Two Spaces, the texts that all passages have, and a page with a history. Stops the server. */
export async function prepareStore(server: ChildServer, log: (message: string) => void): Promise<Prepared> {
  const { url } = server
  const prose = createProse(7)
  try {
    const [large, small] = [
      (await post(`${url}/api/spaces`, { name: 'Large' })).id,
      (await post(`${url}/api/spaces`, { name: 'Small' })).id,
    ]
    log(`${templates} passages are written and indexed`)
    const questions: string[] = []
    for (let n = 0; n < templates; n += filesPerImport) {
      const files = Array.from({ length: filesPerImport }, (_, k) => {
        const words = prose.words(wordsOfPassage)
        if (k % 100 === 0) questions.push(words.slice(10, 15).join(' '))
        return { path: `Text ${n + k}.md`, base64: Buffer.from(words.join(' ')).toString('base64') }
      })
      await send(`${url}/api/spaces/${large}/import`, 'POST', { source: `bench ${n}`, files })
    }
    const page = await post(`${url}/api/spaces/${large}/pages`, { title: 'Tides', body: 'High at noon.' })
    for (let version = 1; version < versions; version += 1) {
      await send(`${url}/api/pages/${page.id}`, 'PATCH', { version, body: `High at ${version} o’clock.` })
    }
    return { spaces: { large, small }, page: page.id, questions }
  } finally {
    await server.stop()
  }
}

export async function send(url: string, method: string, body?: object): Promise<unknown> {
  const init = { method, headers: asOwner, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return await response.json()
}
