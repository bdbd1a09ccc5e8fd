import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import type { Format } from '../file/format.ts'

export type Formats = ReadonlyMap<string, Format>

/** The formats defined in formats/, by extension. Throws if two claim the same one. */
async function loadFormats(): Promise<Formats> {
  const files = await readdir(new URL('../formats/', import.meta.url))
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => parse(file).name)
  const modules: { format?: Format }[] = await Promise.all(
    names.sort().map((name) => import(`../formats/${name}.ts`)),
  )
  const byExtension = new Map<string, Format>()

  for (const format of modules.flatMap((module) => module.format ?? [])) {
    for (const extension of format.extensions) {
      if (byExtension.has(extension)) throw new Error(`two formats claim ${extension}`)
      byExtension.set(extension, format)
    }
  }
  return byExtension
}

let loaded: Promise<Formats> | null = null

/** Void's own formats, loaded with the first import: their parsers take 30 MB. */
export function ownFormats(): Promise<Formats> {
  loaded ??= loadFormats()
  return loaded
}
