import type { Deps } from '../../../lib/api/deps.ts'
import { blameText } from '../../../lib/changes/blame/blame.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import type { Figure, Measurement } from './measurement.ts'
import { withStore } from './open-store.ts'
import { createProse } from './prose.ts'
import { percentile } from './statistics.ts'

const pageSize = 100_000
const histories = [100, 1000]
const runs = 5

/** "Why does this say so?", for a page that was changed often; beside reading the page. */
export const blame: Measurement = {
  name: 'blame',
  about: `who wrote a page of ${pageSize / 1000} kB that was changed 100 and 1,000 times, a few words each time`,
  run: (log) =>
    withStore(async ({ deps }) => {
      const figures: Figure[] = []
      for (const versions of histories) {
        log(`a page with ${versions} versions`)
        figures.push(...(await measure(deps, await makePage(deps, versions), versions)))
      }
      return figures
    }),
}

async function makePage(deps: Deps, versions: number): Promise<EntityRow> {
  const actor = { kind: 'owner' } as const
  const { id: space_id } = await createSpace(deps.database, actor, { name: `Bench ${versions}` })
  const prose = createProse(7)
  let body = ''
  while (body.length < pageSize) body += `${prose.page('').body}\n\n`
  const at = { type: 'page', space_id }
  const write = (work: Parameters<Deps['content']['writer']['write']>[1]) =>
    deps.database.transaction((tx) => deps.content.writer.write(tx, work, { actor }))
  let row = await write({ ...at, action: 'create', fields: { title: 'A long page', body } })

  for (let version = 1; version < versions; version += 1) {
    const place = body.indexOf(' ', prose.below(body.length))
    body = `${body.slice(0, place)} ${prose.words(4).join(' ')} ${body.slice(place + 20)}`
    row = await write({ ...at, action: 'update', id: row.id, version, fields: { body } })
  }
  return row
}

async function measure(deps: Deps, row: EntityRow, versions: number): Promise<Figure[]> {
  const kind = deps.kinds.get('page')
  const actor = { kind: 'owner' } as const
  const passage = { start: 50_000, end: 50_400 }
  const whole = await time(() => blameText(deps, { kind, row, actor }))
  const part = await time(() => blameText(deps, { kind, row, actor, ...passage }))
  const read = await time(() => createEntitiesRepo(deps.database).find(kind, row.space_id, row.id))
  const baseline = percentile(read, 0.5)
  const of = `${versions} versions`
  return [
    { name: `${of}, the whole page, p50`, unit: 'ms', value: percentile(whole, 0.5), baseline },
    { name: `${of}, a passage of 400 characters, p50`, unit: 'ms', value: percentile(part, 0.5), baseline },
  ]
}

async function time(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times
}
