import { z } from 'zod'
import { makeMbox, makeZip } from '../../files/import/make-files.ts'
import type { ChildServer } from './child-server.ts'
import type { Figure, Measurement } from './measurement.ts'
import { createProse } from './prose.ts'
import { asOwner, makeDataFolder, ownerToken, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const messages = Number(process.env.BENCH_MESSAGES ?? 10_000)
const notes = 2000
const idleMs = 5000
const pollMs = 200

/** How long others wait while somebody imports. */
export const importLatency: Measurement = {
  name: 'import-latency',
  about: 'another request (p99 and the longest) while files come in; beside the same on an idle server',
  async run(log) {
    const data = makeDataFolder()
    const server = await startVoid(data.folder)
    try {
      const { id } = await post(`${server.url}/api/spaces`, { name: 'Bench' })
      const idle = await whileAsking(server, id, () => new Promise((resolve) => setTimeout(resolve, idleMs)))
      const figures: Figure[] = []
      for (const [name, file] of Object.entries(await makeImports())) {
        log(name)
        const waits = await whileAsking(server, id, () => bringIn(server, id, file))
        figures.push(
          {
            name: `${name}, p99`,
            unit: 'ms',
            value: percentile(waits, 0.99),
            baseline: percentile(idle, 0.99),
          },
          {
            name: `${name}, longest`,
            unit: 'ms',
            value: percentile(waits, 1),
            baseline: percentile(idle, 1),
          },
        )
      }
      return figures
    } finally {
      await server.stop()
      data.remove()
    }
  },
}

type ImportedFile = { path: string; bytes: Uint8Array }

async function makeImports(): Promise<Record<string, ImportedFile>> {
  const prose = createProse(7)
  const text = (words: number) => prose.words(words).join(' ')
  const mail = Array.from({ length: messages }, (_, n) => ({
    id: `${n}`,
    subject: `Subject ${n}`,
    text: text(60),
  }))
  const wide = Array.from({ length: 200 }, (_, n) => [`table ${n}.csv`, row(n).repeat(40)] as const)
  const vault = Array.from({ length: notes }, (_, n) => [`${n % 40}/note ${n}.md`, text(150)] as const)
  const page = Array.from({ length: 4000 }, () => text(80))
    .join('\n\n')
    .slice(0, 1_900_000)
  return {
    [`a mailbox of ${messages} messages`]: { path: 'mail.mbox', bytes: Buffer.from(makeMbox(mail)) },
    'an archive of 200 tables of 200 columns': { path: 'wide.zip', bytes: await makeZip(wide) },
    [`an archive of ${notes} notes`]: { path: 'vault.zip', bytes: await makeZip(vault) },
    'a page of 1.9 MB': { path: 'long.md', bytes: Buffer.from(page) },
  }

  function row(n: number): string {
    return `${Array.from({ length: 200 }, (_, column) => `value ${n} ${column}`).join(',')}\n`
  }
}

/** The time of each of a row of requests, one after the other, until the work is done. */
async function whileAsking(
  { url }: ChildServer,
  spaceId: string,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const waits: number[] = []
  let working = true
  const worked = work().finally(() => {
    working = false
  })
  while (working) {
    const started = performance.now()
    const response = await fetch(`${url}/api/spaces/${spaceId}`, { headers: asOwner })
    await response.text()
    waits.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await worked
  return waits
}

async function bringIn({ url }: ChildServer, spaceId: string, { path, bytes }: ImportedFile): Promise<void> {
  const { id } = await post(`${url}/api/spaces/${spaceId}/imports`, { source: path })
  const upload = await fetch(`${url}/api/imports/${id}/file?path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  if (!upload.ok) throw new Error(`The upload was answered with ${upload.status}: ${await upload.text()}`)
  await post(`${url}/api/imports/${id}/start`, {})
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const response = await fetch(`${url}/api/imports/${id}`, { headers: asOwner })
    const { state, problem } = job.parse(await response.json())
    if (state === 'done') return
    if (state !== 'running') throw new Error(`The import of ${path} is ${state}: ${problem}`)
  }
}

const job = z.object({ state: z.string(), problem: z.string().nullable() })
