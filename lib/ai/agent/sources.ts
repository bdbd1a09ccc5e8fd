// How a passage is named in what the model is given, and read back out of its citations:
// `void://page/0190…` is a whole text, `void://page/0190…#3` its passage with ordinal 3.

export type Source = { entity_type: string; entity_id: string; ordinal: number | null }

export function formatSource({ entity_type, entity_id, ordinal }: Source): string {
  return `void://${entity_type}/${entity_id}${ordinal === null ? '' : `#${ordinal}`}`
}

/** `null` for anything this server did not name: a model may write what it likes. */
export function parseSource(source: string): Source | null {
  const found = /^void:\/\/([a-z_]{1,40})\/([0-9a-f-]{36})(?:#(\d{1,9}))?$/.exec(source)
  if (!found) return null
  return {
    entity_type: found[1]!,
    entity_id: found[2]!,
    ordinal: found[3] === undefined ? null : Number(found[3]),
  }
}

/** What a Space holds besides its entities: for the owner and the companion, and for no agent from outside. */
export const ownTypes: readonly string[] = ['conversation', 'mail_message']
