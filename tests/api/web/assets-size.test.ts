import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const world = await makeWorld(void_)
const url = await listen(void_.app)
/** In bytes, by address: most pages share most of their files. */
const sizes = new Map<string, number>()
const headers = { authorization: `Bearer ${ownerToken}` }

const at = `/s/${world.space.slug}`
const addresses = [
  at,
  '/spaces',
  '/today',
  '/inbox',
  '/search',
  '/activity',
  '/settings',
  `${at}/pages`,
  `${at}/pages/${world.lamp.id}`,
  `${at}/tasks`,
  `${at}/tasks/${world.paint.id}`,
  `${at}/projects/${world.repairs.id}`,
  `${at}/trash`,
]

describe('what a browser has to load before a page is alive', () => {
  test.each(addresses)('at %s is at most 75 kB of script and 15 kB of style, compressed', async (address) => {
    const response = await fetch(url + address, { headers })
    const page = await response.text()

    const scripts = addressesIn(page, /(?:src|href)="(\/assets\/[^"]+\.js)"/g)
    const styles = addressesIn(page, /rel="stylesheet" href="(\/assets\/[^"]+\.css)"/g)

    expect(response.status).toBe(200)
    expect(scripts.length).toBeGreaterThan(1)
    expect(styles.length).toBeGreaterThan(0)
    expect(await compressedKb(scripts)).toBeLessThanOrEqual(75)
    expect(await compressedKb(styles)).toBeLessThanOrEqual(15)
  })
})

const addressesIn = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, found]) => found!)

async function compressedKb(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const size = sizes.get(file) ?? (await compressedSize(file))
    sizes.set(file, size)
    bytes += size
  }
  return bytes / 1000
}

async function compressedSize(file: string): Promise<number> {
  const body = Buffer.from(await (await fetch(url + file)).arrayBuffer())
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}
