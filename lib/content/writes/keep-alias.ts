import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { addAlias } from '../../core/text/properties/read-properties.ts'

/** The fields of an update that changes a title, with the old title as an alias in the text. */
export function withOldTitle(
  kind: Kind,
  row: EntityRow,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const old = titleOf(row)
  if (fields.title === undefined || fields.title === old) return fields
  const text = textOf(fields[kind.bodyField] ?? row[kind.bodyField])
  return { ...fields, [kind.bodyField]: addAlias(text, old) }
}
