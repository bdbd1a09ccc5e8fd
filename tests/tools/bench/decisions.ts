import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { companion } from '../../helpers/one-turn.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, withStore } from './open-store.ts'
import { makePages } from './prose.ts'
import { percentile } from './statistics.ts'

const warmUps = 50
const rounds = 400

/** Decisions one after the other on the embedded store, each on a draft of its own; the drafting is not counted. */
export const decisions: Measurement = {
  name: 'decisions',
  about: `${rounds} approvals of a new text, ${rounds} of a title, on PGlite; beside a plain update of such a row`,
  run: (log) => withStore((store) => measure(store, log)),
}

async function measure(store: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const { database } = store.deps
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Decisions' })
  const times: Record<'text' | 'title' | 'plain', Taken[]> = { text: [], title: [], plain: [] }
  const pages = makePages(warmUps + rounds)
  log(`${pages.length} pages, two drafts each`)

  for (const { title, body } of pages) {
    const page = await database.transaction((tx) =>
      store.deps.content.writer.write(
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
  return (['text', 'title'] as const).flatMap((what) => [
    figure(`approve a new ${what}, p50`, times[what], times.plain, 'wall', 0.5),
    { ...figure(`approve a new ${what}, p95`, times[what], times.plain, 'wall', 0.95), bound },
    // What is left of it on a machine that is busy with other things.
    figure('… processor time, p50', times[what], times.plain, 'processor', 0.5),
  ])
}

const bound = { kind: 'at most', value: 30 } as const

/** In milliseconds. */
type Taken = { wall: number; processor: number }

function figure(
  name: string,
  taken: readonly Taken[],
  plain: readonly Taken[],
  clock: keyof Taken,
  part: number,
): Figure {
  const at = (all: readonly Taken[]) =>
    percentile(
      all.slice(warmUps).map((one) => one[clock]),
      part,
    )
  return { name, unit: 'ms', value: at(taken), baseline: at(plain) }
}

async function approve(
  { deps }: OpenStore,
  { id, space_id }: { id: string; space_id: string },
  payload: Record<string, unknown>,
): Promise<Taken> {
  const draft = await deps.changes.proposeChange(companion, {
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
  return await timed(() => deps.changes.decisions.approve({ kind: 'owner' }, draft.id, { payload_sha256 }))
}

async function timed(run: () => Promise<unknown>): Promise<Taken> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - started, processor: (user + system) / 1000 }
}
