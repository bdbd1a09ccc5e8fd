import type { ContentBlock, ModelMessage, ModelRequest } from '../model.ts'
import { type Answer, failure, readAnswer } from './answers.ts'
import { type Call, keyOf } from './plan.ts'

export type Conversation = {
  /** What the owner said last. */
  asked: string
  /** The answer to a call made since then; an error for one that cannot be made; `undefined` when it can. */
  answerOf: (call: Call) => Answer | undefined
}

type Located = { block: ContentBlock; role: ModelMessage['role'] }

/** Reads the state of a turn out of the messages of a request. */
export function readConversation({ messages, tools }: ModelRequest): Conversation {
  const blocks = messages.flatMap(toBlocks)
  // Called for a last word without tools, the runtime says so in a text after the results; the owner said no such thing.
  const lastWord = tools.length === 0 && blocks.at(-2)?.block.type === 'tool_result' ? -1 : blocks.length
  const said = blocks.slice(0, lastWord).flatMap(({ block, role }, at) => {
    const text = role === 'user' && block.type === 'text' && 'text' in block ? String(block.text) : ''
    return text.trim() === '' ? [] : [{ text, at }]
  })
  const last = said.at(-1)
  const answers = answersSince(blocks, last?.at ?? 0)
  const offered = new Set(tools.map(({ name }) => name))

  return {
    asked: last?.text ?? '',
    answerOf(call) {
      const answer = answers.get(keyOf(call))
      if (answer || offered.has(call.name)) return answer
      return failure(
        offered.size === 0
          ? 'The tool calls of this turn were used up before I came to this.'
          : `I am not allowed to use the tool ${call.name} here.`,
      )
    },
  }
}

function toBlocks({ role, content }: ModelMessage): Located[] {
  if (typeof content === 'string') return [{ role, block: { type: 'text', text: content } }]
  return content.map((block) => ({ role, block }))
}

/** Answers by call. Search results are counted from the very first message on, as citations number them. */
function answersSince(blocks: Located[], from: number): Map<string, Answer> {
  const calls = new Map<string, string>()
  const answers = new Map<string, Answer>()
  let counted = 0

  for (const [at, { block }] of blocks.entries()) {
    if (block.type === 'search_result') counted += 1
    if (block.type === 'tool_use' && 'id' in block && 'name' in block && at > from) {
      const input: unknown = 'input' in block ? block.input : {}
      calls.set(String(block.id), keyOf({ name: String(block.name), input }))
    }
    if (block.type !== 'tool_result' || !('tool_use_id' in block)) continue
    const isError = 'is_error' in block && block.is_error === true
    const answer = readAnswer('content' in block ? block.content : '', isError, () => counted++)
    const key = calls.get(String(block.tool_use_id))
    if (key !== undefined) answers.set(key, answer)
  }
  return answers
}
