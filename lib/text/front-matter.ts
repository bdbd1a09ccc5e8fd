import { parseDocument } from 'yaml'

export type FrontMatter = {
  /** The block with its fences and the line break after it; empty when there is none. */
  raw: string
  /** The properties; empty when there are none or the YAML cannot be read. */
  properties: Record<string, unknown>
  /** Why the YAML could not be read. */
  problem: string | null
  /** The text after the block. */
  content: string
}

const block = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?(?:\n|(?![\s\S]))/m

/**
 * Splits a YAML front matter block off a Markdown text. Never throws: unreadable YAML leaves the block in `raw` and
 * says so in `problem`. Aliases in the YAML are bounded, so a small block cannot grow into a large object.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const found = text.startsWith('---') ? block.exec(text) : null
  if (found?.index !== 0) return { raw: '', properties: {}, problem: null, content: text }

  const raw = found[0]
  const content = text.slice(raw.length)
  try {
    const document = parseDocument(found[1] ?? '', {
      schema: 'core',
      prettyErrors: false,
      logLevel: 'silent',
    })
    const error = document.errors[0]
    if (error) return { raw, properties: {}, problem: error.message, content }
    const value: unknown = document.toJS({ maxAliasCount: 50 })
    return { raw, properties: isRecord(value) ? value : {}, problem: null, content }
  } catch (error) {
    return { raw, properties: {}, problem: error instanceof Error ? error.message : String(error), content }
  }
}

/** The names under `alias` or `aliases`, as a list or one string. */
export function aliasesOf(properties: Record<string, unknown>): string[] {
  return [properties.aliases, properties.alias]
    .flat()
    .filter((alias) => typeof alias === 'string' || typeof alias === 'number')
    .map(String)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
