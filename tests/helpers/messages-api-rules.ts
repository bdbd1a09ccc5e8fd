// The rules of the Messages API for a request, as far as a client can break them. The texts are close to the real ones.

type Dict = Record<string, unknown>
type Message = { role: unknown; blocks: Dict[] }

/** What the API would say to this request, or `null` when it would take it. */
export function whyRefused(body: unknown, raw: string): string | null {
  try {
    check(body, raw)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

class Refusal extends Error {}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Refusal(otherwise)
}

function check(body: unknown, raw: string): void {
  demand(isDict(body), 'The request body is not valid JSON')
  if (/\\ud[89a-f]/i.test(raw))
    demand(isWellFormed(body), 'The request body is not valid JSON: no low surrogate in string')
  demand(typeof body.model === 'string' && body.model !== '', 'model: Field required')
  demand(
    Number.isInteger(body.max_tokens) && Number(body.max_tokens) > 0,
    'max_tokens: must be a positive integer',
  )
  demand(
    Array.isArray(body.messages) && body.messages.length > 0,
    'messages: at least one message is required',
  )

  const given = body.messages.map(readMessage)
  demand(given[0]?.role === 'user', 'messages: first message must use the "user" role')
  const messages = mergeRoles(given)
  checkTools(body.tools, messages)
  checkPairs(messages)
  checkEnd(messages)
  checkCacheMarkers(body, messages)
  checkCitations(messages)
}

function readMessage(message: unknown, index: number): Message {
  const at = `messages.${index}`
  demand(isDict(message), `${at}: must be an object`)
  const { role, content } = message
  demand(role === 'user' || role === 'assistant', `${at}.role: must be "user" or "assistant"`)
  const isEmpty =
    typeof content === 'string' ? content === '' : !Array.isArray(content) || content.length === 0
  demand(!isEmpty, `${at}: all messages must have non-empty content`)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  demand(Array.isArray(blocks), `${at}.content: must be a string or a list`)
  return { role, blocks: blocks.map((block, i) => readBlock(block, role, `${at}.content.${i}`)) }
}

function readBlock(block: unknown, role: string, at: string): Dict {
  demand(isDict(block) && typeof block.type === 'string', `${at}.type: Field required`)
  if (block.type === 'text') checkText(block, at)
  if (block.type === 'image') checkImage(block, role, at)
  if (block.type === 'tool_use') checkToolUse(block, role, at)
  if (block.type === 'tool_result') checkToolResult(block, role, at)
  if (block.type === 'thinking') {
    demand(role === 'assistant', `${at}: thinking blocks can only be in assistant messages`)
    demand(typeof block.signature === 'string' && block.signature !== '', `${at}.signature: Field required`)
  }
  if (block.type === 'search_result') {
    demand(role === 'user', `${at}: search_result blocks can only be in user messages`)
    checkSearchResult(block, at)
  }
  return block
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

function checkImage({ source }: Dict, role: string, at: string): void {
  demand(role === 'user', `${at}: image blocks can only be in user messages`)
  demand(isDict(source) && source.type === 'base64', `${at}.source.type: Input should be 'base64'`)
  demand(imageTypes.includes(String(source.media_type)), `${at}.source.media_type: not an image type`)
  const bytes = Buffer.from(String(source.data), 'base64')
  demand(bytes.length > 0 && bytes.length <= 5 * 1024 * 1024, `${at}.source: image exceeds 5 MB maximum`)
}

function checkText({ text }: Dict, at: string): void {
  demand(typeof text === 'string' && text !== '', `${at}: text content blocks must be non-empty`)
  demand(text.trim() !== '', `${at}: text content blocks must contain non-whitespace text`)
}

function checkToolUse({ id, name, input }: Dict, role: string, at: string): void {
  demand(role === 'assistant', `${at}: tool_use blocks can only be in assistant messages`)
  demand(
    typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id),
    `${at}.id: String should match '^[a-zA-Z0-9_-]+$'`,
  )
  demand(typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name), `${at}.name: invalid tool name`)
  demand(isDict(input), `${at}.input: Input should be a valid dictionary`)
}

function checkToolResult({ tool_use_id, content, is_error }: Dict, role: string, at: string): void {
  demand(role === 'user', `${at}: tool_result blocks can only be in user messages`)
  demand(typeof tool_use_id === 'string' && tool_use_id !== '', `${at}.tool_use_id: Field required`)
  if (!Array.isArray(content)) return
  for (const [i, part] of content.entries()) {
    const inner = readBlock(part, 'user', `${at}.content.${i}`)
    demand(
      !is_error || inner.type === 'text',
      `${at}.content: all content must be type "text" if is_error is true`,
    )
  }
}

