import type { Provenance } from '../../contract/changes/provenance.ts'

/**
 * Of a draft that builds on an earlier one: what either was made from. Nothing that an agent does later makes an
 * untrusted source a clean one. The quotes are those of the new text.
 */
export function inheritProvenance(fresh: Provenance, earlier: Provenance): Provenance {
  const known = new Set(fresh.sources.map(keyOf))
  const passages = new Set(fresh.passages.map(({ text, ...place }) => `${keyOf(place)} ${text}`))
  return {
    known: fresh.known && earlier.known,
    sources: [...fresh.sources, ...earlier.sources.filter((source) => !known.has(keyOf(source)))],
    more: Math.max(fresh.more, earlier.more),
    passages: [
      ...fresh.passages,
      ...earlier.passages.filter(({ text, ...place }) => !passages.has(`${keyOf(place)} ${text}`)),
    ],
    quotes: fresh.quotes,
  }
}

const keyOf = ({ entity_type, entity_id }: { entity_type: string; entity_id: string }) =>
  `${entity_type} ${entity_id}`
