import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import { notFound } from '../../core/errors.ts'
import type { Kind } from './kind.ts'

export type Kinds = {
  /** Kinds that are not internal. */
  all: readonly Kind[]
  /** Kinds with passages in the search index. */
  searched: readonly Kind[]
  /** Throws a 404 `AppError` for an unknown kind. */
  get(type: string): Kind
  find(type: string): Kind | undefined
}

/** Indexes kinds by type. Throws on a duplicate type, table or path. */
export function createKinds(all: readonly Kind[]): Kinds {
  const byType = new Map(all.map((kind) => [kind.type, kind]))
  for (const key of ['type', 'table', 'path'] as const) {
    if (new Set(all.map((kind) => kind[key])).size < all.length)
      throw new Error(`duplicate ${key} among kinds`)
  }

  return {
    all: all.filter(({ internal }) => !internal),
    searched: all.filter(({ searched }) => searched),
    find: (type) => byType.get(type),
    get(type) {
      const kind = byType.get(type)
      if (!kind) throw notFound('kind', type)
      return kind
    },
  }
}

/** Segment of a kind in web app URLs. All mail kinds share `mail`; a conversation is no kind, and has one. */
export function segmentOf(kinds: Kinds, type: string): string | undefined {
  if (type === 'conversation') return 'threads'
  return type.startsWith('mail_') ? 'mail' : kinds.find(type)?.path
}

/** Loads the `kind` exported by each file of this folder, in file name order. */
async function loadKinds(): Promise<Kind[]> {
  const files = await readdir(new URL('./', import.meta.url))
  const names = files
    .filter((file) => file.endsWith('.ts') && file !== 'kinds.ts')
    .map((file) => parse(file).name)
  const modules: { kind?: Kind }[] = await Promise.all(
    names.sort().map((name) => import(/* @vite-ignore */ `./${name}.ts`)),
  )
  return modules.flatMap((module) => module.kind ?? [])
}

/** The built-in kinds. */
export const kinds = createKinds(await loadKinds())
