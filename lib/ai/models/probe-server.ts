// Finds out what a server and its model take, with at most nine small calls. Each has an answer that only who read the
// material can give; that a request was not refused says nothing, because servers drop what they don't know. What they
// refuse by name is learned on the way.

import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { type Abilities, takesThinking, unknownAbilities } from '../adapt/abilities.ts'
import { adaptTo } from '../adapt/adapt-to.ts'
import {
  type CallModel,
  type ContentBlock,
  ModelError,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
} from '../model.ts'
import { type PromptName, prompts } from '../prompts/prompts.ts'
import type { WireName } from '../wires/wire.ts'

const system = prompts.probe.text

const readNote: ModelTool = {
  name: 'read_note',
  description: 'Read a note by its name.',
  input_schema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name of the note' } },
    required: ['name'],
  },
}

export type ProbeOptions = {
  wire: WireName
  signal: AbortSignal
  /** Default: it does not. */
  countsTokens?: (request: ModelRequest) => Promise<boolean>
}

/** Room for a model that thinks before it answers. */
const maxTokens = 4000

/** Rejects as `callModel` does when the server cannot be asked at all. Only the Messages API has blocks for passages. */
export async function probeServer(
  callModel: CallModel,
  { wire, signal, countsTokens = async () => false }: ProbeOptions,
): Promise<Abilities> {
  let found: Abilities = { ...unknownAbilities, blocks: wire === 'messages' }
  const learn = async (more: Partial<Abilities>) => {
    found = { ...found, ...more }
  }
  const call = adaptTo(callModel, { wire, abilities: () => found, learn })
  const ask = (messages: ModelMessage[], tools: ModelTool[], more: Partial<ModelRequest> = {}) =>
    call({ system, messages, tools, maxTokens, signal, ...more })

  const blocks = found.blocks && (await readsNote()) && found.blocks
  await learn({ blocks })
  const tools = blocks || (await readsNote())
  if (tools) {
    await learn({
      tools,
      several: await callsTwo(),
      toolChoice: await callsNone(),
      manyTools: await callsOfMany(),
    })
  } else await learn({ tools, several: false })
  await learn({ images: await seesBlue() })
  await learn({ unions: true })
  await learn({ unions: await registersBoat() })
  await learn({ thinks: await thinks() })
  return { ...found, countsTokens: await countsTokens({ system, messages: [askForColor], tools: [] }) }

  async function readsNote(): Promise<boolean> {
    const word = newWord()
    return await unlessRefused(
      ask(noteMessages(word), [readNote]).then(({ text }) => text.toLowerCase().includes(word)),
    )
  }

  async function callsTwo(): Promise<boolean> {
    return await unlessRefused(ask([askForTwo], [readNote]).then(({ toolUses }) => toolUses.length > 1))
  }

  /** The call that it is asked for, while it is told to call none. */
  async function callsNone(): Promise<boolean> {
    const answer = ask([askForOne], [], { withheldTools: [readNote] })
    const isNone = await unlessRefused(answer.then(({ toolUses }) => toolUses.length === 0))
    return isNone && found.toolChoice !== false
  }

  async function callsOfMany(): Promise<boolean> {
    const answer = ask([askForOne], [...otherTools, readNote])
    return await unlessRefused(answer.then(({ toolUses }) => toolUses[0]?.name === readNote.name))
  }

  async function registersBoat(): Promise<boolean> {
    const answer = ask([askForBoat], [registerVessel])
    return await unlessRefused(answer.then(({ toolUses }) => toolUses.some(({ input }) => isBoat(input))))
  }

  async function seesBlue(): Promise<boolean> {
    const { content } = askForColor
    const message = { role: 'user' as const, content: [blueSquare, { type: 'text', text: String(content) }] }
    const isBlue = await unlessRefused(ask([message], []).then(({ text }) => /blue/i.test(text)))
    return isBlue && found.images !== false
  }

  /** `null`: it was not refused, and nothing was seen of it. */
  async function thinks(): Promise<boolean | null> {
    let hasThought = false
    const onThinkingDelta = () => {
      hasThought = true
    }
    const answer = ask([askForSum], [], { thinking: 'low', onThinkingDelta })
    const isTaken = await unlessRefused(answer.then(() => true))
    if (!isTaken || takesThinking(found, wire) === false) return false
    return hasThought || null
  }
}

/** A refusal of this request says that the server does not take it. */
async function unlessRefused(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ModelError && refusals.has(error.code)) return false
    throw error
  }
}

const refusals = new Set(['model_bad_request', 'model_failed'])

const question = (name: PromptName) => ({ role: 'user' as const, content: prompts[name].text })

const askForOne = question('probe-one')
const askForTwo = question('probe-two')
const askForBoat = question('probe-boat')
const askForColor = question('probe-color')
const askForSum = question('probe-sum')

/** The alternatives hold what the question does not name: only who is given them can use these fields. */
const registerVessel: ModelTool = {
  name: 'register_vessel',
  description: 'Register a vessel.',
  input_schema: {
    type: 'object',
    properties: {
      vessel: {
        anyOf: [
          {
            title: 'boat',
            type: 'object',
            properties: { boat_title: { type: 'string' }, sail_no: { type: 'integer' } },
            required: ['boat_title', 'sail_no'],
          },
          {
            title: 'raft',
            type: 'object',
            properties: { raft_title: { type: 'string' } },
            required: ['raft_title'],
          },
        ],
      },
    },
    required: ['vessel'],
  },
}

const boat = z.object({ vessel: z.object({ boat_title: z.string(), sail_no: z.number() }) })
const isBoat = (input: unknown): boolean => boat.safeParse(input).success

/** As many as a companion has, and about as long. */
const otherTools: ModelTool[] = [
  ...['boat', 'buoy', 'chart', 'crew', 'dock', 'engine', 'flag', 'harbor', 'lamp', 'sail', 'tide'],
].map((thing) => ({
  name: `list_${thing}s`,
  description:
    `List the ${thing}s that the register of the harbor has, newest first. Use it when somebody asks how many there ` +
    `are, which of them are due, or who looks after one. It gives a line for each ${thing}, with its name and date.`,
  input_schema: {
    type: 'object',
    properties: {
      from: { type: 'string', description: `First day of the ${thing}s, as YYYY-MM-DD` },
      to: { type: 'string', description: 'Last day, as YYYY-MM-DD' },
      limit: { type: 'integer', description: `Most ${thing}s to list`, minimum: 1, maximum: 50 },
    },
  },
}))

const newWord = () => `kestrel${randomInt(100_000, 1_000_000)}`

const noteMessages = (word: string): ModelMessage[] => [
  question('probe-harbor'),
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'call_1', name: readNote.name, input: { name: 'harbor' } }],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [
          {
            type: 'search_result',
            source: 'void://page/00000000-0000-7000-8000-000000000000',
            title: 'harbor',
            content: [{ type: 'text', text: `The password is ${word}.` }],
            citations: { enabled: true },
          },
        ],
      },
    ],
  },
]

/** 16 × 16 pixels of #0000ff. */
const blueSquare: ContentBlock = {
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFUlEQVR42mNgYPhPIhrVMKph2GoAAJLb/wHQPqPSAAAAAElFTkSuQmCC',
  },
}
