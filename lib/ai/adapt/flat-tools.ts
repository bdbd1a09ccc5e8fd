// For servers that take no alternatives in a tool's schema, or were not asked: `anyOf` of objects goes out as one object with
// the fields of all, and its description says which belong together.

import { isRecord } from '../../core/record.ts'
import type { CallModel, ModelTool } from '../model.ts'

type Schema = Record<string, unknown>

export function withFlatTools(callModel: CallModel): CallModel {
  return async (request) =>
    await callModel({
      ...request,
      tools: request.tools.map(flattenTool),
      ...(request.withheldTools ? { withheldTools: request.withheldTools.map(flattenTool) } : {}),
    })
}

/** The same object where there is nothing to flatten. */
export function flattenTool(tool: ModelTool): ModelTool {
  const { properties } = tool.input_schema
  if (!isRecord(properties) || !Object.values(properties).some(isUnion)) return tool
  const flat = Object.entries(properties).map(([name, schema]) => [
    name,
    isUnion(schema) ? flatten(schema) : schema,
  ])
  return { ...tool, input_schema: { ...tool.input_schema, properties: Object.fromEntries(flat) } }
}

const isUnion = (schema: unknown): schema is Schema & { anyOf: Schema[] } =>
  isRecord(schema) &&
  Array.isArray(schema.anyOf) &&
  schema.anyOf.every((each) => isRecord(each) && isRecord(each.properties))

function flatten({ anyOf, description, ...rest }: Schema & { anyOf: Schema[] }): Schema {
  const fields = new Map<string, { kind: string; schema: Schema }[]>()
  const lines: string[] = []
  for (const { title = '', required = [], properties, description: note } of anyOf) {
    const names = Object.entries(Object(properties)).filter((entry): entry is [string, Schema] =>
      isRecord(entry[1]),
    )
    const must = Array.isArray(required) ? required : []
    const list = names.map(([name]) => `${name}${must.includes(name) ? '*' : ''}`).join(', ')
    lines.push(`${title}: ${list}${typeof note === 'string' ? ` (${note})` : ''}`)
    for (const [name, schema] of names)
      fields.set(name, [...(fields.get(name) ?? []), { kind: String(title), schema }])
  }
  return {
    ...rest,
    type: 'object',
    description: [description, ...lines].filter(Boolean).join('\n'),
    properties: Object.fromEntries([...fields].map(([name, uses]) => [name, merge(uses)])),
  }
}

/** One schema for a field that several alternatives have. */
function merge(uses: readonly { kind: string; schema: Schema }[]): Schema {
  const [first] = uses
  const same = uses.every(({ schema }) => JSON.stringify(schema) === JSON.stringify(first?.schema))
  if (!first || same) return withoutNull(first?.schema ?? {})
  const values = uses.map(({ kind, schema }) => {
    const options = Array.isArray(schema.enum) ? ` (${schema.enum.join(', ')})` : ''
    return `${kind}: ${schema.description ?? ''}${options}`
  })
  return withoutNull({ type: first.schema.type, description: values.join('; ') })
}

/** Such servers expect one type. */
const withoutNull = ({ type, ...schema }: Schema): Schema => ({
  ...(Array.isArray(type)
    ? { type: type.find((one) => one !== 'null') }
    : type === undefined
      ? {}
      : { type }),
  ...schema,
})
