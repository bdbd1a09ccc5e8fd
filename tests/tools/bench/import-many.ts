import { createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { z } from 'zod'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import type { Figure, Measurement } from './measurement.ts'
import { withStore } from './open-store.ts'
import { createProse } from './prose.ts'
import { asOwner, makeDataFolder, post, startVoid } from './spaces.ts'

const files = Number(process.env.BENCH_FILES ?? 0)
const folders = 100
const pollMs = 500

/** Whether an import of very many small files gets slower, or larger, with their number. Takes long: off by default. */
export const importMany: Measurement = {
  name: 'import-many',
  about: 'BENCH_FILES small Markdown files: the last tenth beside the first, and as an archive over the API',
  async run(log) {
    if (files > 0) return [...(await fromFiles(log)), ...(await fromArchive(log))]
    log('left out: BENCH_FILES says how many files, such as 100000')
    return []
  },
}

async function fromFiles(log: (message: string) => void): Promise<Figure[]> {
  const tenth = files / 10
  const ends = [performance.now()]
  await withStore(
    async ({
      deps: {
        database,
        content: { writer, importFolder },
      },
    }) => {
      const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Many' })
      await importFiles({
        database,
        writer,
        importFolder,
        space_id,
        source: 'bench',
        files: makeFiles(),
        onProgress(done) {
          if (done < ends.length * tenth) return
          ends.push(performance.now())
          log(`${done} files in ${Math.round((ends.at(-1)! - ends[0]!) / 1000)} s`)
        },
      })
    },
  )
  const rateOf = (part: number) => (tenth * 1000) / (ends[part]! - ends[part - 1]!)
  return [
    {
      name: `${files} files, the last tenth beside the first`,
      unit: '1/s',
      value: rateOf(10),
      baseline: rateOf(1),
    },
    { name: 'memory at the most', unit: 'MB', value: Math.round(process.resourceUsage().maxRSS / 1024) },
  ]
}

async function fromArchive(log: (message: string) => void): Promise<Figure[]> {
  const data = makeDataFolder()
  const archive = join(data.folder, 'many.zip')
  const server = await startVoid(join(data.folder, 'void'))
  try {
    await writeArchive(archive)
    const space = await post(`${server.url}/api/spaces`, { name: 'Many' })
    const job = await post(`${server.url}/api/spaces/${space.id}/imports`, {
      source: 'bench',
      root: 'many.zip',
    })
    const url = `${server.url}/api/imports/${job.id}`
    const upload = { method: 'POST', headers: asBytes, body: await openAsBlob(archive) }
    await fetch(`${url}/file?path=many.zip`, upload)
    const started = performance.now()
    await post(`${url}/start`, {})
    const slowest = await follow(url, log)
    const rate = (files * 1000) / (performance.now() - started)
    return [
      { name: `an archive of ${files} files`, unit: '1/s', value: rate },
      { name: '… the server, memory at the most', unit: 'MB', value: peakOf(join(data.folder, 'void')) },
      { name: '… slowest answer meanwhile', unit: 'ms', value: slowest },
    ]
  } finally {
    await server.stop()
    data.remove()
  }
}

const asBytes = { authorization: asOwner.authorization, 'content-type': 'application/octet-stream' }

/** Waits for the end of an import; the longest that an answer about it took. */
async function follow(url: string, log: (message: string) => void): Promise<number> {
  const progress = z.object({ state: z.string(), done: z.number(), counts: z.record(z.string(), z.number()) })
  let slowest = 0
  for (;;) {
    const asked = performance.now()
    const job = progress.parse(await (await fetch(url, { headers: asOwner })).json())
    slowest = Math.max(slowest, performance.now() - asked)
    if (job.state !== 'running') {
      log(`${job.state}: ${job.counts.created} came in, ${job.counts.skipped} stayed out`)
      return slowest
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function writeArchive(file: string): Promise<void> {
  const zip = new yazl.ZipFile()
  for (const { path, bytes } of makeFiles()) zip.addBuffer(bytes, path)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}

/** In megabytes; as Linux tells it. */
function peakOf(dataDir: string): number {
  const { pid } = z
    .object({ pid: z.int() })
    .parse(JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')))
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

function* makeFiles() {
  const prose = createProse(1)
  for (let n = 0; n < files; n += 1) {
    const { body } = prose.page('', [`note ${prose.below(files)}`])
    yield { path: `folder ${n % folders}/note ${n}.md`, bytes: Buffer.from(body) }
  }
}