function checkSearchResult({ source, title, content }: Dict, at: string): void {
  demand(typeof source === 'string' && source !== '', `${at}.source: Field required`)
  demand(typeof title === 'string' && title !== '', `${at}.title: Field required`)
  demand(Array.isArray(content) && content.length > 0, `${at}.content: must have at least one text block`)
  for (const [i, part] of content.entries()) readBlock(part, 'user', `${at}.content.${i}`)
}

/** Consecutive messages of one role count as one. */
function mergeRoles(messages: Message[]): Message[] {
  const merged: Message[] = []
  for (const { role, blocks } of messages) {
    const last = merged.at(-1)
    if (last && last.role === role) last.blocks.push(...blocks)
    else merged.push({ role, blocks: [...blocks] })
  }
  return merged
}

function checkTools(tools: unknown, messages: Message[]): void {
  const usesTools = messages.some(({ blocks }) =>
    blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  )
  const list = tools ?? []
  demand(Array.isArray(list), 'tools: must be a list')
  demand(
    !usesTools || list.length > 0,
    'Requests which include `tool_use` or `tool_result` blocks must define tools',
  )
  for (const [i, tool] of list.entries()) {
    demand(isDict(tool) && typeof tool.name === 'string', `tools.${i}.name: Field required`)
    demand(/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name), `tools.${i}.name: invalid tool name`)
    demand(
      isDict(tool.input_schema) && tool.input_schema.type === 'object',
      `tools.${i}.input_schema.type: must be "object"`,
    )
  }
  demand(new Set(list.map((tool) => tool.name)).size === list.length, 'tools: Tool names must be unique.')
}

function checkPairs(messages: Message[]): void {
  const seen = new Set<unknown>()
  for (const [i, { blocks }] of messages.entries()) {
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    for (const id of calls) {
      demand(!seen.has(id), `messages.${i}: \`tool_use\` ids must be unique`)
      seen.add(id)
    }
    const answers = leadingAnswers(messages[i + 1])
    const open = calls.filter((id) => !answers.includes(id))
    demand(
      open.length === 0,
      `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`,
    )
    checkAnswers(messages, i)
  }
}

function checkAnswers(messages: Message[], i: number): void {
  const asked = (messages[i - 1]?.blocks ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  const answers = (messages[i]?.blocks ?? [])
    .filter(({ type }) => type === 'tool_result')
    .map((b) => b.tool_use_id)
  for (const id of answers) {
    demand(
      asked.includes(id),
      `messages.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`,
    )
  }
  demand(new Set(answers).size === answers.length, `messages.${i}: each tool_use must have a single result`)
}

/** Results count only where they stand before everything else. */
function leadingAnswers(message: Message | undefined): unknown[] {
  const blocks = message?.blocks ?? []
  const end = blocks.findIndex(({ type }) => type !== 'tool_result')
  return blocks.slice(0, end === -1 ? blocks.length : end).map(({ tool_use_id }) => tool_use_id)
}

function checkEnd(messages: Message[]): void {
  for (const [i, { role, blocks }] of messages.entries()) {
    const type = blocks.at(-1)?.type
    const ends = role === 'assistant' && (type === 'thinking' || type === 'redacted_thinking')
    demand(!ends, `messages.${i}: The final block in an assistant message cannot be \`thinking\`.`)
  }
  const last = messages.at(-1)
  const text = last?.role === 'assistant' ? last.blocks.at(-1)?.text : undefined
  demand(
    typeof text !== 'string' || text === text.trimEnd(),
    'messages: final assistant content cannot end with trailing whitespace',
  )
}

function checkCacheMarkers(body: Dict, messages: Message[]): void {
  const outer = [body.system, body.tools].flatMap((list) => (Array.isArray(list) ? list.filter(isDict) : []))
  const marked = [...outer, ...messages.flatMap(({ blocks }) => blocks)].filter(
    (block) => block.cache_control,
  )
  demand(
    marked.length <= 4,
    `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`,
  )
  const onThinking = marked.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  demand(!onThinking, 'cache_control cannot be set on thinking blocks')
}

function checkCitations(messages: Message[]): void {
  const results = messages.flatMap(({ blocks }) =>
    blocks.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isDict) : [])),
  )
  const enabled = results
    .filter(({ type }) => type === 'search_result')
    .map(({ citations }) => isDict(citations) && citations.enabled === true)
  demand(new Set(enabled).size <= 1, 'citations must be enabled on all search results or on none')
}

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, field]) => key.isWellFormed() && isWellFormed(field))
}
