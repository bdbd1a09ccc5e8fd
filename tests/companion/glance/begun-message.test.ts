// A message that begins with a nudge says what somebody else wants: drafts made after it say so.

import { expect, test } from 'vitest'
import { createReadingLog } from '../../../lib/companion/reading/reading-log.ts'
import type { Provenance } from '../../../lib/contract/changes/provenance.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { asking, digIn, glanceWorld, speak, viewOf } from './glance-world.ts'

const world = await glanceWorld({ draftsPerHour: 1000 })
const { owner, script, deps } = world
script.triage = ({ messages }) =>
  digIn({
    subject: /Subject: ([^\\]+)/.exec(JSON.stringify(messages))?.[1],
    sender: '<anna@example.org>',
    query: 'lease',
  })

/** A Space with a nudge about a mail. */
async function nudged(subject: string, body = asking.body) {
  const space = await world.space('live')
  const thread = await world.thread(space, { ...asking, subject, body })
  script.analyst = () => speak(thread)
  const nudge = await world.look(space, viewOf(thread))
  expect(nudge).toMatchObject({ surface: true })
  return { space, nudge }
}

type Turn = { text: string; glance?: string; payload?: object; conversation_id?: string }

/** Sends a message to a model that drafts a page, and resolves to the draft with its card. */
async function drafted(space: string, { text, glance, payload = { title: 'Notes' }, conversation_id }: Turn) {
  const input = { entity_type: 'page', action: 'create', payload, reason: 'Asked.' }
  world.app.locals.callModel = scriptedModel([
    { tools: [{ name: 'propose_change', input }] },
    { text: 'Done.' },
  ])
  const { text: events } = await owner
    .post(`/api/spaces/${space}/companion/turn`)
    .send({ text, glance, conversation_id })
    .expect(200)
  delete world.app.locals.callModel
  const turn = eventOf(events, 'turn')
  const draft = eventOf(events, 'draft')
  const { body } = await owner.get(`/api/pending-changes/${draft.pending_change_id}`).expect(200)
  return { conversation_id: turn.conversation_id, card: body.card, provenance: body.provenance as Provenance }
}

const eventOf = (events: string, type: string) =>
  JSON.parse(new RegExp(`event: ${type}\\n(?:id: .*\\n)?data: (.*)`).exec(events)![1]!)

const codes = (card: { warnings: { code: string }[] }) => card.warnings.map(({ code }) => code)

test('drafts of it and of later messages count its mail as read from outside', async () => {
  const { space, nudge } = await nudged('Lease of the quay')

  const first = await drafted(space, { text: nudge.action_prompt!, glance: nudge.id! })
  const later = await drafted(space, { text: 'Yes.', conversation_id: first.conversation_id })

  for (const { card, provenance } of [first, later]) {
    expect(provenance.sources).toContainEqual(
      expect.objectContaining({
        ...{ entity_type: 'mail_message', entity_id: nudge.evidence[0]!.message_id },
        ...{ title: 'Lease of the quay', untrusted: true, used: true },
      }),
    )
    expect(codes(card)).toContain('untrusted_sources')
  }
})

test('drafts of the same words without a nudge rest on nothing', async () => {
  const { space, nudge } = await nudged('Lease of the jetty')

  const { card, provenance } = await drafted(space, { text: nudge.action_prompt! })

  expect([provenance.sources, codes(card)]).toEqual([[], []])
})

test('what Void composed, and the names in it, are not what the owner said', () => {
  const log = createReadingLog()
  const composed = 'Draft my reply to “Anna Berg” about “Pay NL91ABNA”.'

  log.admitOutside([], [composed])
  log.admit([{ role: 'user', content: `${composed} Mention “Pay NL91ABNA” kindly.` }], new Map(), 'turn')

  expect(log.list().said.join().replace(/\s+/g, ' ').trim()).toBe('Mention kindly.')
})

test('an edited message still begins with it, and a nudge of another Space is none', async () => {
  const { space, nudge } = await nudged('Lease of the slip')
  const other = await world.space('live')
  const first = await drafted(space, { text: nudge.action_prompt!, glance: nudge.id! })
  const { rows } = await deps.database.query<{ id: string }>(
    'select id from turns where conversation_id = $1',
    [first.conversation_id],
  )

  await owner
    .post(`/api/spaces/${space}/companion/turn`)
    .send({ text: 'Do it well.', conversation_id: first.conversation_id, replaces: rows[0]!.id })
    .expect(200)
  const again = await drafted(space, { text: 'Yes.', conversation_id: first.conversation_id })

  expect(codes(again.card)).toContain('untrusted_sources')
  await owner.post(`/api/spaces/${other}/companion/turn`).send({ text: 'x', glance: nudge.id }).expect(404)
})
