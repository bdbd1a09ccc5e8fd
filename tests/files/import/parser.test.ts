import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createParser, type Parser, usualLimits } from '../../../lib/files/import/parse/parser.ts'
import { SkippedFile } from '../../../lib/files/vault/paths.ts'
import { makePdf } from './make-files.ts'

let parser: Parser | null = null
afterEach(() => parser?.close())

const dyingThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id }) => {
      if (id === undefined) throw new Error('too late')
      parentPort.postMessage({ id, outcome: 'skipped', reason: 'the thread has had enough' })
    })
  `)}`,
)

const pdf = { path: 'lease.pdf', bytes: makePdf(['The lease']) }

test('a file that takes too long is given up, and the next one is read', async () => {
  parser = createParser({ ...usualLimits, timeoutMs: 1 })
  const endless = { path: 'a.html', bytes: Buffer.from(`<p>${'<i>x</i>'.repeat(200_000)}`) }

  await expect(parser.parseFile('.html', endless)).rejects.toThrow(/takes longer than .* seconds to read/)
  await parser.close()
  parser = createParser()

  expect(await parser.parseFile('.pdf', pdf)).toMatchObject({ type: 'source_doc' })
})

test('a file that takes too much memory costs its thread, not the process', async () => {
  parser = createParser({ ...usualLimits, heapMb: 24 })
  const heavy = { path: 'a.html', bytes: Buffer.from(`<p>${'<i title="x">x</i>'.repeat(400_000)}`) }

  await expect(parser.parseFile('.html', heavy)).rejects.toThrow(SkippedFile)

  expect(await parser.parseFile('.csv', { path: 'a.csv', bytes: Buffer.from('a,b') })).toMatchObject({
    type: 'page',
  })
})

test('a thread that dies after its answer harms neither the process nor the next file', async () => {
  parser = createParser(usualLimits, dyingThread)

  for (const path of ['a.pdf', 'b.pdf']) {
    const thread = nextThread()
    await expect(parser.parseFile('.pdf', { ...pdf, path })).rejects.toThrow('the thread has had enough')
    const worker = await thread
    const dead = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({})
    await dead
  }
})

test('files that are asked for at once are read one after the other', async () => {
  parser = createParser()

  const titles = await Promise.all(
    ['a.pdf', 'b.pdf', 'c.pdf'].map(
      async (path) => (await parser!.parseFile('.pdf', { ...pdf, path })).title,
    ),
  )

  expect(titles).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
})

const nextThread = () => new Promise<Worker>((resolve) => process.once('worker', resolve))
