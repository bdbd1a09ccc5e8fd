import { z } from 'zod'
import type { LocalModels } from '../../contract/model.ts'
import { readJson } from '../../core/net/read-body.ts'
import { cleanLine } from '../../core/text/clean.ts'

/** Servers that people run on their own machine, at the addresses that they have without being told another. */
const usual = [
  { name: 'Ollama', base_url: 'http://127.0.0.1:11434' },
  { name: 'LM Studio', base_url: 'http://127.0.0.1:1234' },
]

const timeoutMs = 1500
const listBounds = { bytes: 1024 * 1024, values: 20_000, depth: 50 }
const maxModels = 100

const ModelIds = z.object({ data: z.array(z.object({ id: z.string().max(200) })).max(10_000) })

/** Those that answer now, with the names of their models. Never rejects. */
export async function findLocalModels(servers = usual): Promise<LocalModels['items']> {
  const found = await Promise.all(
    servers.map(async (server) => ({ ...server, models: await listModels(server) })),
  )
  return found.flatMap(({ models, ...server }) => (models ? [{ ...server, models }] : []))
}

/** `null` where nothing answers as such a server does. */
async function listModels({ base_url }: { base_url: string }): Promise<string[] | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${base_url}/v1/models`, { signal, redirect: 'manual' })
    if (!response.ok) return null
    const { data } = ModelIds.parse(await readJson(response, listBounds))
    return data
      .slice(0, maxModels)
      .map(({ id }) => cleanLine(id))
      .filter(Boolean)
  } catch {
    return null
  }
}
