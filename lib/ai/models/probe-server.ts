// Finds out what a server and its model take, with four small calls. Each has an answer that only who read the
// material can give; that a request was not refused says nothing, because servers drop what they don't know.

import { randomInt } from 'node:crypto'
import type { Abilities } from '../adapt/abilities.ts'
import { withSourcesAsText } from '../adapt/sources-as-text.ts'
import { type CallModel, type ContentBlock, ModelError, type ModelMessage, type ModelTool } from '../model.ts'
import type { WireName } from '../wires/wire.ts'

const system = 'You are being tested. Answer each question in as few words as possible.'

const readNote: ModelTool = {
  name: 'read_note',
  description: 'Read a note by its name.',
  input_schema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name of the note' } },
    required: ['name'],
  },
}

/** Rejects as `callModel` does when the server cannot be asked at all. Only the Messages API has blocks for passages. */
export async function probeServer(
  callModel: CallModel,
  wire: WireName,
  signal: AbortSignal,
): Promise<Abilities> {
  const ask = (messages: ModelMessage[], tools: ModelTool[], call = callModel) =>
    call({ system, messages, tools, maxTokens: 1000, signal })
  const readsNote = async (call?: CallModel) => {
    const word = newWord()
    const { text } = await ask(noteMessages(word), [readNote], call)
    return text.toLowerCase().includes(word)
  }

  const blocks = wire === 'messages' && (await unlessRefused(readsNote()))
  const tools = blocks || (await unlessRefused(readsNote(withSourcesAsText(callModel))))
  const several = await unlessRefused(
    ask([{ role: 'user', content: askForTwo }], [readNote]).then(({ toolUses }) => toolUses.length > 1),
  )
  const images = await unlessRefused(
    ask([{ role: 'user', content: [blueSquare, { type: 'text', text: askForColor }] }], []).then(({ text }) =>
      /blue/i.test(text),
    ),
  )
  return { blocks, tools, several, images }
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

const askForTwo =
  'Call read_note for the note "north" and for the note "south", both now, in one message. Say nothing else.'
const askForColor = 'Which color is this square? Answer with one word.'

const newWord = () => `kestrel${randomInt(100_000, 1_000_000)}`

const noteMessages = (word: string): ModelMessage[] => [
  { role: 'user', content: 'What is the password in the note "harbor"? Answer with the password alone.' },
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
