import { z } from 'zod'
import { SkippedFile } from '../../vault/paths.ts'
import type { FileBytes } from '../file/format.ts'
import {
  asBytes,
  createNoteNames,
  isoTime,
  type Notebook,
  type UnpackedFile,
  writeNote,
} from '../file/notebook.ts'

/** The JSON of Roam Research: each page as a list, its references to blocks as links to them. */
export const notebook: Notebook = { extensions: ['.json'], recognizes, unpack }

const maxBlocks = 1_000_000
const maxDepth = 100
const maxLabel = 60

type Block = {
  string: string
  uid?: string | undefined
  heading?: number | null | undefined
  children?: unknown[] | undefined
}

const Block = z.object({
  string: z.string(),
  uid: z.string().optional(),
  heading: z.number().nullish(),
  children: z.array(z.unknown()).optional(),
})
const Page = z.object({
  title: z.string(),
  uid: z.string().optional(),
  children: z.array(z.unknown()).optional(),
  'create-time': z.number().optional(),
  'edit-time': z.number().optional(),
})

/** Far enough for the title of the first page, which may stand behind its blocks. */
const maxLookahead = 1024 * 1024

function recognizes(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('utf8')
  if (!/^\uFEFF?\s*\[\s*\{/.test(start) || !/"(?:children|create-time|edit-time)"\s*:/.test(start))
    return false
  return Buffer.from(bytes.subarray(0, maxLookahead)).includes('"title"')
}

function unpack({ bytes }: FileBytes): UnpackedFile[] {
  const pages = readPages(bytes)
  const nameOf = createNoteNames()
  const named = pages.map((page) => {
    const path = nameOf('', page.title, '.md')
    return { page, path, name: path.slice(0, -'.md'.length) }
  })
  const blocks = new Map<string, { name: string; text: string }>()
  const referred = new Set<string>()
  let count = 0
  for (const { page, name } of named) {
    walk(page.children, 0, (block) => {
      if (++count > maxBlocks) throw new SkippedFile(`it has more than ${maxBlocks} blocks`)
      if (block.uid) blocks.set(block.uid, { name, text: block.string })
      for (const [, uid = ''] of block.string.matchAll(reference)) referred.add(uid)
    })
  }
  return named.map(({ page, path, name }) => {
    const lines: string[] = []
    walk(page.children, 0, (block, depth) => lines.push(...writeBlock(block, depth)))
    const properties = {
      title: name === page.title ? null : page.title,
      created: isoTime(page['create-time']),
      updated: isoTime(page['edit-time']),
    }
    return { path, bytes: asBytes(writeNote(properties, lines.join('\n'))) }
  })

  function writeBlock({ string, uid, heading }: Block, depth: number): string[] {
    const mark = uid && referred.has(uid) ? ` ^${uid}` : ''
    const [first = '', ...rest] = asMarkdown(string, (id, label, embed) => blockLink(id, label, embed)).split(
      '\n',
    )
    const indent = '  '.repeat(depth)
    const sign = heading && heading >= 1 && heading <= 3 ? `${'#'.repeat(heading)} ` : ''
    const lines = [
      `${indent}- ${sign}${first}`,
      ...rest.map((line) => (line === '' ? '' : `${indent}  ${line}`)),
    ]
    // Behind a fence the mark would be a part of it.
    const last = lines.pop() ?? ''
    return /^\s*```/.test(last) && mark
      ? [...lines, last, '', `${indent}  ${mark.trim()}`]
      : [...lines, last + mark]
  }

  function blockLink(uid: string, label: string, embed: boolean): string | null {
    const block = blocks.get(uid)
    if (!block) return null
    if (embed) return `![[${block.name}#^${uid}]]`
    const shown =
      label ||
      block.text
        .replace(/\{\{[^{}]*\}\}|__|\*\*|\^\^/g, '')
        .replace(/[[\]|#^(){}`\n]+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, maxLabel)
    return `[[${block.name}#^${uid}|${shown.trim() || block.name}]]`
  }
}

function readPages(bytes: Uint8Array): z.output<typeof Page>[] {
  try {
    const all: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(all) ? all.flatMap((one) => Page.safeParse(one).data ?? []) : []
  } catch (error) {
    throw new SkippedFile(
      `it is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
    )
  }
}

function walk(
  children: readonly unknown[] | undefined,
  depth: number,
  visit: (block: Block, depth: number) => void,
): void {
  if (depth > maxDepth) throw new SkippedFile('it is nested too deeply to be read')
  for (const child of children ?? []) {
    const block = Block.safeParse(child).data
    if (!block) continue
    visit(block, depth)
    walk(block.children, depth + 1, visit)
  }
}

const reference = /\(\(([\w-]{4,40})\)\)/g

type BlockLink = (uid: string, label: string, embed: boolean) => string | null

/** Roam's own signs as those of Markdown, outside of code. */
function asMarkdown(text: string, link: BlockLink): string {
  return text
    .split(/(```[\s\S]*?(?:```|$)|`[^`]*`)/)
    .map((part, index) => {
      if (index % 2 === 1) return part.startsWith('```') ? part.replace(/([^\n])```$/, '$1\n```') : part
      return part
        .replace(/^\s*\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}\s*/, (_, state: string) =>
          state === 'DONE' ? '[x] ' : '[ ] ',
        )
        .replace(
          /\{\{(?:\[\[)?embed(?:-path|-children)?(?:\]\])?:\s*\(\(([\w-]{4,40})\)\)\s*\}\}/gi,
          (whole, uid: string) => link(uid, '', true) ?? whole,
        )
        .replace(/\{\{(?:\[\[)?embed(?:\]\])?:\s*(\[\[[^[\]\n]+\]\])\s*\}\}/gi, '!$1')
        .replace(
          /\[([^[\]\n]*)\]\(\(\(([\w-]{4,40})\)\)\)/g,
          (whole, label: string, uid: string) => link(uid, label, false) ?? whole,
        )
        .replace(/\[([^[\]\n]*)\]\(\[\[([^[\]\n|]+)\]\]\)/g, '[[$2|$1]]')
        .replace(reference, (whole, uid: string) => link(uid, '', false) ?? whole)
        .replace(/\^\^([^^\n]+)\^\^/g, '==$1==')
        .replace(/(?<![\w_])__([^_\n]+)__(?![\w_])/g, '*$1*')
        .replace(/#\[\[([\w-]+)\]\]/g, '#$1')
    })
    .join('')
}
