// Wrong calls of `propose_change`, as models make them, and what each is told. A call with one correction is given it,
// and that call is then accepted.

import { describe, expect, test } from 'vitest'
import { companionRegistry } from '../../../lib/ai/agent/tools/index.ts'
import { createToolServices } from '../../../lib/companion/reading/tool-services.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { runCompanionTool } from '../../helpers/run-companion-tool.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const world = await makeWorld(void_)
const agent = await void_.deps.companion.agent()
const services = createToolServices({ ...void_.deps, ...void_.deps.changes })
const other = (await void_.owner.post('/api/spaces').send({ name: 'Elsewhere' })).body

const call = (name: string, input: unknown) =>
  runCompanionTool({ agent, services, space_id: world.space.id }, name, input)

const task = (payload: unknown, more: object = {}) => ({
  entity_type: 'task',
  action: 'create',
  payload,
  ...more,
})
const lamp = { entity_type: 'page', action: 'update', entity_id: world.lamp.id }

/** What it is told, and whether there is one correction. */
const wrongCalls: [string, object, RegExp, 'corrected' | 'told'][] = [
  [
    'a kind under another name',
    { entity_type: 'note', action: 'create', payload: { title: 'Winter' } },
    /entity_type: "note" is not allowed\. Use one of: page, project, .*task, reply, routine, memory\./,
    'corrected',
  ],
  [
    'an action under another name',
    { ...lamp, action: 'edit', payload: { title: 'The old lamp' } },
    /action: "edit" is not allowed\. Use one of: create, update, delete, retract\./,
    'corrected',
  ],
  [
    'a field under another name',
    task({ name: 'Trim the wick', due: '2026-12-24' }),
    /payload\.name: unknown; the field is called title\.\n- payload\.due: unknown; the field is called due_on\./,
    'corrected',
  ],
  [
    'a field that no kind has',
    task({ title: 'Trim the wick', colour: 'red' }),
    /payload\.colour: unknown; leave it out, or use one of: title, body, status, priority, due_on, /,
    'corrected',
  ],
  [
    'a value under another name beside a field that no kind has',
    task({ title: 'Trim the wick', status: 'finished', colour: 'red' }),
    /payload\.colour: unknown; leave it out[\s\S]*payload\.status: "finished" is not allowed\. Use one of: open, /,
    'corrected',
  ],
  [
    'nothing but a field that no kind has',
    { ...lamp, payload: { colour: 'red' } },
    /payload\.colour: unknown; leave it out/,
    'told',
  ],
  [
    'a value under another name',
    task({ title: 'Trim the wick', status: 'completed' }),
    /payload\.status: "completed" is not allowed\. Use one of: open, in_progress, done, cancelled\./,
    'corrected',
  ],
  [
    'a date in another form',
    task({ title: 'Trim the wick', due_on: '2026/12/4' }),
    /payload\.due_on: "2026\/12\/4" is not a date\. Write it as YYYY-MM-DD\./,
    'corrected',
  ],
  ['a create without a title', task({ body: 'Wick first.' }), /payload\.title: is missing\./, 'told'],
  [
    'an update without an id',
    { entity_type: 'page', action: 'update', payload: { title: 'Lamp' } },
    /entity_id: is missing\. It is the id of the page to update, from search, list or read\./,
    'told',
  ],
  [
    'words that are not in the text',
    { ...lamp, edits: [{ old_text: 'whale oil', new_text: 'rapeseed' }] },
    /edits\[0\]: old_text was not found in the text\. Read the text again and copy it exactly/,
    'told',
  ],
  [
    'another Space',
    task({ space_id: other.id, title: 'Trim the wick' }),
    new RegExp(`payload\\.space_id: this call is in the Space ${world.space.id}; leave space_id out\\.`),
    'corrected',
  ],
]

