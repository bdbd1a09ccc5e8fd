// One script over both wires: a client of the fake server, and a scripted model that answers through it.

import { allAbilities } from '../../lib/ai/adapt/abilities.ts'
import { adaptTo } from '../../lib/ai/adapt/adapt-to.ts'
import type { CallModel, ContentBlock } from '../../lib/ai/model.ts'
import {
  type CallModelOptions,
  createModelClient,
  type ModelClientOptions,
  makeCallModel,
} from '../../lib/ai/wires/call-model.ts'
import { chatWire } from '../../lib/ai/wires/chat-completions.ts'
import { messagesWire } from '../../lib/ai/wires/messages.ts'
import type { WireName } from '../../lib/ai/wires/wire.ts'
import { type FakeAnthropic, type FakeMessage, startFakeAnthropic } from './fake-anthropic.ts'
import { type Block, message, rawToolUse, text, toolUse } from './fake-messages.ts'
import { type ScriptedModel, type ScriptedStep, scriptedModel } from './scripted-model.ts'

export const wireNames = ['messages', 'chat'] as const

export const clientOver = (wire: WireName, options: Omit<ModelClientOptions, 'wire'>) =>
  createModelClient({ ...options, wire: wire === 'chat' ? chatWire : messagesWire })

type ModelOptions = Omit<CallModelOptions, 'client' | 'model' | 'maxTokens'> &
  Partial<Pick<CallModelOptions, 'model' | 'maxTokens'>> &
  Partial<Pick<ModelClientOptions, 'apiKey' | 'maxRetries'>>

/** The model behind the fake, with a request made for its wire as a connected one has. */
export function modelOver(wire: WireName, fake: FakeAnthropic, options: ModelOptions = {}): CallModel {
  const { apiKey = 'sk-test', maxRetries = 0, model = 'test-model', maxTokens = 1000, ...more } = options
  const client = clientOver(wire, { apiKey, baseURL: fake.url, maxRetries })
  let abilities = { ...allAbilities, blocks: wire === 'messages' }
  return adaptTo(makeCallModel({ client, model, maxTokens, ...more }), {
    wire,
    abilities: () => abilities,
    learn: async (found) => {
      abilities = { ...abilities, ...found }
    },
  })
}

type Script = Parameters<typeof scriptedModel>[0]

/** Who answers a script: the function itself, or a server over a wire. */
export const scriptedOver: readonly (readonly [string, (steps: Script) => ScriptedModel])[] = [
  ['directly', scriptedModel],
  ...wireNames.map((wire) => [`over ${wire}`, (steps: Script) => scriptedServer(wire, steps)] as const),
]

let server: Promise<FakeAnthropic> | null = null
const waiting = new Map<string, FakeMessage>()
let scripts = 0

/** One server for all scripts, which knows them by their keys. */
const startServer = () =>
  startFakeAnthropic(
    [
      ({ headers }) => {
        const key = String(headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', ''))
        return waiting.get(key) ?? { status: 500, type: 'api_error', message: 'No script' }
      },
    ],
    { repeatLast: true },
  )

function scriptedServer(wire: WireName, steps: Script): ScriptedModel {
  scripts += 1
  const apiKey = `script-${scripts}`
  const requests: ScriptedModel['requests'] = []
  const callModel: CallModel = async (request) => {
    const call = requests.push({ ...request, messages: structuredClone(request.messages) })
    const scripted = steps[call - 1]
    if (!scripted) throw new Error(`The script has ${steps.length} steps and was asked for step ${call}`)
    const step = typeof scripted === 'function' ? await scripted(request, call) : scripted
    server ??= startServer()
    waiting.set(apiKey, toMessage(step, call))
    for (const status of step.status ?? []) request.onStatus?.(status)
    const response = await modelOver(wire, await server, { apiKey, maxOverloadRetries: 0 })(request)
    if (step.error !== undefined) throw step.error
    return response
  }
  return Object.assign(callModel, { requests })
}

function toMessage(step: ScriptedStep, call: number): FakeMessage {
  const { before = [], tools = [], deltas = 2, stopReason, hang } = step
  const blocks = [
    ...(step.thinking ? [thought(step.thinking)] : []),
    ...before.map(toBlock),
    ...(step.text ? [text(step.text, { deltas })] : []),
    ...tools.map(({ name, input, ...given }, n) => {
      const id = given.id ?? `toolu_${call}_${n + 1}`
      return typeof input === 'string' ? rawToolUse(name, input, { id }) : toolUse(name, input, { id })
    }),
  ]
  const events = blocks.reduce((count, block) => count + block.deltas.length + 2, 2)
  return message(blocks, {
    usage: { input_tokens: 10, output_tokens: 5, ...step.usage },
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(hang ? { silentAfter: events } : {}),
  })
}

const thought = (thinking: string): Block => ({
  block: { type: 'thinking', thinking: '', signature: '' },
  deltas: [{ type: 'thinking_delta', thinking }],
})

function toBlock(block: ContentBlock): Block {
  if (block.type === 'text') return text(String(Reflect.get(block, 'text')))
  if (block.type === 'thinking')
    return {
      block: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: Reflect.get(block, 'thinking') },
        { type: 'signature_delta', signature: Reflect.get(block, 'signature') },
      ],
    }
  return { block: { ...block }, deltas: [] }
}
