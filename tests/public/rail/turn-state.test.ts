import { describe, expect, test } from 'vitest'
import type { Card } from '../../../lib/contract/changes/card.ts'
import type { Message } from '../../../lib/contract/companion/companion.ts'
import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import { joinTurns } from '../../../public/rail/state/load-older.ts'
import { applyEvent, emptyAnswer, toTurns } from '../../../public/rail/state/turn-state.ts'
import { explainEnd } from '../../../public/rail/turn/explain-end.ts'
import { figuresOf, summarizeTools } from '../../../public/rail/turn/tool-activity.ts'
import { describeCall } from '../../../public/rail/turn/tool-chips.ts'

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}
const answerOf = (...events: TurnEvent[]) => events.reduce(applyEvent, emptyAnswer)
const call = (tool: string, status: 'running' | 'done' | 'error', duration_ms = 0): TurnEvent => ({
  type: 'tool',
  data: { tool, tool_use_id: `${tool}-1`, args: { q: 'oil' }, status, duration_ms },
})
const draft = { pending_change_id: 'd1', status: 'pending' } as Card

const asked = (id: string, turn_id: string, body: string): Message => ({
  id,
  turn_id,
  body,
  conversation_id: 'c',
  agent_id: null,
  created_at: '2030-05-01T12:00:00Z',
  role: 'user',
  metadata: {},
})
const said = (id: string, turn_id: string, body: string): Message => ({
  id,
  turn_id,
  body,
  conversation_id: 'c',
  agent_id: null,
  created_at: '2030-05-01T12:00:01Z',
  role: 'assistant',
  metadata: {
    tool_trace: [],
    draft_ids: ['d1'],
    usage,
    citations: [],
    stop_reason: 'end_turn',
    model: null,
    error: null,
  },
})

describe('an answer', () => {
  test('grows event by event', () => {
    const answer = answerOf(
      { type: 'status', data: { message: 'Waiting' } },
      call('search', 'running'),
      call('search', 'done', 40),
      { type: 'delta', data: { text: 'The lamp ' } },
      { type: 'delta', data: { text: 'burns oil.' } },
      { type: 'draft', data: { pending_change_id: 'd1', summary: 's', card: draft } },
      {
        type: 'done',
        data: { assistant_message_id: 'm', draft_ids: ['d1'], usage, stop_reason: 'end_turn' },
      },
    )

    expect(answer).toMatchObject({ text: 'The lamp burns oil.', state: 'done', note: null, cards: [draft] })
    expect(answer.tools).toHaveLength(1)
    expect(explainEnd(answer)).toBeNull()
  })

  test('has what was thought, open while it streams, from events, a snapshot or the stored message', () => {
    const thinking: TurnEvent[] = [
      { type: 'thinking', data: { text: 'Oil' } },
      { type: 'thinking', data: { text: ' or gas?' } },
    ]
    const whole = { text: 'Oil or gas?', duration_ms: 8400 }
    const thought: TurnEvent = { type: 'thought', data: { duration_ms: 8400 } }
    const snapshot: TurnEvent = {
      type: 'snapshot',
      data: { text: '', tools: [], citations: [], drafts: [], status: null, thinking: whole },
    }
    const stored = said('m', 't', 'Oil.')
    const message = { ...stored, metadata: { ...stored.metadata, thinking: whole } } as Message

    expect(answerOf(...thinking)).toMatchObject({ thinking: { ...whole, duration_ms: 0 }, thinks: true })
    const closed = [answerOf(...thinking, thought), answerOf(snapshot), toTurns([message], [])[0]!.answer!]
    for (const answer of closed) expect(answer).toMatchObject({ thinking: whole, thinks: false })
    expect(answerOf(snapshot, ...thinking).thinks).toBe(true)
  })

  test('says how it ended, where that needs a word, and keeps its text', () => {
    const overloaded = answerOf(
      { type: 'delta', data: { text: 'I was' } },
      {
        type: 'error',
        data: { code: 'model_overloaded', message: 'The model is overloaded.', retryable: true },
      },
    )
    const refused = { ...emptyAnswer, state: 'done' as const, stopReason: 'refusal' }

    expect(overloaded.text).toBe('I was')
    expect(explainEnd(overloaded)).toMatchObject({
      tone: 'problem',
      retry: true,
      text: expect.stringContaining('kept'),
    })
    expect(explainEnd(refused)).toMatchObject({ tone: 'quiet', title: 'Declined' })
  })

  test('tells what the tools did in a line', () => {
    const tools = answerOf(call('search', 'done', 400), call('read', 'done', 1000)).tools
    const twice = [...tools, { ...tools[0]!, tool_use_id: 'x' }, { ...tools[1]!, tool_use_id: 'y' }]

    expect([summarizeTools(tools), figuresOf(tools)]).toEqual(['Searched and read 1 page', '1.4 s'])
    expect([summarizeTools(twice), figuresOf(twice)]).toEqual(['Searched and read 2 pages', '2.8 s'])
    expect(answerOf(call('search', 'running')).tools.map(describeCall)).toEqual(['searching “oil”'])
  })

  test('tells what it used, streamed as well as stored, where it is known', () => {
    const used = { ...usage, input_tokens: 1200, cache_read_input_tokens: 38 }
    const done = (duration_ms?: number): TurnEvent => ({
      type: 'done',
      data: {
        assistant_message_id: 'm',
        draft_ids: [],
        usage: used,
        stop_reason: 'end_turn',
        ...(duration_ms === undefined ? {} : { duration_ms }),
      },
    })
    const streamed = answerOf(call('search', 'done', 400), done(3200))
    const message = said('2', 't1', 'Rapeseed.')
    const stored = toTurns(
      [{ ...message, metadata: { ...message.metadata, usage: used, duration_ms: 3200 } } as Message],
      [],
    )[0]!.answer!

    expect(summarizeTools(streamed.tools)).toBe('Searched')
    expect(figuresOf(streamed.tools, streamed.used)).toBe('1,239 tokens, 3.2 s')
    expect(stored.used).toEqual(streamed.used)
    expect(answerOf(done()).used).toBeNull()
  })

  test('that a budget ended says so, and where it is changed', () => {
    const ended = explainEnd({ ...emptyAnswer, state: 'done', stopReason: 'budget' })

    expect(ended).toMatchObject({ tone: 'quiet', settings: '/settings/usage', retry: true })
  })
})

describe('stored messages', () => {
  test('become turns with their drafts as they stand now', () => {
    const turns = toTurns(
      [asked('1', 't1', 'Oil?'), said('2', 't1', 'Rapeseed.'), asked('3', 't2', 'And?')],
      [draft],
    )

    expect(turns.map(({ question, answer }) => [question?.text, answer?.text ?? null])).toEqual([
      ['Oil?', 'Rapeseed.'],
      ['And?', null],
    ])
    expect(turns[0]?.answer?.cards).toEqual([draft])
  })

  test('of a turn that lies across two pages of history come together', () => {
    const newer = toTurns([said('2', 't1', 'Rapeseed.')], [])
    const older = toTurns([asked('1', 't1', 'Oil?')], [])

    const [turn, ...rest] = joinTurns(older, newer)

    expect(rest).toEqual([])
    expect(turn).toMatchObject({ question: { text: 'Oil?' }, answer: { text: 'Rapeseed.' }, cursor: '1' })
  })
})
