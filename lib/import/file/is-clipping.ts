import { textOf } from '../../entities/kind.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { readProperties } from '../../text/properties/read-properties.ts'
import type { ParsedFile } from './format.ts'

/** Whether a note is a web page that was saved: clippers write its address as the property `source`. */
export function isClipping({ type, fields }: Pick<ParsedFile, 'type' | 'fields'>): boolean {
  if (type !== 'page') return false
  const { yaml } = splitFrontMatter(textOf(fields.body))
  return [readProperties(yaml).properties.source].flat().some((value) => /^https?:\/\//i.test(String(value)))
}
