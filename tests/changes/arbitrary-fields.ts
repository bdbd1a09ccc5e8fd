// Fields of every kind, as a model, an import or an attacker may fill them.

import fc from 'fast-check'

const awkward = fc.constantFrom(
  '\u202e',
  '\u200b',
  '\u{e0041}',
  '😀',
  'é',
  '\r\n',
  '\n',
  '\n\n',
  ' ',
  '\t',
  '"',
  '\\',
  '\u001f',
  '\u2028',
  '<b>',
  '[x](https://a.test)',
  '# Oil\n',
  '| a | b |\n|---|---|\n',
  '```\n',
  '---\n',
)
const word = fc.constantFrom('The', 'lamp', 'turns', 'Lease', 'oil', 'Маяк', '灯台', '0', 'null')

const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, awkward, fc.string({ maxLength: 5, unit: 'binary' })), {
    maxLength: 20,
  })
  .map((pieces) => pieces.join(' '))

const line = fc
  .array(fc.oneof(word, awkward), { maxLength: 5 })
  .map((pieces) => `x${pieces.join(' ')}`.replace(/\s+/gu, ' ').trim())

const day = fc
  .integer({ min: 0, max: 60_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))

const url = line.map((path) => `https://a.test/${path}`)
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

/** For each kind its fields, each of them optional. References are made of the ids given. */
export const fieldsOf: Record<
  string,
  (ids: Record<string, string>) => Record<string, fc.Arbitrary<unknown>>
> = {
  page: ({ page }) => ({
    title: line,
    body: text,
    parent_id: orNull(fc.constant(page)),
    position: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  }),
  task: ({ project }) => ({
    title: line,
    body: text,
    status: fc.constantFrom('open', 'in_progress', 'done', 'cancelled'),
    priority: fc.constantFrom('low', 'normal', 'high', 'urgent'),
    due_on: orNull(day),
    project_id: orNull(fc.constant(project)),
  }),
  project: () => ({
    title: line,
    body: text,
    status: fc.constantFrom('active', 'on_hold', 'done', 'cancelled'),
  }),
  ref: () => ({
    title: line,
    url: orNull(url),
    body: text,
    author: orNull(line),
    published_on: orNull(day),
  }),
  resource: () => ({ title: line, kind: line, url: orNull(url), body: text }),
  page_view: () => ({ title: line, body: text }),
  source_doc: () => ({
    title: line,
    mime: fc.constantFrom('text/plain', 'text/markdown'),
    text,
    metadata: fc.dictionary(fc.constantFrom('a', 'from', 'é'), fc.oneof(line, fc.integer(), fc.boolean())),
  }),
}
