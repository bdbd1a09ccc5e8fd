// The source files and what each imports, read off their syntax trees.

import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

export type Module = {
  /** From the root of the repository: `lib/db/pool.ts`. */
  file: string
  text: string
  /**
   * What it imports, in every form: `import`, `import type`, `export … from`, `import()`, `import('…')` as a type,
   * `require()`, and `new URL('…', import.meta.url)`, which names the file of a worker or a folder to load. Files of the
   * repository by their path (a folder's ends in a slash), packages by their name.
   */
  imports: string[]
  /** Whether it also loads a module whose name is worked out as it runs. */
  computed: boolean
}

const root = new URL('../../', import.meta.url)

/** Every module in these folders, their subfolders included. */
export async function readModules(folders: readonly string[]): Promise<Module[]> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(new URL(`${folder}/`, root), { recursive: true })
      return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`)
    }),
  )
  return await Promise.all(files.flat().toSorted().map(readModule))
}

async function readModule(file: string): Promise<Module> {
  const text = await readFile(new URL(file, root), 'utf8')
  const { names, computed } = importsOf(text)
  return { file, text, imports: [...new Set(names.map((name) => resolveName(file, name)))], computed }
}

const resolveName = (file: string, name: string) =>
  name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : name

/** The names that a text imports, as they are written. */
export function importsOf(text: string): { names: string[]; computed: boolean } {
  const names: string[] = []
  let computed = false

  walk(parseAst(text, { lang: 'ts' }), (node) => {
    const named = nameIn(node)
    if (named === undefined) return
    const name = literal(named)
    if (name === null) computed = true
    else names.push(name)
  })
  return { names, computed }
}

export type Node = { type: string; [field: string]: unknown }

/** The expression that names what a node imports; `undefined` for a node that imports nothing. */
function nameIn(node: Node): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source
    case 'ExportNamedDeclaration':
      return node.source ?? undefined
    case 'CallExpression':
      return isNamed(node.callee, 'require') ? first(node.arguments) : undefined
    case 'NewExpression':
      return isNamed(node.callee, 'URL') && isMetaUrl(node.arguments) ? first(node.arguments) : undefined
    default:
      return undefined
  }
}

const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

const isNamed = (node: unknown, name: string) =>
  isNode(node) && node.type === 'Identifier' && node.name === name

function isMetaUrl(list: unknown): boolean {
  const base: unknown = Array.isArray(list) ? list[1] : undefined
  return isNode(base) && isNode(base.object) && base.object.type === 'MetaProperty'
}

const literal = (node: unknown) =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null

export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit)
  } else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) walk(child, visit)
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