describe('a call with', () => {
  test.each(wrongCalls)('%s', async (_, input, message, ending) => {
    const { text, isError, draft } = await call('propose_change', input)

    expect({ isError, draft }).toEqual({ isError: true, draft: null })
    expect(text).toMatch(message)
    const [, corrected] = /^Corrected call: propose_change (\{.*\})$/m.exec(text) ?? []
    expect(corrected !== undefined).toBe(ending === 'corrected')
    if (corrected)
      expect((await call('propose_change', JSON.parse(corrected))).text).toContain('"status":"pending"')
  })
})

describe('also told', () => {
  test.each<[string, object, RegExp]>([
    [
      'a payload as text',
      task('{"title":"Oil"}'),
      /payload: must be an object, not "\{[\s\S]*Corrected call: .*"payload":\{"title":"Oil"\}/,
    ],
    [
      'fields beside the payload',
      { entity_type: 'task', action: 'create', title: 'Oil' },
      /title: .*payload/,
    ],
    [
      'edits and a whole text',
      { ...lamp, payload: { body: 'x' }, edits: [{ append: 'y' }] },
      /either edits or payload\.body, not both/,
    ],
    [
      'an edit of no form',
      { ...lamp, edits: [{ replace: 'x' }] },
      /edits\.0: An edit is \{old_text, new_text\}/,
    ],
    [
      'a line that is not there',
      { ...lamp, version: 1, edits: [{ lines: '900', new_text: 'y' }] },
      /there are no lines 900; the text has \d+/,
    ],
    ['a line without a version', { ...lamp, edits: [{ lines: '1', new_text: 'y' }] }, /version: is missing/],
    [
      'a wrong name of an argument',
      { entity_typ: 'task', action: 'create', payload: { title: 'Oil' } },
      /entity_typ: unknown; the field is called entity_type\.[\s\S]*Corrected call/,
    ],
    [
      'a fixed text',
      { entity_type: 'source_doc', action: 'create', payload: { title: 'A', metadata: {} } },
      /payload\.metadata: cannot be set by an agent/,
    ],
    [
      'a property that is none',
      { ...lamp, payload: { properties: { rating: { nested: 1 } } } },
      /payload\.properties\.rating/,
    ],
  ])('%s', async (_, input, message) => {
    const { text, isError } = await call('propose_change', input)

    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })
})

describe('names that models expect are taken, and the right one is said', () => {
  test.each<[string, object, string]>([
    ['search', { query: 'oil' }, '"query" was taken as "q"'],
    ['read', { path: 'The lamp' }, 'path was taken as the page'],
    ['read', { entity_type: 'page', entity_id: world.lamp.id }, '"entity_type" was taken as "kind"'],
    ['search_email', { query: 'oil' }, '"query" was taken as "q"'],
    ['find_tool', { query: 'calendar' }, '"query" was taken as "q"'],
    ['list', { type: 'task' }, '"type" was taken as "kind"'],
    [
      'propose_change',
      { kind: 'task', action: 'create', fields: { title: 'Oil the hinge' } },
      '"fields" was taken as "payload"',
    ],
    [
      'propose_change',
      { path: 'the lamp', action: 'update', payload: { title: 'A lamp' } },
      'path was taken as the page',
    ],
    [
      'propose_change',
      { ...lamp, entity_id: `void://page/${world.lamp.id}#3`, payload: { title: 'A bright lamp' } },
      'The address was taken as the page',
    ],
  ])('%s %j', async (name, input, note) => {
    const { text, isError } = await call(name, input)

    expect({ isError, said: text.replaceAll('\\', '').includes(note) }).toEqual({
      isError: false,
      said: true,
    })
  })

  test('other names are refused by every tool, with the known ones', async () => {
    for (const { name } of companionRegistry.listTools()) {
      const { text, isError } = await call(name, { wavelength: 7 })

      expect(isError).toBe(true)
      expect(text).toMatch(/wavelength: unknown; leave it out/)
    }
  })
})
