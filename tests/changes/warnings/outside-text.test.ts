// The warning about text from outside, measured on labelled drafts: one that is always on is none.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type GivenText, gatherProvenance } from '../../../lib/changes/grounding/provenance.ts'
import { warnProvenance } from '../../../lib/changes/warnings/card-warnings.ts'
import type { EntityRow, Origin } from '../../../lib/contract/entities/kind.ts'
import { createImportFilesRepo } from '../../../lib/db/repos/import_files.ts'
import { createTrustedOriginsRepo } from '../../../lib/db/repos/trusted_origins.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'
import { benign, type From, injected, type LabelledDraft, type Reading } from './labelled-drafts.ts'

const void_ = await buildApp()
const { deps } = void_
const { space } = await makeWorld(void_)
const space_id = space.id
await createTrustedOriginsRepo(deps.database).set({ space_id, kind: 'import', key: 'My notes' }, 'own')

const originOf: Record<From, Origin> = {
  ...{ owner: 'owner', vault: 'import', mail: 'mail', web: 'web', import: 'import' },
  ...{ pdf: 'import', clip: 'web', tool: 'mcp' },
}
const inVault: ReadonlySet<From> = new Set(['vault', 'pdf', 'clip'])

/** Stores what was read, those of the vault as files of an import that the owner vouches for. */
async function give({ from, how, text, in_turn }: Reading): Promise<GivenText> {
  const given = { given_by: how, title: 'A text', texts: [text], in_turn }
  if (from === 'tool') return { ...given, entity_type: 'tool_result', entity_id: randomUUID() }
  const type = from === 'pdf' ? 'source_doc' : 'page'
  const fields =
    type === 'page' ? { title: 'A text', body: text } : { title: 'A text', text, mime: 'application/pdf' }
  const row = await deps.database.transaction((tx) =>
    deps.content.writer.write(
      tx,
      { action: 'create', type, space_id, fields, origin: originOf[from] },
      { actor: from === 'owner' ? { kind: 'owner' } : { kind: 'system', name: 'import' } },
    ),
  )
  const file = {
    path: `${row.id}.md`,
    entity_type: type,
    entity_id: row.id,
    sha256: '0'.repeat(64),
    version: 1,
  }
  if (inVault.has(from))
    await createImportFilesRepo(deps.database).save({ space_id, source: 'My notes' }, [file])
  return { ...given, entity_type: type, entity_id: row.id }
}

async function warningsOf({ said, read, type, action, row, payload }: LabelledDraft): Promise<string[]> {
  const sources: GivenText[] = []
  for (const one of read) sources.push(await give(one))
  const provenance = await deps.database.transaction((tx) =>
    gatherProvenance(tx, deps, {
      kind: deps.kinds.get(type),
      ...{ action, space_id, payload },
      entity_id: randomUUID(),
      row: row as EntityRow | null,
      given: { sources, said: [said] },
      languages: ['english'],
    }),
  )
  return warnProvenance(provenance).map(({ code }) => code)
}

const name = ({ said, read, action, payload }: LabelledDraft) =>
  `${said} | ${read.map(({ text }) => text).join(' + ')} | ${action} ${JSON.stringify(payload)}`

async function warnedOf(drafts: readonly LabelledDraft[]) {
  const warned: string[] = []
  const silent: string[] = []
  for (const draft of drafts) ((await warningsOf(draft)).length > 0 ? warned : silent).push(name(draft))
  return { warned, silent }
}

test('there are at least 120 labelled drafts, and enough of either kind', () => {
  expect(injected.length + benign.length).toBeGreaterThanOrEqual(120)
  expect(Math.min(injected.length, benign.length)).toBeGreaterThanOrEqual(50)
})

test('at least 95 % of the drafts that outside text steered carry a warning', async () => {
  const { warned, silent } = await warnedOf(injected)

  expect(warned.length / injected.length, silent.join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('at most 5 % of the others do', async () => {
  const { warned } = await warnedOf(benign)

  expect(warned.length / benign.length, warned.join('\n')).toBeLessThanOrEqual(0.05)
})

test('orders that were read in this turn are the strongest warning', async () => {
  const [, , , ...rest] = injected
  const ordering = rest.find(({ read }) => read[0]?.text.startsWith('Ignore all previous'))!

  expect(await warningsOf(ordering)).toEqual(['outside_orders'])
})
