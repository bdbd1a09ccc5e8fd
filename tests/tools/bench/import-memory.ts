import { createHash } from 'node:crypto'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import type { Measurement } from './measurement.ts'
import { openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { makeDataFolder } from './spaces.ts'
import { watchMemory } from './watch-memory.ts'

const gigabyte = 1024 ** 3
const attachmentBytes = 8 * 1024 * 1024
const pages = 500

/** What an import takes of memory, whatever it brings in. */
export const importMemory: Measurement = {
  name: 'import-memory',
  about: 'growth of the process while 1 GB comes in: documents of 8 MB, and 500 Markdown files',
  async run(log) {
    const data = makeDataFolder()
    const store = await openStore(data.folder)
    const {
      database,
      content: { writer, importFolder },
    } = store.deps
    const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Large' })
    const memory = watchMemory()
    const started = performance.now()

    const result = await importFiles({
      database,
      writer,
      importFolder,
      space_id,
      source: 'bench',
      files: makeFiles(),
      onProgress: (done) => done % 100 === 0 && log(`${done} files, ${memory.grown()} MB more than before`),
    })

    const seconds = (performance.now() - started) / 1000
    const grown = memory.end()
    await store.close()
    data.remove()
    log(`${result.counts.created} files in ${seconds.toFixed(0)} s`)
    return [
      { name: 'growth at the most', unit: 'MB', value: grown },
      { name: 'throughput', unit: 'MB/s', value: 1024 / seconds },
    ]
  },
}

async function* makeFiles() {
  for (const { title, body } of makePages(pages))
    yield { path: `Notes/${title}.md`, bytes: Buffer.from(body) }
  for (let n = 0; n < gigabyte / attachmentBytes; n++) {
    yield { path: `Scans/${n}.png`, bytes: noise(n) }
  }
}

/** Bytes that no disk makes smaller. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(attachmentBytes)
  let block = createHash('sha512').update(String(seed)).digest()
  for (let at = 0; at < bytes.length; at += block.length * 64) {
    block = createHash('sha512').update(block).digest()
    for (let copy = 0; copy < 64; copy++) block.copy(bytes, at + copy * block.length)
  }
  return bytes
}
