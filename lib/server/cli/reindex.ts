// `npm run reindex`: makes the search index again from what is stored. The embedded store must not be open: the server
// has to be stopped. A server indexes by itself what an upgrade left behind; this is for everything.

import { kinds } from '../../contract/entities/kinds.ts'
import { migrate } from '../../db/migrate.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { indexConversations, type Progress, type ReindexDeps, reindex } from '../../search/reindex.ts'
import { createSearch } from '../../search/search.ts'
import { type Config, loadConfig } from '../config.ts'
import { withStore } from './open-store.ts'
import { refuseArguments, runCommand } from './run-command.ts'

const maxSpaces = 1000

const usage = `Makes the search index again from what is stored. A server indexes by itself what an upgrade left behind; this
is for everything.

  npm run reindex

With the embedded database the server has to be stopped.`

await runCommand({ usage, failure: 'Void cannot index.' }, async (args) => {
  refuseArguments(args)
  await run(loadConfig(), process.stdout)
  return 0
})

function run(config: Config, output: NodeJS.WriteStream): Promise<void> {
  return withStore(config, async (database) => {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())

    await migrate(database)
    const search = createSearch({ db: database, kinds, languages: config.searchLanguages })
    const deps = { database, kinds, search }
    const onProgress = progressLine(output)
    const done = await reindex(deps, { all: true, signal: stop.signal, onProgress })
    let conversations = 0
    for (let found = 1; found > 0 && !stop.signal.aborted; conversations += found) {
      found = await indexConversations(deps, { quiet_since: new Date() })
    }
    if (!stop.signal.aborted) {
      await reindexOutliers(deps, stop.signal)
      await search.maintain()
    }
    const state = stop.signal.aborted ? 'Stopped. The rest is unchanged.' : 'Done.'
    output.write(`\n${done} entities and ${conversations} conversations indexed. ${state}\n`)
  })
}

/** Indexes once more the Spaces whose passages turn out to be far shorter or longer than was assumed. */
async function reindexOutliers(deps: ReindexDeps, signal: AbortSignal): Promise<void> {
  const filter = { within: null, deleted: false, before_id: null, limit: maxSpaces }
  const spaces = await createSpacesRepo(deps.database).list(filter)
  await deps.search.warm(spaces.map(({ id }) => id))
  if (await deps.search.adoptAverageLengths()) await reindex(deps, { signal })
}

/** One line that is written over on a terminal; a line for each tenth elsewhere. */
function progressLine(output: NodeJS.WriteStream): (progress: Progress) => void {
  let shown = -1
  return ({ done, total }) => {
    const part = Math.floor((done / total) * (output.isTTY ? 100 : 10))
    if (part === shown) return
    shown = part
    const text = `${done} of ${total} (${Math.floor((100 * done) / total)} %)`
    output.write(output.isTTY ? `\r${text}` : `${text}\n`)
  }
}
