// Logseq's references to blocks: `((uuid))` leads to the block that has the line `id:: uuid`, `{{embed ((uuid))}}` and
// `{{embed [[Page]]}}` show it in place.

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const reference = new RegExp(`\\(\\((${uuid})\\)\\)`, 'iy')
const blockLine = new RegExp(`^[ \\t]*(?:[-*+][ \\t]+)?id::[ \\t]*(${uuid})[ \\t]*$`, 'gim')

/** What opens an embed, before its brackets. */
export const embedOpening = '{{embed '

/** The reference that begins at a place. */
export function blockReferenceAt(text: string, at: number): { id: string; end: number } | null {
  reference.lastIndex = at
  const match = reference.exec(text)
  return match ? { id: match[1]!.toLowerCase(), end: at + match[0].length } : null
}

/** The ids that blocks of a text have, in their order. */
export function* blockIds(text: string): Generator<string> {
  if (!text.includes('id::')) return
  for (const match of text.matchAll(blockLine)) yield match[1]!.toLowerCase()
}
