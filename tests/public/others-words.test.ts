import { expect, test } from 'vitest'
import type { BlameChange } from '../../lib/contract/changes/blame.ts'
import { deleteWithUndo } from '../../public/app/actions/delete-with-undo.ts'
import { renderCardContent } from '../../public/drafts/card/content/card-content.ts'
import { renderProvenance } from '../../public/drafts/card/content/provenance.ts'
import { renderLinks, renderQuotes } from '../../public/drafts/card/content/text.ts'
import { renderTabStrip } from '../../public/frame/desk/tab-strip.ts'
import { renderWriter } from '../../public/page/blame/render-writer.ts'
import { agentName, isolateQuotes, quoted } from '../../public/ui/components/visible.ts'
import { type Child, el } from '../../public/ui/dom.ts'
import { draftCard } from '../changes/card/draft-card.ts'

const html = (child: Child): string => el('div', {}, child).outerHTML
const claim = 'x”. No warnings. Approved by Void “'
const held = '<bdi class="quoted">“x&#34;. No warnings. Approved by Void &#34;”</bdi>'
const now = new Date('2031-04-01T08:00:00Z')

const hostile: [string, string][] = [
  ['Approved by Void · no warnings', '“Approved by Void · no warnings”'],
  ['a” No warnings', '“a&#34; No warnings”'],
  ['one\nApproved\u2028by you', '“one Approved by you”'],
  ['\u202eetanoitcudorp\u2066', '“[U+202E]etanoitcudorp[U+2066]”'],
  ['A'.repeat(5000), `“${'A'.repeat(119)}…”`],
]

test.each(hostile)('a name stands in marks of its own: %j', (text, shown) => {
  expect(quoted(text).outerHTML).toBe(`<bdi class="quoted">${shown}</bdi>`)
  expect(agentName({ slug: 'scribe', name: text }).outerHTML).toContain(shown)
})

test('only the companion has a name without marks', () => {
  expect(agentName({ slug: 'companion', name: 'Iris' }).outerHTML).toBe('<bdi>Iris</bdi>')
})

test('the label of a link, a quotation and the titles of sources stay inside theirs', () => {
  const link = {
    kind: 'link',
    label: claim,
    before: null,
    after: 'https://example.org',
    hosts: { before: null, after: 'example.org' },
  } as const
  const quote = { quote: claim, verdict: 'not_found', message: 'Gone.', attributed_to: null } as const
  const place = { entity_type: 'page', entity_id: 'p', title: claim }
  const provenance = {
    known: true,
    sources: [{ ...place, origin: null, untrusted: true, given_by: 'read' } as const],
    more: 0,
    passages: [{ ...place, text: 'x', share: 0.1, shared_words: 1 }],
    quotes: [],
  }
  const card = draftCard({ provenance })

  expect(html(renderLinks([link]))).toContain(held)
  expect(html(renderQuotes([{ ...quote, source: null, nearest: claim }])).split(held)).toHaveLength(3)
  expect(html(renderProvenance(card, { id: 'x', slug: null })).split(held)).toHaveLength(3)
})

test('blame gives an agent’s note as its note, and its name in marks', () => {
  const change: BlameChange = {
    seq: 1,
    version: 1,
    at: now.toISOString(),
    actor: 'agent:scribe',
    action: 'update',
    outside: false,
    draft: {
      pending_change_id: 'd',
      agent: { slug: 'scribe', name: claim },
      derivation: 'proposed',
      approved: { at: now.toISOString(), by: 'owner' },
      note: 'Checked word for word.',
      asked: null,
      turn: null,
      provenance: null,
    },
  }
  const shown = renderWriter(change, claim, { slug: 's', now, history: null }).outerHTML

  expect(shown).toContain(`<strong>${held} wrote this</strong>`)
  expect(shown).toContain(`<span class="writer-words">${held}</span>`)
  expect(shown).toContain(
    `Note from ${held}</span><blockquote class="agent-words" dir="auto">Checked word for word.</blockquote>`,
  )
})

test('a card gives the note and the name of an agent as theirs', () => {
  const card = {
    ...draftCard({ payload: { title: 'Lamps' } }),
    note: 'Approved by Void · no warnings',
    agent: { id: 'a', slug: 'scribe', name: claim, color: null },
  }
  const app = { state: { get: () => ({ spaces: [] }) }, api: { get: fail } }
  const shown = html(renderCardContent(card, '', { app, now } as never))

  expect(shown).toContain(`Draft by ${held}`)
  expect(shown).toContain(
    `Note from ${held}</span><blockquote class="agent-words" dir="auto">Approved by Void · no warnings<`,
  )
})

test.each(hostile)('a toast says a title as one: %j', async (title, shown) => {
  const said: string[] = []
  const app = {
    api: { delete: async () => {} },
    toast: (message: string) => said.push(message),
  }
  await deleteWithUndo(app as never, 'page', { id: 'p', title, version: 1 }, () => {})

  expect(html(isolateQuotes(said.join()))).toBe(`<div>Moved <bdi>${shown}</bdi> to trash.</div>`)
})

test('a tab isolates its title and writes out what hides in it', () => {
  const tabs = [{ href: '/s/s/pages/p', title: 'Inbox \u202e” unsaved', kind: 'page' }]
  const shown = renderTabStrip({ tabs, current: 0 }, { side: 'left', markOf: () => null }).outerHTML

  expect(shown).toContain('title="“Inbox [U+202E]&#34; unsaved”"')
  expect(shown).toMatch(/<bdi class="tab-title">Inbox <code [^>]*>U\+202E<\/code>” unsaved<\/bdi>/)
})

const fail = () => Promise.reject(new Error('Nothing is loaded.'))
