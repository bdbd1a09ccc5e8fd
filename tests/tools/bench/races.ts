import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { companion } from '../../helpers/one-turn.ts'
import { type Contender, contenders, race, type Track } from '../../helpers/race.ts'
import { freshPostgres } from './fresh-postgres.ts'
import type { Figure, Measurement } from './measurement.ts'
import { createProse } from './prose.ts'

const wanted = 10_000
/** Races that run side by side, where the database has more than one connection. */
const lanes = 5

/** Not a figure of speed: how many of so many generated races end in a state that no order of decisions gives. */
export const races: Measurement = {
  name: 'races',
  about: `${wanted} races of two to seven decisions on one draft, on PGlite, or on the Postgres of TEST_DATABASE_URL`,
  async run(log) {
    const url = process.env.TEST_DATABASE_URL
    if (!url) return await onEngine(log, 'PGlite', await openDatabase({}), 1)
    const { url: fresh, drop } = await freshPostgres(url)
    try {
      return await onEngine(log, 'Postgres', await openDatabase({ url: fresh, maxConnections: 20 }), lanes)
    } finally {
      await drop()
    }
  },
}

async function onEngine(
  log: (message: string) => void,
  engine: string,
  database: Database,
  abreast: number,
): Promise<Figure[]> {
  try {
    const track = await prepare(database)
    const random = createProse(2031)
    const wrong: string[] = []
    let done = 0
    async function runLane(): Promise<void> {
      while (done < wanted) {
        done += 1
        if (done % 1000 === 0) log(`${engine}: ${done} races, ${wrong.length} wrong`)
        const field = Array.from(
          { length: 2 + random.below(6) },
          (): Contender => contenders[random.below(contenders.length)]!,
        )
        const problems = await race(track, field)
        if (problems.length > 0) wrong.push(`[${field.join(', ')}]: ${problems.join('; ')}`)
      }
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: abreast }, runLane))
    const elapsed = performance.now() - started
    for (const problem of wrong.slice(0, 5)) log(problem)
    return [
      {
        name: `${engine}: wrong of ${wanted}`,
        unit: 'races',
        value: wrong.length,
        bound: { kind: 'at most', value: 0 },
      },
      { name: `${engine}: one race`, unit: 'ms', value: elapsed / wanted },
    ]
  } finally {
    await database.close()
  }
}

async function prepare(database: Database): Promise<Track> {
  await migrate(database)
  const deps = assemble(loadConfig({}, ''), {
    database,
    ownerToken: 'bench',
    keyring: createTemporaryKeyring(),
    logger: createLogger('silent'),
  })
  const { id } = await createSpace(database, { kind: 'owner' }, { name: 'Races' })
  return { deps, spaceId: id, agent: companion }
}
