// A Space in which every text that a person or a model can put somewhere is hostile. Each place takes every nth
// payload, so that between them all are everywhere that Markdown is read, and hundreds in each plain text.

import { type CallModel, type ContentBlock, noUsage } from '../../../lib/ai/model.ts'
import type { TestApp } from '../../helpers/build-app.ts'
import { everyNth, hostileLines, hostilePayloads } from '../../helpers/hostile/payloads.ts'
import { makeAgent } from '../../helpers/world.ts'

export type HostileWorld = {
  space: { id: string; slug: string }
  /** Addresses of views that show something hostile. */
  addresses: string[]
  /** Questions that the model of `hostileModel` answers with hostile texts; each answer ends with the question. */
  questions: string[]
}

const payloads = hostilePayloads()
const lines = hostileLines()
const bodySize = 56
const answerSize = 60

/** Texts of many payloads, each a paragraph. */
const gather = (size: number) =>
  Array.from({ length: Math.ceil(payloads.length / size) }, (_, n) =>
    payloads
      .slice(n * size, (n + 1) * size)
      .map(({ text }) => text)
      .join('\n\nnext\n\n'),
  )
const bodies = gather(bodySize)
const answers = gather(answerSize)

export async function makeHostileWorld({ owner, as }: TestApp): Promise<HostileWorld> {
  const post = async (path: string, body: object, by: Pick<TestApp, 'owner'>['owner'] = owner) => {
    const answer = await by.post(path).send(body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const line = (n: number, most = 190) => (lines[n % lines.length]?.text ?? '').slice(0, most) || 'x'
  const space = await post('/api/spaces', { name: line(3), slug: 'hostile', description: line(40) })
  const at = `/api/spaces/${space.id}`
  const href = `/s/${space.slug}`

  const pages = []
  for (const [n, body] of bodies.entries())
    pages.push(await post(`${at}/pages`, { title: line(n * 26), body }))
  const task = await post(`${at}/tasks`, { title: line(90), body: bodies[5], due_on: '2026-01-01' })
  for (const { text } of everyNth(lines, 3)) await post(`${at}/tasks`, { title: text.slice(0, 190) || 'x' })
  const project = await post(`${at}/projects`, { title: line(77), body: bodies[9] })
  const ref = await post(`${at}/refs`, {
    title: line(78),
    body: bodies[11],
    author: line(79),
    url: hostileUrl,
  })
  const resource = await post(`${at}/resources`, { title: line(80), kind: line(81, 70), body: bodies[13] })
  for (const { text, n } of everyNth(lines, 40)) {
    const { id } = await post(`${at}/refs`, { title: text.slice(0, 190) || 'x', author: line(n + 1) })
    if (n % 80 === 0) await owner.delete(`/api/refs/${id}`).send({ version: 1 })
  }

  await post(`${at}/import`, { source: line(17), files: hostileFiles() })
  const docs = await owner.get(`${at}/source-docs?limit=12`)

  const { agentId, token } = await makeAgent({ owner }, { slug: 'outsider' })
  await owner.patch(`/api/agents/${agentId}`).send({ name: line(101) })
  await post(`/api/agents/${agentId}/tokens`, { name: line(102) })
  const drafts = []
  for (const { text, n } of everyNth(lines, 60, 4)) {
    const title = text.slice(0, 190) || 'x'
    const payload = { title, body: payloads[n]?.text ?? '', reason: line(n + 1) }
    drafts.push(await post(`${at}/pages`, payload, as(token)))
  }
  for (const { id } of drafts.slice(0, 3)) {
    await post(`/api/pending-changes/${id}/reject`, { reason: line(103) })
  }

  const ids = docs.body.items.map(({ id }: { id: string }) => id)
  return {
    space,
    questions: answers.map((_, n) => `question ${n} of them`),
    addresses: [
      href,
      '/spaces',
      ...['pages', 'tasks', 'projects', 'refs', 'resources', 'source-docs', 'trash'].map(
        (path) => `${href}/${path}`,
      ),
      ...pages.map(({ id }) => `${href}/pages/${id}`),
      `${href}/pages/${pages[0].id}?edit`,
      `${href}/pages/${pages[0].id}?history`,
      `${href}/pages/${pages[1].id}?cite=${encodeURIComponent(line(30))}`,
      `${href}/tasks/${task.id}`,
      `${href}/projects/${project.id}`,
      `${href}/refs/${ref.id}`,
      `${href}/resources/${resource.id}`,
      ...ids.map((id: string) => `${href}/source-docs/${id}`),
      '/inbox',
      '/inbox?tab=decided',
      ...drafts.slice(2).map(({ id }) => `/inbox/${id}`),
      ...everyNth(lines, 160).map(({ text }) => `/search?space=all&q=${encodeURIComponent(text)}`),
      '/search?space=all&q=onerror',
      '/activity',
      '/settings',
      '/settings/agents',
      `/s/${encodeURIComponent(line(200))}`,
      `/${encodeURIComponent(line(201))}?${line(202)}`,
    ],
  }
}

const hostileUrl = 'https://example.com/"onmouseover="__xss(9999)'

/** Names of files can hold all but slashes and NUL. */
function hostileFiles() {
  const named = everyNth(lines, 12).map(({ text, n }) => ({
    path: `${text.replace(/[/\\\0:*?|]/g, '_').slice(0, 100)} ${n}.${['md', 'html', 'txt', 'svg', 'png'][n % 5]}`,
    text:
      n % 5 === 0 ? `---\ntitle: ${text}\ntags: ["${text}"]\n---\n${payloads[n]!.text}` : payloads[n]!.text,
  }))
  return named.map(({ path, text }) => ({ path, base64: Buffer.from(text).toString('base64') }))
}

/** Calls tools with hostile arguments, drafts hostile changes, and answers with hostile texts and citations. */
export const hostileModel: CallModel = async ({ messages, onTextDelta }) => {
  const last = messages.at(-1)
  const n = Number(/question (\d+) of them/.exec(JSON.stringify(messages.findLast(isQuestion)))?.[1] ?? 0)
  const hostile = (step: number) => lines[(n * 31 + step) % lines.length]!.text || 'x'
  const say = (content: ContentBlock[]) => {
    const blocks = content.flatMap((block) => ('text' in block ? [String(block.text)] : []))
    for (const piece of blocks.join('').match(/[\s\S]{1,700}/g) ?? []) onTextDelta?.(piece)
    return { text: blocks.join(''), content, usage: noUsage }
  }

  if (last && isQuestion(last)) {
    const inputs = [
      { name: 'search', input: { q: hostile(1) } },
      { name: hostile(2).slice(0, 60), input: { [hostile(3)]: hostile(4) } },
      {
        name: 'propose_change',
        input: {
          entity_type: 'page',
          action: 'create',
          payload: { title: hostile(5).slice(0, 190), body: hostile(6) },
          reason: hostile(7).slice(0, 900),
        },
      },
    ]
    const uses = inputs.map((call, index) => ({
      type: 'tool_use' as const,
      id: `toolu_${n}_${index}`,
      ...call,
    }))
    return { ...say([{ type: 'text', text: hostile(8) }, ...uses]), toolUses: uses, stopReason: 'tool_use' }
  }
  const source = /void:\/\/\w+\/[0-9a-f-]{36}/.exec(JSON.stringify(messages))?.[0]
  const citations = source ? [{ type: 'x', cited_text: hostile(9), source, title: hostile(10) }] : null
  const text = `${answers[n] ?? ''}\n\n`
  const content = [
    { type: 'text' as const, text, citations },
    { type: 'text' as const, text: `\n\nend of answer ${n}.` },
  ]
  return { ...say(content), toolUses: [], stopReason: 'end_turn' }
}

const isQuestion = ({ role, content }: { role: string; content: unknown }) =>
  role === 'user' &&
  /question \d+ of them/.test(JSON.stringify(content)) &&
  !/tool_result/.test(JSON.stringify(content))
