// A Word document is XML, and XML can ask its reader for files, addresses and texts without end.

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDocx } from './make-files.ts'
import { importWorld } from './vault.ts'

const { bringIn, named } = await importWorld()

test('entities of a Word document bring in no file, no address and no text without end', async () => {
  const secret = join(tmpdir(), `void-entity-${process.pid}.txt`)
  await writeFile(secret, 'the-secret-of-the-file')
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    response.end('the-secret-of-the-address')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const levels = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  )
  const doctypes = {
    'file.docx': `<!DOCTYPE w [<!ENTITY x SYSTEM "file://${secret}">]>`,
    'address.docx': `<!DOCTYPE w SYSTEM "http://127.0.0.1:${port}/dtd" [<!ENTITY x SYSTEM "http://127.0.0.1:${port}/x">]>`,
    'laughs.docx': `<!DOCTYPE w [<!ENTITY l0 "ha">${levels}<!ENTITY x "&l12;">]>`,
  }

  const files: Record<string, Uint8Array> = {}
  for (const [name, doctype] of Object.entries(doctypes)) {
    files[name] = await makeDocx(['# The plan', 'It says [entity].'], [], doctype)
  }
  await bringIn(files)
  await new Promise((resolve) => server.close(resolve))

  const texts = await Promise.all(
    Object.keys(files).map(async (name) => String((await named(name, 'source_doc')).text)),
  )
  expect(texts.join('\n')).not.toMatch(/the-secret/)
  expect(texts.join('').length).toBeLessThan(2000)
  expect(asked).toEqual([])
})
