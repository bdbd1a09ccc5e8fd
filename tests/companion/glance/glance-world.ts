// A Void whose glance is answered by scripted models: one for the triage, one for the analyst.

import { type CallModel, type ModelRequest, type ModelResponse, noUsage } from '../../../lib/ai/model.ts'
import type { GlanceDecision, GlanceSettings } from '../../../lib/contract/companion/glance.ts'
import { type BuildOptions, buildApp, type TestApp } from '../../helpers/build-app.ts'
import { deliver } from '../../outside/mail/deliver.ts'
import { type MailDraft, writeMail } from '../../outside/mail/write-mail.ts'

type Call = { name: string; input: unknown }
export type Answer = { calls?: Call[]; error?: unknown; hang?: boolean; stopReason?: string }
type Script = (request: ModelRequest, round: number) => Answer | Promise<Answer>

export type GlanceWorld = TestApp & {
  /** What the models do; set by each test. */
  script: { triage: Script; analyst: Script }
  /** What they were asked, in order. */
  asked: { triage: ModelRequest[]; analyst: ModelRequest[] }
  clock: { at: Date }
  /** A new Space; `mode`: what its owner chose; left out: nothing. */
  space(mode?: string): Promise<string>
  /** A thread of one message. Resolves to its id. */
  thread(space: string, draft?: MailDraft): Promise<string>
  look(space: string, body: object): Promise<GlanceDecision>
  settings(space: string): Promise<GlanceSettings>
  minutesLater(minutes: number): void
}

export const asking: MailDraft = {
  subject: 'Lease of the boathouse',
  body: 'Hello,\n\ncould you send me the signed lease by Friday? The rent stays at 410 crowns.\n\nAnna',
}

export const seen = {
  subject: 'Lease of the boathouse',
  sender: 'Anna Berg <anna@example.org>',
  query: 'signed lease boathouse',
}

export const digIn = (candidate: object = seen): Answer => ({
  calls: [{ name: 'finalize_glance_triage', input: { digIn: true, reason: 'asks', candidate } }],
})

export const speak = (
  thread_id: string | undefined,
  ask = 'could you send me the signed lease by Friday?',
  more: object = { kind: 'deadline', due: 'Friday' },
): Answer => ({
  calls: [{ name: 'finalize_glance', input: { surface: true, ask, thread_id, ...more } }],
})

/** Both models, as the script of each test has them. */
export function scriptedGlance(): Pick<GlanceWorld, 'script' | 'asked'> & { callModel: CallModel } {
  const script: GlanceWorld['script'] = { triage: () => digIn(), analyst: () => ({}) }
  const asked: GlanceWorld['asked'] = { triage: [], analyst: [] }
  const callModel: CallModel = async (request) => {
    const stage = request.tools.some(({ name }) => name === 'finalize_glance_triage') ? 'triage' : 'analyst'
    const round = asked[stage].push({ ...request, messages: structuredClone(request.messages) })
    return await play(await script[stage](request, round), request, `${stage}${round}`)
  }
  return { script, asked, callModel }
}

export async function glanceWorld(options: BuildOptions = {}): Promise<GlanceWorld> {
  const { script, asked, callModel } = scriptedGlance()
  const clock = { at: new Date('2026-11-23T10:00:00Z') }
  const app = await buildApp({ callModel, smallModel: callModel, now: () => clock.at, ...options })
  const { owner, deps } = app
  let made = 0

  return {
    ...app,
    ...{ script, asked, clock },
    async space(mode) {
      const { body } = await owner
        .post('/api/spaces')
        .send({ name: `Skerry ${++made}` })
        .expect(201)
      if (mode) await owner.patch(`/api/spaces/${body.id}/glance-settings`).send({ mode }).expect(200)
      return body.id
    },
    async thread(space, draft = asking) {
      const id = await deliver(deps, space, writeMail(draft))
      return (await owner.get(`/api/mail-threads/${id}`).expect(200)).body.id
    },
    look: async (space, body) =>
      (await owner.post(`/api/spaces/${space}/glance`).send(body).expect(200)).body,
    settings: async (space) => (await owner.get(`/api/spaces/${space}/glance-settings`).expect(200)).body,
    minutesLater(minutes) {
      clock.at = new Date(clock.at.getTime() + minutes * 60_000)
    },
  }
}

export const viewOf = (entityId: string, entityType = 'mail_thread') => ({ view: { entityType, entityId } })

async function play(
  { calls = [], error, hang, stopReason }: Answer,
  { signal }: ModelRequest,
  id: string,
): Promise<ModelResponse> {
  if (hang)
    await new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
  if (error !== undefined) throw error
  const toolUses = calls.map((call, at) => ({ ...call, id: `toolu_${id}_${at}` }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return {
    text: '',
    content: content.length > 0 ? content : [{ type: 'text', text: 'Nothing.' }],
    toolUses,
    stopReason: stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    usage: { ...noUsage, input_tokens: 1000, output_tokens: 100 },
  }
}
