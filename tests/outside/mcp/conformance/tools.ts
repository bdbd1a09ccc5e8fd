// The tools that the scenarios of the conformance suite call, by the names that it gives them.

import { setImmediate } from 'node:timers/promises'
import {
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { embedded, image, text, wav } from './content.ts'
import { askFor, declares, form, responsesOf, sample, sampledText } from './input.ts'
import { inputTools } from './input-tools.ts'

export type FixtureTool = (
  args: Record<string, unknown>,
  ctx: ServerContext,
) => Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult

type Events = { toolsChanged: () => void; promptsChanged: () => void }

const said = (words: string): CallToolResult => ({ content: [text(words)] })

/** Asks the client to fill a form and says what came of it. */
const elicit =
  (request: (args: Record<string, unknown>) => ReturnType<typeof form>): FixtureTool =>
  (args, ctx) => {
    const { answer } = responsesOf(ctx) as { answer?: { action: string; content?: unknown } }
    if (!answer) return askFor({ answer: request(args) })
    return said(
      `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
    )
  }

export const createTools = ({ toolsChanged, promptsChanged }: Events): Record<string, FixtureTool> => ({
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  json_schema_2020_12_tool: () => said('valid'),

  async test_tool_with_logging(_args, { mcpReq }) {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', step)
      await setImmediate()
    }
    return said('logged')
  },
  async test_logging_tool(_args, { mcpReq }) {
    await mcpReq.log('info', 'only for whoever asked')
    return said('logged')
  },
  async test_tool_with_progress(_args, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
      await setImmediate()
    }
    return said('done')
  },

  test_sampling(args, ctx) {
    const { answer } = responsesOf(ctx)
    return answer
      ? said(`LLM response: ${sampledText(answer)}`)
      : askFor({ answer: sample(String(args.prompt)) })
  },
  test_elicitation: elicit(({ message }) =>
    form(
      String(message),
      {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      ['username', 'email'],
    ),
  ),
  test_elicitation_sep1034_defaults: elicit(() => form('Defaults', defaultsOfEachKind)),
  test_elicitation_sep1330_enums: elicit(() => form('Choices', enumsOfEachKind)),
  test_streaming_elicitation: elicit(() => form('While it streams', { ok: { type: 'boolean' } })),

  test_missing_capability(_args, ctx) {
    if (!declares(ctx, 'sampling'))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return said('sampling is there')
  },
  test_trigger_tool_change() {
    toolsChanged()
    return said('told')
  },
  test_trigger_prompt_change() {
    promptsChanged()
    return said('told')
  },
  ...inputTools,
})

const defaultsOfEachKind = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const named = (...names: [value: string, title: string][]) =>
  names.map(([value, title]) => ({ const: value, title }))

const enumsOfEachKind = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: named(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']),
  },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: {
    type: 'array',
    items: {
      anyOf: named(['value1', 'First Choice'], ['value2', 'Second Choice'], ['value3', 'Third Choice']),
    },
  },
}

const anything = { type: 'object' as const }
const schemas: Record<string, Tool['inputSchema']> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
}

/** Tools by name as the protocol lists them. */
export const listed = (names: readonly string[]): Tool[] =>
  names.map((name) => ({
    name,
    description: `For the scenario of ${name}`,
    inputSchema: schemas[name] ?? anything,
  }))
