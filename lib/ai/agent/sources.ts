// The name of a passage, as the model reads it and cites it: `void://page/0190…` is a whole text, `void://page/0190…#3` its
// passage with ordinal 3.

export type Source = { entity_type: string; entity_id: string; ordinal: number | null }

export function formatSource({ entity_type, entity_id, ordinal }: Source): string {
  return `void://${entity_type}/${entity_id}${ordinal === null ? '' : `#${ordinal}`}`
}

/** `null` for anything else, because a model may write any string. */
export function parseSource(source: string): Source | null {
  const match = /^void:\/\/([a-z_]{1,40})\/([0-9a-f-]{36})(?:#(\d{1,9}))?$/.exec(source)
  if (!match) return null
  return {
    entity_type: match[1]!,
    entity_id: match[2]!,
    ordinal: match[3] === undefined ? null : Number(match[3]),
  }
}

/** Types besides the entities that the owner and the companion can read, but no outside agent. */
export const ownTypes: readonly string[] = ['conversation', 'mail_message']
