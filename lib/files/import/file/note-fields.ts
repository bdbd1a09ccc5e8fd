import type { Written } from '../../../content/writes/store-entity.ts'
import { logseqNames } from '../../../core/text/links/logseq-names.ts'
import { splitFrontMatter } from '../../../core/text/markdown.ts'
import { lineProperties } from '../../../core/text/properties/line-properties.ts'
import { readProperties } from '../../../core/text/properties/read-properties.ts'

/** The title that a note gives itself, or that Logseq gives it by its path; `null`: it is named after its file. */
export function titleIn(text: string, path: string): string | null {
  const { yaml, content } = splitFrontMatter(text)
  const { title } = readProperties(yaml).properties
  if (typeof title === 'string' && title.trim() !== '') return title
  const isLogseq = /(?:^|\/)(?:pages|journals)\/[^/]+$/i.test(path)
  return lineProperties(content).get('title') || (isLogseq ? (logseqNames(path)[0] ?? null) : null)
}

/** True if a note is a saved web page: clippers write its address as the property `source`. */
export function isClipping(text: string): boolean {
  const { yaml } = splitFrontMatter(text)
  return [readProperties(yaml).properties.source].flat().some((value) => /^https?:\/\//i.test(String(value)))
}

/** When a note was written, as `writeNote` puts it in front matter. */
export function datesIn(text: string): Written | null {
  const { created, updated } = readProperties(splitFrontMatter(text).yaml).properties
  const [created_at, updated_at] = [isoDate(created), isoDate(updated)]
  if (updated_at === null) return created_at === null ? null : { created_at, updated_at: created_at }
  return { created_at: created_at ?? updated_at, updated_at }
}

const isoDate = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null

/** The position among its siblings that a note gives itself. */
export function positionIn(text: string): { position?: number } {
  const { position } = readProperties(splitFrontMatter(text).yaml).properties
  const isPosition =
    typeof position === 'number' && Number.isInteger(position) && Math.abs(position) <= 1_000_000
  return isPosition ? { position } : {}
}
