import { createSpace } from '../../lib/spaces/write-space.ts'
import { companion } from '../helpers/one-turn.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { makeDataFolder } from './spaces.ts'
import { percentile } from './statistics.ts'

const warmUps = 50
const rounds = 400

/** Decisions one after the other on the embedded store, each on a draft of its own; the drafting is not counted. */
export const decisions: Measurement = {
  name: 'decisions',
  about: `${rounds} approvals of a new text, ${rounds} of a title, on PGlite; beside a plain update of such a row`,
  async run(log) {
    const data = makeDataFolder()
    try {
      const store = await openStore(data.folder)
      const figures = await measure(store, log)
      await store.close()
      return figures
    } finally {
      data.remove()
    }
  },
}

async function measure(store: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const { database } = store.deps
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Decisions' })
  const times: Record<'text' | 'title' | 'plain', number[]> = { text: [], title: [], plain: [] }
  const pages = makePages(warmUps + rounds)
  log(`${pages.length} pages, two drafts each`)

  for (const { title, body } of pages) {
    const page = await database.transaction((tx) =>
      store.deps.writer.write(
        tx,
        { action: 'create', type: 'page', space_id, fields: { title, body } },
        { actor: { kind: 'owner' } },
      ),
    )
    times.text.push(await approve(store, { id: page.id, space_id }, { body: `${body}\n\nOne line more.\n` }))
    times.title.push(await approve(store, { id: page.id, space_id }, { title: `${title}, again` }))
    times.plain.push(
      await timed(() =>
        database.query(
          'update pages set title = $2, version = version + 1, updated_at = now() where id = $1',
          [page.id, `${title}, plainly`],
        ),
      ),
    )
  }
  return (['text', 'title'] as const).flatMap((what) =>
    [0.5, 0.95].map(
      (part): Figure => ({
        name: `approve a new ${what}, p${part * 100}`,
        unit: 'ms',
        value: percentile(times[what].slice(warmUps), part),
        baseline: percentile(times.plain.slice(warmUps), part),
        ...(part === 0.95 ? { bound: { kind: 'at most', value: 30 } } : {}),
      }),
    ),
  )
}

async function approve(
  { deps }: OpenStore,
  { id, space_id }: { id: string; space_id: string },
  payload: Record<string, unknown>,
): Promise<number> {
  const draft = await deps.proposeChange(companion, {
    space_id,
    entity_type: 'page',
    action: 'update',
    entity_id: id,
    payload,
    reason: '',
    turn: null,
    tool_use_id: null,
  })
  const { payload_sha256 } = draft
  return await timed(() => deps.decisions.approve({ kind: 'owner' }, draft.id, { payload_sha256 }))
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}
