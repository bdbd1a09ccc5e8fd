import { expect, test } from 'vitest'
import type { AuditRow } from '../../../lib/contract/audit.ts'
import { describeVersion, groupVersions } from '../../../public/page/history/versions.ts'

const row = (seq: number, at: string, change: Partial<AuditRow>): AuditRow => ({
  seq,
  at: `2030-05-01T${at}:00Z`,
  actor: 'owner',
  action: 'update',
  version: seq,
  before: null,
  after: null,
  pending_change_id: null,
  undoes: null,
  undoes_since: null,
  space_id: 's',
  entity_type: 'page',
  entity_id: 'p',
  previous_hash: '',
  hash: '',
  ...change,
})

test('the saves of one sitting are one version, from its first text to its last', () => {
  const versions = groupVersions([
    row(4, '12:08', { before: { body: 'b' }, after: { body: 'c' } }),
    row(3, '12:01', { before: { body: 'a' }, after: { body: 'b' } }),
    row(2, '11:00', { before: { body: '' }, after: { body: 'a' } }),
    row(1, '10:59', { action: 'create', after: { title: 'The lamp', body: '' } }),
  ])

  expect(versions).toMatchObject([
    { seq: 4, saves: 2, before: { body: 'a' }, after: { body: 'c' } },
    { seq: 2, saves: 1 },
    { seq: 1, action: 'create' },
  ])
})

test('what came from a draft, or from somebody else, stands by itself', () => {
  const versions = groupVersions([
    row(3, '12:02', { before: { body: 'b' }, after: { body: 'c' } }),
    row(2, '12:01', { before: { body: 'a' }, after: { body: 'b' }, pending_change_id: 'draft' }),
    row(1, '12:00', { actor: 'system:import', before: { body: '' }, after: { body: 'a' } }),
  ])

  expect(versions.map(({ seq }) => seq)).toEqual([3, 2, 1])
})

test('what was done is said in a few words', () => {
  const [changed, moved, gone] = groupVersions([
    row(3, '14:00', { before: { body: 'a', title: 'A' }, after: { body: 'b', title: 'B' } }),
    row(2, '13:00', { before: { parent_id: null }, after: { parent_id: 'x' } }),
    row(1, '12:00', { action: 'delete' }),
  ])

  expect([changed!, moved!, gone!].map(describeVersion)).toEqual([
    'edited the text and renamed it from “A”',
    'moved it',
    'deleted it',
  ])
})
