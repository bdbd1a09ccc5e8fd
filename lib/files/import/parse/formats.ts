import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import type { Format } from '../file/format.ts'
import type { Notebook } from '../file/notebook.ts'

export type Formats = ReadonlyMap<string, Format>

/** The formats defined in formats/, by extension. Throws if two claim the same one. */
async function loadFormats(): Promise<Formats> {
  const names = await namesIn('../formats/')
  const modules: { format?: Format }[] = await Promise.all(
    names.map((name) => import(`../formats/${name}.ts`)),
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

/** The notebooks defined in notebooks/, by extension: several may share one, and each recognizes its own. */
async function loadNotebooks(): Promise<ReadonlyMap<string, readonly Notebook[]>> {
  const names = await namesIn('../notebooks/')
  const modules: { notebook?: Notebook }[] = await Promise.all(
    names.map((name) => import(`../notebooks/${name}.ts`)),
  )
  const all = modules.flatMap((module) => module.notebook ?? [])
  const extensions = new Set(all.flatMap((notebook) => notebook.extensions))
  return new Map(
    [...extensions].map((extension) => [
      extension,
      all.filter((each) => each.extensions.includes(extension)),
    ]),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(new URL(folder, import.meta.url))
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => parse(file).name)
    .sort()
}

let loaded: Promise<Formats> | null = null
let loadedNotebooks: ReturnType<typeof loadNotebooks> | null = null

/** Void's own formats, loaded with the first import: their parsers take 30 MB. */
export function ownFormats(): Promise<Formats> {
  loaded ??= loadFormats()
  return loaded
}

export function ownNotebooks(): ReturnType<typeof loadNotebooks> {
  loadedNotebooks ??= loadNotebooks()
  return loadedNotebooks
}
