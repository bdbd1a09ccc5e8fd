// Exports of ChatGPT and Claude as their archives hold them, made small.

type GptNode = { id: string; parent: string | null; role?: string; text?: string; at?: number; more?: object }

const gptNode = ({ id, parent, role, text = '', at = 1_700_000_000, more = {} }: GptNode) => ({
  id,
  parent,
  children: [],
  message: role
    ? {
        id,
        author: { role },
        create_time: at,
        content: { content_type: 'text', parts: [text] },
        metadata: {},
        ...more,
      }
    : null,
})

export function gptConversation(
  { id, title, current }: { id: string; title: string; current?: string },
  nodes: readonly GptNode[],
) {
  return {
    conversation_id: id,
    title,
    create_time: 1_700_000_000.5,
    update_time: 1_700_000_100,
    current_node: current ?? nodes.at(-1)!.id,
    mapping: Object.fromEntries(nodes.map((node) => [node.id, gptNode(node)])),
  }
}

export const claudeConversation = (uuid: string, name: string, messages: readonly object[]) => ({
  uuid,
  name,
  created_at: '2025-03-01T10:00:00.000000Z',
  updated_at: '2025-03-01T11:00:00.000000Z',
  account: { uuid: 'someone' },
  chat_messages: messages,
})

/** Two questions, the second one asked in two versions, an attachment, and what is not shown. */
export const lampChat = gptConversation({ id: 'gpt-lamp', title: 'Lamp oil', current: 'a2' }, [
  { id: 'root', parent: null },
  { id: 'sys', parent: 'root', role: 'system', text: 'You are helpful.' },
  {
    ...{ id: 'q1', parent: 'sys', role: 'user', text: 'How much oil does the lamp burn?' },
    more: { metadata: { attachments: [{ id: 'f', name: 'lamp manual.pdf' }] } },
  },
  { id: 'a1', parent: 'q1', role: 'assistant', text: 'Forty litres in a winter.' },
  { id: 'q2', parent: 'a1', role: 'user', text: 'And in a year?', at: 1_700_000_050 },
  {
    id: 'a2',
    parent: 'q2',
    role: 'assistant',
    text: 'Ninety\u{e200}cite\u{e202}turn0\u{e201} litres.',
    at: 1_700_000_060,
  },
  { id: 'q2b', parent: 'a1', role: 'user', text: 'And which wick?', at: 1_700_000_070 },
  { id: 'a2b', parent: 'q2b', role: 'assistant', text: 'A cotton wick.', at: 1_700_000_080 },
])

export const foghornChat = claudeConversation('claude-foghorn', 'Foghorn repair', [
  {
    ...{
      uuid: 'm1',
      sender: 'human',
      text: 'Why is the foghorn silent?',
      created_at: '2025-03-01T10:00:00Z',
    },
    ...{
      content: [{ type: 'text', text: 'Why is the foghorn silent?' }],
      files: [{ file_name: 'horn.jpg' }],
    },
  },
  {
    ...{ uuid: 'm2', sender: 'assistant', text: 'flat', created_at: '2025-03-01T10:01:00Z' },
    content: [
      { type: 'thinking', thinking: 'The diaphragm, surely.' },
      { type: 'text', text: 'Its diaphragm is torn.' },
    ],
  },
])
